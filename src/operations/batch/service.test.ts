import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { storedRecord } from "../../record/audit/stored-record.ts";
import { verifyRecord } from "../../record/audit/verify.ts";
import { thisProcess } from "../../base/process-identity.ts";
import { slowUntil } from "./harness.cases.ts";
import { noProgress, type StoredBatchRun } from "./port/batch-run.ts";
import { openRuntime, type Runtime } from "../../daemon/runtime/runtime.ts";

type Runs = Awaited<ReturnType<Runtime["batch"]["open"]>>;

async function opened(t: TestContext, config = "") {
  const home = mkdtempSync(join(tmpdir(), "swarm-runtime-batch-"));
  writeFileSync(join(home, "config.yaml"), config);
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const runtime = await openRuntime({ home, cwd: home, env: process.env, log });
  t.after(async () => {
    await runtime.close();
    rmSync(home, { recursive: true });
  });
  return { runtime, home, warnings, runs: await runtime.batch.open() };
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, at) => `{"record_id":"r${at}","value":${at}}\n`).join("");
}

async function* pieces(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const echo = { processor: "echo", concurrency: 1 };

function submit(runs: Runs, home: string, count: number, changes: object = {}): Promise<StoredBatchRun> {
  const input = join(home, "input.jsonl");
  writeFileSync(input, lines(count));
  const settings = { ...echo, input, ...changes };
  return runs.submit({ run_id: "r1", settings, records: null, actor: "human:ann" });
}

async function over(runs: Runs, runId = "r1"): Promise<StoredBatchRun> {
  for (;;) {
    const run = await runs.find(runId);
    if (run.state !== "running" && run.state !== "waiting_approval") return run;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function recorded(runtime: Runtime): Promise<(readonly [string, string, string | null])[]> {
  const rows = await runtime.store.readRunEvents(0, 1_000);
  return rows
    .filter(({ event }) => event.startsWith("batch."))
    .map(({ kind, event, outcome, task }) => [kind, `${event} ${outcome}`, task]);
}

function resultsOf({ spec }: StoredBatchRun): string[] {
  const text = readFileSync(join(String(spec.output), "results.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { record_id: string }).record_id);
}

test("a run is announced, done by a process of its own, and recorded with its counts and digests", async (t) => {
  const { runtime, home, runs, warnings } = await opened(t);
  const begun = await submit(runs, home, 1_000, { name: "scores" });
  assert.deepEqual([begun.state, begun.leg, begun.name], ["running", 1, "scores"]);
  assert.ok(begun.runner !== null && begun.runner.pid !== process.pid);
  const run = await over(runs);
  assert.deepEqual([run.state, run.reason, run.done_count, run.failed_count], ["completed", null, 1_000, 0]);
  assert.deepEqual(
    resultsOf(run),
    Array.from({ length: 1_000 }, (_, at) => `r${at}`),
  );
  await runs.stop();
  // On a busy machine it takes long enough for one.
  const all = (await recorded(runtime)).filter(([, event]) => !event.startsWith("batch.checkpoint"));
  assert.deepEqual(all, [
    ["emit", "batch.started completed", "r1"],
    ["intent", "batch.started open", "r1"],
    ["outcome", "batch.started completed", "r1"],
    ["emit", "batch.completed completed", "r1"],
  ]);
  const end = (await runtime.store.readRunEvents(0, 9)).find(({ kind }) => kind === "outcome");
  const after = JSON.parse((await runtime.store.findPayload(end?.seq ?? 0))?.after ?? "");
  assert.deepEqual([after.state, after.done_count, after.failed_count], ["completed", 1_000, 0]);
  assert.match(after.results_sha256, /^[0-9a-f]{64}$/);
  assert.match(after.errors_sha256, /^[0-9a-f]{64}$/);
  const record = await verifyRecord(await storedRecord(runtime.store, runtime.key.publicKey));
  assert.deepEqual([record.is_intact, record.open_intents, warnings], [true, [], []]);
});

suite("what may not run leaves nothing behind", () => {
  const denying = `hooks:
  - { event: batch.started, type: command, name: no-batch, mode: guard, on_failure: deny, command: "echo closed >&2; exit 2" }
`;
  const rule = `policy:
  rules:
    - { id: no-echo, behaviour: deny, when: { event: batch.started, kind: echo }, reason: not here }
`;
  for (const [who, config, reason] of [
    ["a hook", denying, "denied by no-batch: closed"],
    ["a rule", rule, "no-echo"],
  ] as const) {
    test(`when ${who} denies it`, async (t) => {
      const { runtime, runs, home } = await opened(t, config);
      const records = pieces(lines(3));
      const submission = { run_id: "r1", settings: echo, records, actor: "human:ann" };
      await assert.rejects(runs.submit(submission), (error: { code: string; message: string }) => {
        assert.equal(error.code, "SWARM_BATCH_DENIED");
        assert.ok(error.message.includes(reason), error.message);
        return true;
      });
      assert.equal(await runtime.store.batch.find("r1"), null);
      assert.deepEqual(readdirSync(join(home, "batch")), [".incoming"]);
      assert.deepEqual(readdirSync(join(home, "batch/.incoming")), []);
      assert.deepEqual(await recorded(runtime), [["emit", "batch.started denied", "r1"]]);
    });
  }

  test("when its records end in the middle", async (t) => {
    const { runs, home } = await opened(t);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(lines(2));
      throw new Error("aborted");
    }
    const submission = { run_id: "r1", settings: echo, records: broken(), actor: "human:ann" };
    await assert.rejects(runs.submit(submission), { code: "SWARM_BATCH_UPLOAD_BROKEN" });
    await assert.rejects(runs.find("r1"), { code: "SWARM_BATCH_RUN_UNKNOWN" });
    assert.deepEqual(readdirSync(join(home, "batch/.incoming")), []);
  });

  test("when its records are more than the limit", async (t) => {
    const { runs, home } = await opened(t, "batch: { upload_limit_mb: 1 }\n");
    const records = pieces(Buffer.alloc(1024 * 1024, "\n"), "\n");
    const submission = { run_id: "r1", settings: echo, records, actor: "human:ann" };
    await assert.rejects(runs.submit(submission), { code: "SWARM_BODY_TOO_LARGE" });
    assert.deepEqual(readdirSync(join(home, "batch/.incoming")), []);
  });

  test("when there is nothing to read, or nobody knows how", async (t) => {
    const { runs, home } = await opened(t);
    const by = (settings: object) =>
      runs.submit({ run_id: "r1", settings: { ...echo, ...settings }, records: null, actor: "human:ann" });
    await assert.rejects(by({ input: join(home, "none") }), { code: "SWARM_BATCH_INPUT_UNREADABLE" });
    await assert.rejects(by({ input: home }), { code: "SWARM_BATCH_INPUT_UNREADABLE" });
    await assert.rejects(by({}), { code: "SWARM_OPTION_INVALID" });
    await assert.rejects(by({ input: "relative" }), { code: "SWARM_OPTION_INVALID" });
    await assert.rejects(by({ input: "/x", processor: "ecco" }), { code: "SWARM_BATCH_PROCESSOR_UNKNOWN" });
    await assert.rejects(by({ input: "/x", colour: 1 }), { code: "SWARM_OPTION_UNKNOWN" });
    await assert.rejects(by({ input: "/x", concurrency: 0 }), { code: "SWARM_OPTION_INVALID" });
    assert.equal(existsSync(join(home, "batch")), false);
  });
});

suite("records that come by themselves", () => {
  for (const [form, text] of [
    ["plain", Buffer.from(lines(50))],
    ["compressed", gzipSync(lines(50))],
  ] as const) {
    test(`are kept in the run's folder, ${form}`, async (t) => {
      const { runs, home } = await opened(t);
      const records = pieces(text.subarray(0, 7), text.subarray(7));
      await runs.submit({ run_id: "r1", settings: echo, records, actor: "human:ann" });
      const run = await over(runs);
      assert.deepEqual([run.state, run.done_count], ["completed", 50]);
      const kept = join(home, "batch/r1", form === "plain" ? "input.jsonl" : "input.jsonl.gz");
      assert.deepEqual(readFileSync(kept), text);
      await runs.purge("r1", "human:ann");
      assert.equal(existsSync(join(home, "batch/r1")), false);
    });
  }
});

test("an id and a folder are taken once", async (t) => {
  const { runs, home } = await opened(t);
  await submit(runs, home, 10);
  await over(runs);
  await assert.rejects(submit(runs, home, 10), { code: "SWARM_BATCH_RUN_TAKEN" });
  const settings = { ...echo, input: join(home, "input.jsonl"), output: join(home, "batch/r1") };
  const other = { run_id: "r2", settings, records: null, actor: "human:ann" };
  await assert.rejects(runs.submit(other), { code: "SWARM_BATCH_FOLDER_TAKEN" });
});

test("of several who submit one id at once one has it, with its own records", async (t) => {
  const { runs, home } = await opened(t);
  const counts = [11, 22, 33, 44];
  const settled = await Promise.allSettled(
    counts.map((count) =>
      runs.submit({ run_id: "r1", settings: echo, records: pieces(lines(count)), actor: `human:${count}` }),
    ),
  );
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason.code as string] : []));
  assert.equal(refused.length, 3);
  for (const code of refused) assert.match(code, /^SWARM_BATCH_(RUN|FOLDER)_TAKEN$/);
  const run = await over(runs);
  assert.deepEqual([run.state, `human:${run.done_count}`], ["completed", run.created_by]);
  assert.deepEqual(readdirSync(join(home, "batch/.incoming")), []);
});

test("forgetting a run leaves what others have put beside its files, its input among them", async (t) => {
  const { runs, home } = await opened(t);
  const output = join(home, "here");
  const input = join(home, "here/input.jsonl");
  await submit(runs, home, 10);
  await over(runs);
  mkdirSync(output);
  writeFileSync(input, lines(5));
  await runs.submit({
    run_id: "r2",
    settings: { ...echo, input, output },
    records: null,
    actor: "human:ann",
  });
  await over(runs, "r2");
  await runs.purge("r2", "human:ann");
  assert.deepEqual(readdirSync(output), ["input.jsonl"]);
  await assert.rejects(runs.find("r2"), { code: "SWARM_BATCH_RUN_UNKNOWN" });
});

suite("a run that a person has to approve", () => {
  const asking = `policy:
  rules:
    - { id: ask-first, behaviour: ask, when: { event: batch.started }, reason: costs money }
`;
  const pending = async (runtime: Runtime): Promise<string> =>
    (await runtime.store.approvals.list({ limit: 1, status: "pending" }))[0]?.id ??
    assert.fail("no question");

  test("waits, and runs once somebody has", async (t) => {
    const { runtime, runs, home } = await opened(t, asking);
    const waiting = await submit(runs, home, 10);
    assert.deepEqual([waiting.state, waiting.leg], ["waiting_approval", 0]);
    assert.match(waiting.reason ?? "", /costs money/);
    await runtime.approvals.decide(await pending(runtime), "approved", "human:bob", null);
    const run = await over(runs);
    assert.deepEqual([run.state, run.leg, run.done_count], ["completed", 1, 10]);
  });

  test("is cancelled when somebody says no", async (t) => {
    const { runtime, runs, home } = await opened(t, asking);
    await submit(runs, home, 10);
    await runtime.approvals.decide(await pending(runtime), "denied", "human:bob", "too dear");
    const run = await over(runs);
    assert.deepEqual([run.state, run.leg], ["cancelled", 0]);
    assert.match(run.reason ?? "", /denied by human:bob: too dear/);
  });

  test("can be cancelled while it waits", async (t) => {
    const { runs, home } = await opened(t, asking);
    await submit(runs, home, 10);
    const { state, reason } = await runs.cancel("r1", "human:ann");
    assert.deepEqual([state, reason], ["cancelled", "cancelled by human:ann"]);
  });

  test("waits for whoever comes after, when its process ends", async (t) => {
    const { runtime, runs, home } = await opened(t, asking);
    await submit(runs, home, 10);
    const id = await pending(runtime);
    await runs.stop();
    // As one that is gone would have left it.
    const { owner } = (await runtime.store.batch.find("r1")) ?? assert.fail();
    await runtime.store.batch.takeOver("r1", owner, { ...owner, pid: owner.pid, born: "0" });
    const next = await openRuntime({ home, cwd: home, env: process.env, log: { warn: () => undefined } });
    t.after(() => next.close());
    const later = await next.batch.open();
    await later.start();
    await next.approvals.decide(id, "approved", "human:bob", null);
    assert.equal((await over(later)).state, "completed");
  });
});

suite("a run that is ended early", () => {
  test("keeps what is durable when it is cancelled, and goes on from there", async (t) => {
    const { runtime, runs, home } = await opened(t);
    await submit(runs, home, 1_000, slowUntil(join(home, "seen")));
    const cancelled = await runs.cancel("r1", "human:bob");
    assert.deepEqual([cancelled.state, cancelled.reason], ["cancelled", "cancelled by human:bob"]);
    await assert.rejects(runs.cancel("r1", "human:bob"), { code: "SWARM_BATCH_RUN_STATE" });
    const resumed = await runs.resume("r1", "human:ann");
    assert.deepEqual([resumed.state, resumed.leg], ["running", 2]);
    await assert.rejects(runs.resume("r1", "human:ann"), { code: "SWARM_BATCH_RUN_STATE" });
    writeFileSync(join(home, "seen"), "");
    const run = await over(runs);
    assert.deepEqual([run.state, run.leg, run.done_count], ["completed", 2, 1_000]);
    assert.equal(new Set(resultsOf(run)).size, 1_000);
    assert.equal(resultsOf(run).length, 1_000);
    await assert.rejects(runs.resume("r1", "human:ann"), { code: "SWARM_BATCH_RUN_STATE" });
    const events = (await recorded(runtime)).map(([kind, event]) => `${kind} ${event}`);
    assert.equal(events.filter((event) => event === "intent batch.started open").length, 2);
    assert.ok(events.includes("emit batch.failed completed"));
  });

  test("is interrupted when its process is killed, and when whoever follows it stops", async (t) => {
    const { runs, home } = await opened(t);
    const { runner } = await submit(runs, home, 1_000, slowUntil(join(home, "seen")));
    process.kill(runner?.pid ?? assert.fail("no process"), "SIGKILL");
    const killed = await over(runs);
    assert.equal(killed.state, "interrupted");
    assert.match(killed.reason ?? "", /SIGKILL/);
    await runs.resume("r1", "human:ann");
    await runs.stop();
    const { state, reason } = await runs.find("r1");
    assert.deepEqual([state, reason], ["interrupted", "the process that followed it stopped"]);
  });

  test("is interrupted, and recorded as such, when whoever follows it stops while it starts", async (t) => {
    const { runtime, runs, home } = await opened(t);
    const closed = new Promise<void>((resolve) => {
      const stopListening = runtime.audit.onRecorded(({ kind }) => {
        if (kind !== "intent") return;
        stopListening();
        resolve(runs.stop());
      });
    });
    await submit(runs, home, 1_000, slowUntil(join(home, "seen")));
    await closed;
    assert.equal((await runtime.store.batch.find("r1"))?.state, "interrupted");
    const other = { run_id: "r2", settings: echo, records: pieces(lines(1)), actor: "human:ann" };
    await assert.rejects(runs.submit(other), { code: "SWARM_NOT_SERVING" });
    assert.ok(!existsSync(join(home, "batch/r2")));
  });

  test("is found to be interrupted when the process that followed it is gone, never by its number alone", async (t) => {
    const { runtime, runs, home } = await opened(t);
    const self = thisProcess();
    const spec = { run_id: "r1", output: join(home, "batch/r1"), cwd: home, name: null, processor: "echo" };
    const run = {
      ...{
        run_id: "r1",
        name: null,
        processor: "echo",
        state: "running" as const,
        reason: null,
        spec,
        leg: 1,
      },
      ...{ intent_id: "evt_1", created_at: "2026-01-01T00:00:00.000Z", created_by: "human:ann" },
      ...{ started_at: null, ended_at: null, ...noProgress },
    } as const;
    // The number is in use, by another process than then.
    const gone = { ...self, born: "1" };
    const others = [
      { owner: self, runner: null, state: "running" },
      { owner: gone, runner: self, state: "running" },
      { owner: gone, runner: gone, state: "interrupted" },
      { owner: gone, runner: null, state: "interrupted" },
      { owner: { ...self, place: "before the boot" }, runner: null, state: "interrupted" },
    ] as const;
    for (const [at, { owner, runner }] of others.entries()) {
      const added = { ...run, run_id: `r${at}`, spec: { ...spec, run_id: `r${at}` }, owner, runner };
      const row = { kind: "change", event: "batch.started", actor: "swarm" } as const;
      await runtime.audit.record(row, { kind: "batch_run_added", run: added });
    }
    const found = (await runs.list({ limit: 9 })).reverse().map(({ state }) => state);
    assert.deepEqual(
      found,
      others.map(({ state }) => state),
    );
  });
});
