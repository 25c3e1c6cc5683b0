import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fraudFiles, PipelinePlace } from "./harness.cases.ts";

const one = (step: string, more = ""): Record<string, string> => ({
  "swarm.yaml": `${more}pipelines: { fraud: { steps: { a: { ${step} } } } }\n`,
});
const say = (answer: object): string => `echo '${JSON.stringify(answer)}'`;
const hook = (event: string, command: string): string =>
  `hooks:\n  - { event: ${event}, type: command, name: watcher, command: ${JSON.stringify(command)} }\n`;

test("a session is started and ended around a run, and each step is a tool call in it", async (t) => {
  const place = await PipelinePlace.open(t, fraudFiles);
  const { run_id } = await place.run();
  const rows = (await place.rows()).filter(({ session }) => session === run_id);
  assert.deepEqual(
    rows.map(({ kind, event }) => `${kind} ${event}`),
    [
      "intent pipeline.run",
      "emit session.start",
      "change pipeline.data",
      "emit tool.before",
      "intent pipeline.step",
      "outcome pipeline.step",
      "emit tool.after",
      "emit tool.before",
      "intent pipeline.step",
      "outcome pipeline.step",
      "emit tool.after",
      "outcome pipeline.run",
      "emit session.end",
    ],
  );
  assert.deepEqual(
    [...new Set(rows.map(({ source, task, cwd }) => `${source} ${task} ${cwd}`))],
    [`swarm/pipeline ${run_id} ${place.cwd}`],
  );
  await place.run();
  const events = (await place.rows()).map(({ event }) => event);
  assert.equal(events.filter((event) => event === "session.start").length, 2);
  assert.equal(
    events.filter((event) => event === "tool.before").length,
    2,
    "a step that is skipped is no call",
  );
});

test("a rule on shell lines denies a step, and the step and the run fail with the reason", async (t) => {
  const policy =
    'policy:\n  rules:\n    - { id: no-wipe, behaviour: deny, reason: "keep it", when: { command: "rm -rf" } }\n';
  for (const run of ["rm -rf build", "[rm, -rf, build]", '"sh -c \\"rm -rf build\\""']) {
    const place = await PipelinePlace.open(t, { ...one(`run: ${run}`, policy), "build/x": "" });
    const { status, reason, run_id } = await place.run();
    assert.equal(status, "failed");
    assert.match(reason ?? "", /^step a: denied by policy:no-wipe: keep it/);
    assert.deepEqual(await place.statuses(run_id), { a: "failed" });
    assert.ok(existsSync(join(place.cwd, "build/x")));
  }
});

test("a hook may rewrite what a step runs, and refuse a whole run before any of it", async (t) => {
  const rewrite = {
    verdict: "allow",
    rewrite: { tool_input: { command: "echo other > out", environment: {} } },
  };
  const place = await PipelinePlace.open(
    t,
    one("run: echo own > out, outputs: [out]", hook("tool.before", say(rewrite))),
  );
  assert.deepEqual([(await place.run()).status, place.read("out")], ["completed", "other\n"]);
  const nothing = { verdict: "allow", rewrite: { tool_input: { command: 7 } } };
  const broken = await PipelinePlace.open(t, one("run: touch out", hook("tool.before", say(nothing))));
  assert.equal((await broken.run()).reason, "step a: a hook has rewritten it to something that cannot run");
  const refusing = await PipelinePlace.open(
    t,
    one("run: touch out", hook("session.start", "echo not today >&2; exit 2")),
  );
  const { status, reason } = await refusing.run();
  assert.deepEqual([status, reason, refusing.read("out")], ["failed", "denied by watcher: not today", null]);
});

