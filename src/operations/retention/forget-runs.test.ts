import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { storedRecord } from "../../record/audit/stored-record.ts";
import { verifyRecord } from "../../record/audit/verify.ts";
import { forgetRuns, removeWork } from "./forget-runs.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";
import { amounts, WorkPlace } from "../../daemon/runtime/work.cases.ts";

const pipelines = (cwd: string) => `retention: { batch_days: 30, pipeline_days: 60 }
pipelines:
  fraud:
    cwd: ${cwd}
    data: { pattern: "data/*.jsonl" }
    steps:
      clean: { run: 'cp "$SWARM_DATA" clean.jsonl', outputs: [clean.jsonl] }
      score: { run: "test ! -e broken && cp clean.jsonl scores.jsonl", needs: [clean], outputs: [scores.jsonl] }
`;

/** What is said of it: kind, outcome, reason without its time. */
async function told({ store }: Runtime) {
  const rows = await store.listRunEvents({ limit: 99, event: "runs.forgotten" });
  return rows
    .reverse()
    .map(({ kind, outcome, reason }) => [kind, outcome, reason?.replace(/ from before \S+,/, ",") ?? null]);
}

async function verified(runtime: Runtime) {
  await runtime.signTail();
  const { is_intact, open_intents } = await verifyRecord(
    await storedRecord(runtime.store, runtime.key.publicKey),
  );
  return [is_intact, open_intents.length];
}

