import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { storedRecord } from "../../record/audit/stored-record.ts";
import { verifyRecord } from "../../record/audit/verify.ts";
import type { Cron } from "./cron.ts";
import { type ManualClock, manualClock } from "../../engine/testing/manual-clock.ts";
import { project } from "../../policy/trust/project.cases.ts";
import { openRuntime, type Runtime } from "../../daemon/runtime/runtime.ts";

const day = 86_400_000;

async function opened(
  t: TestContext,
  config = "",
): Promise<{ runtime: Runtime; clock: ManualClock; home: string; warnings: string[] }> {
  const home = mkdtempSync(join(tmpdir(), "swarm-runtime-cron-"));
  writeFileSync(join(home, "config.yaml"), config);
  const clock = manualClock();
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const runtime = await openRuntime({ home, cwd: home, env: process.env, log, clock });
  t.after(async () => {
    runtime.abort();
    await runtime.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { runtime, clock, home, warnings };
}

/** Another process on the same home. */
async function reopened(t: TestContext, home: string, clock = manualClock()): Promise<Runtime> {
  const log = { warn: () => undefined };
  const runtime = await openRuntime({ home, cwd: home, env: process.env, log, clock });
  t.after(async () => {
    await runtime.close();
    // Closing writes into the home, which the first process may have removed already.
    rmSync(home, { recursive: true, force: true });
  });
  return runtime;
}

/** Looks until it is so: programs and disks take as long as they take. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

test("retention forgets payloads by the user's policy and runs with their output, and the record stays intact", async (t) => {
  const { runtime, clock } = await opened(t, "audit: { payload_retention_days: 7 }\n");
  const call = { tool_name: "Bash", tool_input: { command: "ls" } };
  const { id } = await runtime.events.emit({ event: "tool.before", data: call });
  const cron = await runtime.cron.open();
  const settings = { name: "sweep", schedule: "every 8d", task: "retention", config: { run_days: 3 } };
  const { job_id } = await cron.jobs.create(settings, "human:ann");
  for (const _ of [1, 2]) {
    await clock.advance(8 * day);
    const { run_id } = await cron.run(job_id, "human:ann");
    await until(async () => (await cron.findRun(run_id)).ended_at !== null);
  }
  const row = (await runtime.store.findRunEvent(id)) ?? assert.fail();
  assert.equal(await runtime.store.findPayload(row.seq), null);
  const runs = await cron.runs(job_id, { limit: 9 });
  assert.deepEqual(
    runs.map(({ status, trigger }) => [status, trigger]),
    [["completed", "manual"]],
    "the older run is forgotten",
  );
  await clock.advance(100);
  const { is_intact, open_intents } = await verifyRecord(
    await storedRecord(runtime.store, runtime.key.publicKey),
  );
  assert.deepEqual([is_intact, open_intents], [true, []]);
});

test("a hook of the job's folder is asked, and its denial is in the record", async (t) => {
  const config = `hooks:
  - { event: cron.fired, type: command, name: not-now, mode: guard, on_failure: deny, command: "echo closed >&2; exit 2" }
`;
  const { runtime, home } = await opened(t, config);
  const cron = await runtime.cron.open();
  const job = { name: "x", schedule: "1h", task: "custom", config: { command: "touch x" }, cwd: home };
  const { job_id } = await cron.jobs.create(job, "human:ann");
  await cron.run(job_id, "human:ann");
  await until(async () => (await cron.lastRun(job_id))?.ended_at !== null);
  const last = await cron.lastRun(job_id);
  assert.deepEqual([last?.status, last?.reason], ["denied", "denied by not-now: closed"]);
  const rows = await runtime.store.readRunEvents(0, 99);
  assert.deepEqual(rows.map(({ event, verdict }) => [event, verdict]).slice(0, 3), [
    ["job.created", "none"],
    ["job.run", "none"],
    ["cron.fired", "deny"],
  ]);
});

test("a job that could not run now is made, and says why: its folder, its script, its baseline, a rule", async (t) => {
  const rule =
    "{ id: no-touch, behaviour: deny, when: { event: cron.fired, command: touch }, reason: leaves traces }";
  const { runtime, home } = await opened(t, `policy: { rules: [${rule}] }\n`);
  const cron = await runtime.cron.open();
  const warned = (changes: object) =>
    cron.warningsOf(
      cron.jobs.settings({
        name: "x",
        schedule: "1h",
        task: "custom",
        config: { command: "true" },
        cwd: home,
        ...changes,
      }),
    );
  assert.deepEqual(await warned({}), []);
  assert.deepEqual(await warned({ cwd: join(home, "gone") }), [
    `its folder ${join(home, "gone")} is not there`,
  ]);
  const script = await warned({ config: { command: "FOO=1 ./backup.sh && bash tools/other.sh" } });
  assert.deepEqual(script.slice(0, 2), [
    `${join(home, "backup.sh")} is not there`,
    `${join(home, "tools/other.sh")} is not there`,
  ]);
  const denied = await warned({ config: { command: "touch x" } });
  assert.match(denied.join(), /^a run would be denied by policy:no-touch: leaves traces/);
  const drift = await warned({
    task: "drift_check",
    config: { baseline_run_id: "nowhere", window_hours: 24 },
  });
  assert.match(drift.join(), /"nowhere"/);
  const before = await runtime.store.readRunEvents(0, 99);
  assert.deepEqual(before, [], "nothing was asked, nothing is kept");
});

test("a broken edit of the user's file stops no job, and the next good one is in force", async (t) => {
  const job = (name: string) => `cron: [{ name: ${name}, schedule: 1h, task: retention }]\n`;
  const { runtime, clock, home, warnings } = await opened(t, job("a"));
  const cron = await runtime.cron.open();
  await cron.start();
  const names = async () => (await cron.list({ limit: 9 })).map(({ name }) => name);
  assert.deepEqual(await names(), ["a"]);
  const edit = async (text: string) => {
    writeFileSync(join(home, "config.yaml"), text);
    await clock.advance(60_000);
    await cron.tick();
  };
  await edit("cron: [");
  assert.deepEqual(await names(), ["a"]);
  assert.match(warnings.join("\n"), /config\.yaml:1/);
  await edit(job("b"));
  assert.deepEqual(await names(), ["b"]);
});

test("what becomes of a job reaches receivers: it is queued with the row that tells of it", async (t) => {
  const config = `hooks:
  - { event: cron.completed, type: webhook, name: told, url: "https://example.com/hook", unsigned: true }
`;
  const { runtime, home } = await opened(t, config);
  const cron = await runtime.cron.open();
  const job = { name: "x", schedule: "1h", task: "custom", config: { command: "true" }, cwd: home };
  const { job_id } = await cron.jobs.create(job, "human:ann");
  await cron.run(job_id, "human:ann");
  await until(async () => (await runtime.store.outbox.totals()).pending === 1);
  assert.equal((await cron.lastRun(job_id))?.status, "completed");
});

suite("a project's jobs", () => {
  const file = (jobs: string) => `hooks: []\ncron:\n${jobs}`;
  const hello = '  - { name: hello, schedule: 1h, task: custom, config: { command: "./hello.sh > said" } }\n';
  const names = async (cron: Cron) => (await cron.list({ limit: 9 })).map(({ name }) => name);

  test("run once they are approved, in the project's folder, and what runs is what was approved", async (t) => {
    const { runtime, home, cwd, write, show, approve, revoke } = await project(t, {
      "swarm.yaml": file(hello),
      "hello.sh": "#!/bin/sh\necho approved\n",
    });
    // The copy that runs is below SWARM_HOME, which rules look after.
    writeFileSync(join(home, "config.yaml"), "policy: starter\n");
    const cron = await runtime.cron.open();
    assert.deepEqual(await names(cron), []);
    const [shown] = (await show()).hooks;
    assert.deepEqual([shown?.name, shown?.event, shown?.state], ["hello", "cron.fired", "untrusted"]);
    assert.deepEqual(shown?.definition, [
      "type: scheduled job",
      'name: "hello"',
      'schedule: "1h"',
      'task: "custom"',
      'config: {"command":"./hello.sh > said"}',
    ]);
    assert.deepEqual(
      shown?.files.map(({ path }) => path),
      ["hello.sh"],
    );
    await approve();
    assert.deepEqual(await names(cron), ["hello"]);
    // Changed, and not looked at yet.
    const [job] = await cron.list({ limit: 1 });
    write("hello.sh", "#!/bin/sh\necho swapped\n");
    const { run_id } = await cron.run(job?.job_id ?? "", "human:ann");
    await until(async () => (await cron.findRun(run_id)).ended_at !== null);
    assert.equal(readFileSync(join(cwd, "said"), "utf8"), "approved\n");
    await cron.syncDeclared();
    assert.deepEqual(await names(cron), [], "as soon as somebody looks, it is not the one that was approved");
    assert.match(cron.problems[0]?.problem ?? "", /swarm\.yaml: changed since it was approved/);
    await approve();
    assert.deepEqual(await names(cron), ["hello"]);
    await revoke();
    assert.deepEqual(await names(cron), []);
  });

  test("that are added to an approved file do not run before somebody has looked at them", async (t) => {
    const { runtime, write, approve } = await project(t, { "swarm.yaml": file(hello), "hello.sh": "" });
    const cron = await runtime.cron.open();
    await approve();
    const evil = '  - { name: evil, schedule: 1h, task: custom, config: { command: "rm -rf ~" } }\n';
    write("swarm.yaml", file(hello + evil));
    await cron.syncDeclared();
    assert.deepEqual(await names(cron), ["hello"]);
    assert.deepEqual(
      cron.problems.map(({ name }) => name),
      ["evil"],
    );
    write("swarm.yaml", file(hello.replace("1h", "1m")));
    await cron.syncDeclared();
    assert.deepEqual(await names(cron), []);
    write("swarm.yaml", "cron: [");
    await cron.syncDeclared();
    assert.match(cron.problems[0]?.problem ?? "", /swarm\.yaml:1/);
  });

  test("take no name the user's file has, and set no folder", async (t) => {
    const { runtime, home, write, approve } = await project(t, { "swarm.yaml": file(hello), "hello.sh": "" });
    const cron = await runtime.cron.open();
    const own = "cron: [{ name: hello, schedule: '@daily', task: retention }]\n";
    writeFileSync(join(home, "config.yaml"), own);
    await approve();
    const [job, ...more] = await cron.list({ limit: 9 });
    assert.deepEqual([job?.declared_in, job?.task, more], [join(home, "config.yaml"), "retention", []]);
    assert.match(cron.problems[0]?.problem ?? "", /swarm\.yaml:3:5: a job named "hello" is there already/);
    write("swarm.yaml", file(hello.replace("schedule", "cwd: /, schedule")));
    const { problem } = await runtime.projects.refresh();
    assert.match(problem?.message ?? "", /cwd is the user's to set/);
  });
});

suite("permission rules", () => {
  const policy = (rule: string) => `policy: { rules: [${rule}] }\n`;
  const push = {
    name: "nightly",
    schedule: "1h",
    task: "custom",
    config: { command: "echo x > pushed # git push" },
  };

  async function ran(t: TestContext, config: string, settings: object = push) {
    const { runtime, home, ...more } = await opened(t, config);
    const cwd = mkdtempSync(join(tmpdir(), "swarm-job-")); // the home is no place for jobs to write to
    t.after(() => rmSync(cwd, { recursive: true }));
    const cron = await runtime.cron.open();
    const { job_id } = await cron.jobs.create({ ...settings, cwd } as never, "human:ann");
    const { run_id } = await cron.run(job_id, "human:ann");
    const state = () => cron.findRun(run_id);
    const reached = async (...statuses: string[]) => {
      await until(async () => statuses.includes((await state()).status));
      return state();
    };
    return { runtime, home, cwd, cron, job_id, run_id, reached, ...more };
  }

  test("deny a job by its kind, its name and what its line does, and say which rule it was", async (t) => {
    for (const when of [
      "{ event: cron.fired, kind: custom }",
      "{ event: cron.fired, name: night* }",
      "{ command: rm -rf }",
    ]) {
      const config = policy(`{ id: no, behaviour: deny, when: ${when}, reason: not by night }`);
      const settings = { ...push, config: { command: "true; rm -rf x" } };
      const { reached, runtime } = await ran(t, config, settings);
      const { reason, intent_id } = await reached("denied");
      assert.match(reason ?? "", /^denied by policy:no: not by night/, when);
      assert.equal(intent_id, null, "nothing was begun");
      const rows = await runtime.store.readRunEvents(0, 99);
      assert.ok(
        rows.some(
          ({ event, verdict, hook }) => event === "cron.fired" && verdict === "deny" && hook === "policy:no",
        ),
      );
    }
  });

  test("ask: the run waits for a durable approval, runs once it is given, and the next run asks anew", async (t) => {
    const config = policy("{ id: ask, behaviour: ask, when: { event: cron.fired }, reason: look first }");
    const { reached, runtime, cwd, cron, job_id, run_id } = await ran(t, config);
    const waiting = await reached("waiting");
    const [question, ...more] = await runtime.store.approvals.list({ limit: 9, status: "pending" });
    assert.deepEqual(
      [question?.event, question?.kind, question?.name, question?.rule, question?.task, more],
      ["cron.fired", "custom", "nightly", "policy:ask", run_id, []],
    );
    const how = `A person can let this call pass once with: swarm approvals approve ${question?.id}`;
    assert.equal(waiting.reason, `look first [ask]. ${how}`);
    assert.equal(existsSync(join(cwd, "pushed")), false);
    await runtime.approvals.decide(question?.id ?? "", "approved", "human:bob", null);
    assert.equal((await reached("completed", "denied", "failed")).status, "completed");
    assert.equal(readFileSync(join(cwd, "pushed"), "utf8"), "x\n");
    const next = await cron.run(job_id, "human:ann");
    await until(async () => (await cron.findRun(next.run_id)).status === "waiting");
    const [second] = await runtime.store.approvals.list({ limit: 9, status: "pending" });
    assert.equal(second?.task, next.run_id);
    await runtime.approvals.decide(second?.id ?? "", "denied", "human:bob", "not tonight");
    await until(async () => (await cron.findRun(next.run_id)).ended_at !== null);
    const { status, reason } = await cron.findRun(next.run_id);
    assert.deepEqual([status, reason], ["denied", `denied by human:bob: not tonight (${second?.id})`]);
  });

  test("ask: where an approver's key is required the run waits for it, and is not denied", async (t) => {
    const rule = "{ id: ask, behaviour: ask, when: { event: cron.fired } }";
    const { reached } = await ran(t, `approvals: { require: person }\n${policy(rule)}`);
    assert.equal((await reached("waiting", "denied", "completed")).status, "waiting");
  });

  test("a job that needs an approval asks without any rule, and one nobody gives in time is a denial", async (t) => {
    const settings = { ...push, approval_required: true };
    const { reached, clock } = await ran(t, "approvals: { ttl_s: 60 }\n", settings);
    await reached("waiting");
    await clock.advance(61_000);
    const { status, reason } = await reached("denied");
    assert.match(`${status}: ${reason}`, /^denied: nobody has approved this in time/);
  });

  test("a yes to what the rules forbid by then is no yes", async (t) => {
    const { reached, runtime, home } = await ran(t, "", { ...push, approval_required: true });
    await reached("waiting");
    writeFileSync(
      join(home, "config.yaml"),
      policy("{ id: no, behaviour: deny, when: { event: cron.fired } }"),
    );
    const [question] = await runtime.store.approvals.list({ limit: 1 });
    await runtime.approvals.decide(question?.id ?? "", "approved", "human:bob", null);
    assert.match((await reached("denied", "completed")).reason ?? "", /^denied by policy:no/);
  });

  test("judge what runs: nothing in it is replaced before they do, and the record keeps no secret", async (t) => {
    const secret = "sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH";
    const config = policy(`{ id: leak, behaviour: deny, when: { args_pattern: "*${secret}*" } }`);
    const settings = { ...push, config: { command: `echo ${secret}` } };
    const { reached, runtime } = await ran(t, config, settings);
    assert.match((await reached("denied", "completed")).reason ?? "", /policy:leak/);
    for (const { seq } of await runtime.store.readRunEvents(0, 99))
      assert.ok(!JSON.stringify(await runtime.store.findPayload(seq)).includes(secret));
  });
});

test("a run that waits for an approval outlives its process, and the question with it", async (t) => {
  const { runtime, home } = await opened(t, "");
  const cron = await runtime.cron.open();
  const settings = {
    name: "x",
    schedule: "1h",
    task: "custom",
    config: { command: "echo ran > ran" },
    cwd: home,
  };
  const { job_id } = await cron.jobs.create({ ...settings, approval_required: true }, "human:ann");
  const { run_id } = await cron.run(job_id, "human:ann");
  await until(async () => (await cron.findRun(run_id)).status === "waiting");
  const [question] = await runtime.store.approvals.list({ limit: 1 });
  await runtime.close();
  const next = await reopened(t, home);
  await next.approvals.decide(question?.id ?? "", "approved", "human:bob", null);
  const again = await next.cron.open();
  await again.start();
  await until(async () => (await again.findRun(run_id)).ended_at !== null);
  assert.equal((await again.findRun(run_id)).status, "completed");
  assert.equal(readFileSync(join(home, "ran"), "utf8"), "ran\n");
  assert.equal((await next.store.approvals.list({ limit: 9 })).length, 1);
});

test("a question that lapsed while no daemon was there is a denial, and is not put again", async (t) => {
  const { runtime, home, clock } = await opened(t, "approvals: { ttl_s: 60 }\n");
  const cron = await runtime.cron.open();
  const settings = { name: "x", schedule: "1h", task: "custom", config: { command: "echo ran > ran" } };
  const { job_id } = await cron.jobs.create({ ...settings, cwd: home, approval_required: true }, "human:ann");
  const { run_id } = await cron.run(job_id, "human:ann");
  await until(async () => (await cron.findRun(run_id)).status === "waiting");
  await runtime.close();
  const next = await reopened(t, home, manualClock(clock.now() + 61_000));
  const again = await next.cron.open();
  await again.start();
  await until(async () => (await again.findRun(run_id)).ended_at !== null);
  const { status, reason } = await again.findRun(run_id);
  assert.match(`${status}: ${reason}`, /^denied: nobody has approved this in time/);
  assert.equal((await next.store.approvals.list({ limit: 9 })).length, 1);
});