test("a step that a rule asks about waits for a person, durably, and who said yes is in the lineage", async (t) => {
  const policy = "policy:\n  rules:\n    - { id: look, behaviour: ask, when: { command: touch } }\n";
  const place = await PipelinePlace.open(t, one("run: touch out, outputs: [out]", policy));
  const lines: string[] = [];
  const waits = async () => {
    while (!lines.some((line) => /^step a waits: /.test(line)))
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const pipelines = await place.pipelines();
  const wish = { actor: "human:ann", tell: (line: string) => void lines.push(line) };
  const { run_id } = await pipelines.start("fraud", place.cwd, wish);
  await waits();
  assert.equal(place.read("out"), null);
  const approval_id = await place.decide("approved");
  const run = await pipelines.ended(run_id);
  assert.equal(run.status, "completed", run.reason ?? "");
  const { approvals } = (await (await place.models()).find("fraud")).lineage as { approvals: object[] };
  assert.partialDeepStrictEqual(approvals, [
    { approval_id, rule: "policy:look", decided_by: "human:ada", comment: "looked at it" },
  ]);
  lines.length = 0;
  const second = await pipelines.start("fraud", place.cwd, { ...wish, isForced: true });
  await waits();
  await place.decide("denied");
  assert.match(
    (await pipelines.ended(second.run_id)).reason ?? "",
    /^step a: denied by human:ada: looked at it/,
  );
});

test("a project's pipeline runs once it is approved, as it was then", async (t) => {
  const place = await PipelinePlace.open(t, fraudFiles);
  const config = fraudFiles["swarm.yaml"] ?? "";
  place.write("swarm.yaml", config.replace("sort build", "sort -r build"));
  await assert.rejects(place.run(), {
    code: "SWARM_PIPELINE_UNTRUSTED",
    message:
      /"fraud" of .*swarm\.yaml may not run: fraud\/train is changed since it was approved: look at it with swarm trust/,
  });
  place.write("swarm.yaml", config.replace('"data/*.csv"', '"/etc/*"'));
  await assert.rejects(place.run(), /may not run: fraud is changed since/);
  place.write("swarm.yaml", config);
  place.write("prepare.sh", "touch evil\n");
  await assert.rejects(place.run(), /may not run: fraud\/prepare is changed since/);
  const { hooks } = place.runtime.trust.show(await place.runtime.projects.refresh(place.cwd));
  assert.deepEqual(
    hooks.map(({ name, state, files }) => [name, state, files.map(({ path }) => path)]),
    [
      ["fraud", "trusted", []],
      ["fraud/prepare", "changed", ["prepare.sh"]],
      ["fraud/train", "trusted", []],
    ],
  );
  assert.match(
    hooks[2]?.definition.join("\n") ?? "",
    /^type: pipeline step\nrun: "sort build[\s\S]*\nenv SEED: "7"$/,
  );
  place.write("prepare.sh", fraudFiles["prepare.sh"] ?? "");
  assert.equal((await place.run()).status, "completed");
});

test("what is approved is what runs, also when the file is another one by then", async (t) => {
  // The first step changes the script of the second: what runs is the copy that was approved.
  const steps = 'a: { run: "echo echo evil > b.sh", outputs: [b.sh] }, b: { run: [sh, ./b.sh], needs: [a] }';
  const place = await PipelinePlace.open(t, {
    "swarm.yaml": `pipelines: { fraud: { steps: { ${steps} } } }\n`,
    "b.sh": "echo good > said\n",
  });
  assert.equal((await place.run()).status, "completed");
  assert.equal(place.read("said"), "good\n");
});

test("a pipeline of the user's own file runs where it says, from anywhere", async (t) => {
  const place = await PipelinePlace.open(t, { "in.txt": "1\n" });
  writeFileSync(
    join(place.home, "config.yaml"),
    `pipelines: { mine: { cwd: ${place.cwd}, model: other, steps: { a: { run: cat in.txt > out, outputs: [out] } } } }\n`,
  );
  const run = await (await place.pipelines()).start("mine", "/", { actor: "human:ann" });
  const { status, folder, model } = await (await place.pipelines()).ended(run.run_id);
  assert.deepEqual([status, folder, model, place.read("out")], ["completed", place.cwd, "other", "1\n"]);
  await assert.rejects((await place.pipelines()).start("mien", "/", { actor: "human:ann" }), {
    code: "SWARM_PIPELINE_UNKNOWN",
  });
});

test("a step gets a clean environment, its own variables, and who it runs for", async (t) => {
  process.env.SWARM_TEST_SECRET = "s";
  t.after(() => delete process.env.SWARM_TEST_SECRET);
  const place = await PipelinePlace.open(t, {
    ...one("run: 'env | grep -E \"^(SWARM_(PIPELINE|DATA|TEST)|A=)\" | sort > out', environment: { A: '1' }"),
  });
  const { run_id } = await place.run();
  assert.equal(
    place.read("out"),
    `A=1\nSWARM_PIPELINE=fraud\nSWARM_PIPELINE_RUN=${run_id}\nSWARM_PIPELINE_STEP=a\n`,
  );
});