suite("runs and checks that are older than they are kept", () => {
  test("are forgotten with their folders in SWARM_HOME; an --output of the user's stays, and so does what was put beside", async (t) => {
    const place = await WorkPlace.open(t, pipelines);
    const { home, cwd, runtime } = place;
    const output = join(cwd, "own");
    await place.batch("own", 0, { output });
    await place.batch("ours", 0);
    await place.batch("noted", 0);
    writeFileSync(join(home, "batch/noted/notes.txt"), "mine");
    const { result } = await place.check({ baseline: "ours", window: join(cwd, "own.jsonl") });
    place.later(20);
    await place.batch("young", 0);
    place.later(20);
    assert.deepEqual(await runtime.retention.due({}), [
      "3 batch runs over 30 days old (own, ours, noted)",
      "0 pipeline runs over 60 days old",
      "0 drift checks over 365 days old",
    ]);
    assert.deepEqual(await told(runtime), []);
    assert.deepEqual(await runtime.retention.forget(), { batch: 3, pipeline: 0, drift: 0 });
    const runs = await runtime.batch.open();
    assert.deepEqual(
      (await runs.list({ limit: 9 })).map(({ run_id }) => run_id),
      ["young"],
    );
    assert.deepEqual(readdirSync(join(home, "batch")).sort(), ["noted", "young"]);
    assert.deepEqual(readdirSync(join(home, "batch/noted")), ["notes.txt"]);
    assert.ok(readdirSync(output).includes("results.jsonl"));
    assert.ok(existsSync(join(cwd, "ours.jsonl")), "an input is the user's");
    assert.deepEqual(await told(runtime), [
      ["intent", "open", "3 batch runs, kept for 30 days"],
      ["outcome", "completed", "3 batch runs, kept for 30 days"],
    ]);
    const [row] = await runtime.store.listRunEvents({ limit: 1, event: "runs.forgotten", kind: "intent" });
    const { before } = (await runtime.store.findPayload(row?.seq ?? 0)) ?? assert.fail();
    assert.deepEqual(JSON.parse(before ?? ""), {
      ...{ kind: "batch", ids: ["own", "ours", "noted"], files_of: ["ours", "noted"] },
    });
    assert.deepEqual(await runtime.retention.forget(), { batch: 0, pipeline: 0, drift: 0 });
    assert.equal((await runtime.retention.forget({ drift: 0 })).drift, 1);
    assert.equal(existsSync(join(home, "drift", result.check_id)), false);
    assert.deepEqual(await verified(runtime), [true, 0]);
    assert.equal((await place.batch("ours", 0)).state, "completed", "the id is free again");
  });

  test("what a version's lineage, a baseline or a mark names is kept, and a run that waits", async (t) => {
    // Whoever waits looks at the clock every five seconds: the question must not lapse however long the test takes.
    const config = (cwd: string) =>
      `${pipelines(cwd)}approvals: { ttl_s: ${30 * 86_400} }\npolicy: { rules: [{ id: look, behaviour: ask, when: { event: batch.started, args_pattern: { output: '/asked$/' } } }] }\n`;
    const place = await WorkPlace.open(t, config);
    const { home, cwd, runtime } = place;
    place.write("data/a.jsonl", amounts(0));
    place.write("broken", "");
    // Its first step was done: a later run skips it, and makes a version of what it left.
    const cleaned = await place.pipeline("fraud");
    rmSync(join(cwd, "broken"));
    const made = await place.pipeline("fraud");
    assert.deepEqual([cleaned.status, made.status, made.version], ["failed", "completed", 1]);
    const same = await place.pipeline("fraud");
    place.write("data/b.jsonl", amounts(1));
    place.write("broken", "");
    const failed = await place.pipeline("fraud");
    await place.batch("baseline", 0);
    await place.batch("free", 0);
    await place.batch("asked", 0);
    await place.batch("looked-at", 60);
    const drift = await runtime.drift.open();
    const { signal } = new AbortController();
    await drift.baselines.set({ name: "march", source: "baseline" }, cwd, "human:ann", signal);
    const { result } = await place.check({ baseline: "march", window: "looked-at" });
    place.later(20);
    await place.batch("looked-at-too", 60);
    const later = await place.check({ baseline: "march", window: "looked-at-too" });
    const counts = await runtime.retention.forget({ batch: 10, pipeline: 10, drift: 0 });
    assert.deepEqual(counts, { batch: 2, pipeline: 2, drift: 1 });
    const { pipelines: kept } = await runtime.pipelines.open();
    assert.deepEqual(
      (await kept.list({ limit: 9 })).map(({ run_id }) => run_id),
      [made.run_id, cleaned.run_id],
    );
    for (const { run_id } of [same, failed]) assert.equal(existsSync(join(home, "pipelines", run_id)), false);
    assert.ok(existsSync(join(home, "pipelines", cleaned.run_id, "run.json")));
    const runs = await runtime.batch.open();
    assert.deepEqual(
      (await runs.list({ limit: 9 })).map(({ run_id, state }) => [run_id, state]),
      [
        ["looked-at-too", "completed"],
        ["asked", "waiting_approval"],
        ["baseline", "completed"],
      ],
    );
    assert.ok(drift.checks.find(later.result.check_id).is_drift, "the run it is the mark of is there");
    assert.throws(() => drift.checks.find(result.check_id), { code: "SWARM_DRIFT_CHECK_UNKNOWN" });
    assert.deepEqual(await verified(runtime), [true, 1], "the question that waits");
  });

  test("whoever is killed between the record and the files leaves them to the next", async (t) => {
    const place = await WorkPlace.open(t, "retention: { batch_days: 30 }\n");
    const { home, runtime } = place;
    const runs = await runtime.batch.open();
    const records = async function* () {
      yield Buffer.from(amounts(0));
    };
    const settings = { processor: "echo", concurrency: 1 };
    await runs.submit({ run_id: "sent", settings, records: records(), actor: "human:ann" });
    await place.batchEnd("sent");
    await place.batch("second", 0);
    await runtime.close();
    const script = `
      import { openRuntime, type Runtime } from ${JSON.stringify(new URL("../../daemon/runtime/runtime.ts", import.meta.url).href)};
      import { forgetRuns } from ${JSON.stringify(new URL("./forget-runs.ts", import.meta.url).href)};
      const home = ${JSON.stringify(home)};
      const runtime = await openRuntime({ home, cwd: home, env: {}, log: { warn() {} } });
      const { store, audit } = runtime;
      const days = { batch: 30, pipeline: 30, drift: 30 };
      const remove = () => process.kill(process.pid, "SIGKILL");
      await forgetRuns({ home, store, audit, nowMs: Date.now() + 40 * 86_400_000, days, remove });
    `;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: "inherit",
    });
    assert.deepEqual(await once(child, "exit"), [null, "SIGKILL"]);
    place.runtime = await place.another();
    const next = place.runtime;
    assert.equal(await next.store.batch.find("sent"), null, "it is forgotten");
    const left = ["results.jsonl", "input.jsonl", "spec.json"].map((name) => join(home, "batch/sent", name));
    assert.deepEqual(left.map(existsSync), [true, true, true], "and its files are there");
    assert.deepEqual(await verified(next), [true, 1]);
    const again = { run_id: "second", settings, records: records(), actor: "human:ann" };
    await assert.rejects((await next.batch.open()).submit(again), { code: "SWARM_BATCH_FOLDER_TAKEN" });
    assert.deepEqual(await next.retention.forget(), { batch: 0, pipeline: 0, drift: 0 });
    assert.deepEqual(
      readdirSync(join(home, "batch")).filter((name) => !name.startsWith(".")),
      [],
    );
    assert.deepEqual(await told(next), [
      ["intent", "open", "2 batch runs, kept for 30 days"],
      ["outcome", "completed", "files that were left were removed"],
    ]);
    assert.deepEqual(await verified(next), [true, 0]);
    assert.deepEqual(await next.store.retention.unremoved(), []);
  });

  test("what cannot be removed holds up nothing else, is told, and tried again the next time", async (t) => {
    const place = await WorkPlace.open(t);
    const { home, runtime } = place;
    await place.batch("stuck", 0);
    const { result } = await place.check({ baseline: "stuck", window: join(place.cwd, "stuck.jsonl") });
    place.later(400);
    const { store, audit } = runtime;
    const remove: typeof removeWork = async (folder, file) => {
      if (file.id === "stuck") throw new Error("EACCES: permission denied");
      await removeWork(folder, file);
    };
    const days = { batch: 30, pipeline: 30, drift: 30 };
    const options = { home, store, audit, nowMs: Date.now() + 400 * 86_400_000, days, remove };
    for (const _ of [1, 2])
      await assert.rejects(forgetRuns(options), {
        code: "SWARM_FILES_NOT_REMOVED",
        message: `${join(home, "batch/stuck")} could not be removed: EACCES: permission denied`,
      });
    assert.equal(existsSync(join(home, "drift", result.check_id)), false, "the others are gone");
    assert.deepEqual(await verified(runtime), [true, 1]);
    await runtime.retention.forget();
    assert.equal(existsSync(join(home, "batch/stuck")), false);
    assert.deepEqual(await verified(runtime), [true, 0]);
  });

  test("of two that forget the same at once each thing is forgotten once, and every intent has an outcome", async (t) => {
    const place = await WorkPlace.open(t);
    await place.batch("one", 0);
    await place.check({ baseline: "one", window: join(place.cwd, "one.jsonl") });
    place.later(400);
    const another = await place.another();
    t.after(() => another.close());
    const counts = await Promise.all([place.runtime.retention.forget(), another.retention.forget()]);
    const total = (kind: "batch" | "drift") => counts.reduce((sum, each) => sum + each[kind], 0);
    assert.deepEqual([total("batch"), total("drift")], [1, 1]);
    assert.deepEqual(await verified(place.runtime), [true, 0]);
    assert.deepEqual(readdirSync(join(place.home, "drift")), []);
  });

  test("a folder that is a link is left as it is", async (t) => {
    const place = await WorkPlace.open(t);
    const { home, cwd, runtime } = place;
    await place.batch("moved", 0);
    const elsewhere = join(cwd, "elsewhere");
    renameSync(join(home, "batch/moved"), elsewhere);
    symlinkSync(elsewhere, join(home, "batch/moved"));
    place.later(400);
    assert.equal((await runtime.retention.forget()).batch, 1);
    assert.ok(existsSync(join(elsewhere, "results.jsonl")));
  });
});
