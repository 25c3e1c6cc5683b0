import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fraudFiles, PipelinePlace } from "./harness.cases.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("a run takes the latest data through its steps and makes a version with all it came of", async (t) => {
  const place = await PipelinePlace.open(t, fraudFiles);
  place.write("data/old.csv", "old\n");
  utimesSync(join(place.cwd, "data/old.csv"), 1, 1);
  const run = await place.run();
  assert.deepEqual([run.status, run.reason, run.version], ["completed", null, 1]);
  const text = "b\na\nc\n";
  const data = { path: join(place.cwd, "data/a.csv"), sha256: sha256(text), bytes: text.length };
  assert.deepEqual(run.data, data);
  const model = await (await place.models()).find("fraud");
  assert.deepEqual(model.metrics, { "train.auc": 0.5, "train.test.n": 3 });
  assert.equal(model.created_by, "human:ann");
  const { steps, ...lineage } = model.lineage as { steps: Record<string, unknown>[] };
  assert.deepEqual(lineage, {
    pipeline: "fraud",
    file: join(place.cwd, "swarm.yaml"),
    folder: place.cwd,
    run_id: run.run_id,
    trigger: "manual",
    started_by: "human:ann",
    data,
    code: null,
    approvals: [],
    trusted_by: ["human:test"],
  });
  assert.deepEqual(
    steps.map(({ step, status, outputs }) => [step, status, outputs]),
    [
      ["prepare", "completed", [{ path: "build/features.txt", sha256: sha256(text), bytes: 6 }]],
      [
        "train",
        "completed",
        [
          { path: "build/model.txt", sha256: sha256("a\nb\nc\n"), bytes: 6 },
          { path: "build/m.json", sha256: sha256('{"auc":0.5,"test":{"n":3}}\n'), bytes: 27 },
        ],
      ],
    ],
  );
});

test("its folder has run.json, with paths from the root, and a log for each step", async (t) => {
  const place = await PipelinePlace.open(t, {
    ...fraudFiles,
    "prepare.sh": `${fraudFiles["prepare.sh"]}echo said; echo complained >&2\n`,
  });
  const { run_id } = await place.run();
  const { outputs, lineage, status, version, metrics } = place.runFile(run_id);
  assert.deepEqual([status, version, metrics], ["completed", 1, { "train.auc": 0.5, "train.test.n": 3 }]);
  assert.equal((lineage as { run_id: string }).run_id, run_id);
  assert.deepEqual((outputs as unknown[])[0], {
    step: "prepare",
    path: join(place.cwd, "build/features.txt"),
    sha256: sha256("b\na\nc\n"),
    bytes: 6,
  });
  assert.equal(
    readFileSync(join(place.home, "pipelines", run_id, "prepare.log"), "utf8"),
    "said\ncomplained\n",
  );
});

test("steps are skipped as long as nothing they depend on changes, and run when something does", async (t) => {
  const place = await PipelinePlace.open(t, fraudFiles);
  const first = await place.run();
  const again = async (wish = {}) => {
    const { run_id, version } = await place.run(wish);
    const { prepare, train } = await place.statuses(run_id);
    return [prepare, train, version];
  };
  assert.deepEqual(await again(), ["skipped", "skipped", 1]);
  assert.equal(place.read("ran"), "prepare\ntrain\n");
  place.write("params.txt", "2\n");
  assert.deepEqual(await again(), ["skipped", "completed", 2], "an input");
  rmSync(join(place.cwd, "build/model.txt"));
  assert.deepEqual(await again(), ["skipped", "completed", 3], "an output that is gone");
  place.write("build/model.txt", "mine\n");
  assert.deepEqual(await again(), ["skipped", "completed", 4], "an output somebody has changed");
  place.write("swarm.yaml", (fraudFiles["swarm.yaml"] ?? "").replace('SEED: "7"', 'SEED: "8"'));
  await place.approve();
  assert.deepEqual(await again(), ["skipped", "completed", 5], "its environment");
  place.write("data/a.csv", "c\nd\n");
  assert.deepEqual(await again(), ["completed", "completed", 6], "the data");
  place.write("prepare.sh", `${fraudFiles["prepare.sh"]}# another\n`);
  await place.approve();
  assert.deepEqual((await again()).slice(0, 2), ["completed", "skipped"], "code that was approved with it");
  assert.deepEqual((await again({ isForced: true })).slice(0, 2), ["completed", "completed"], "force");
  const [skipped] = await (await place.pipelines()).steps((await place.run()).run_id);
  assert.notEqual(skipped?.made_by, first.run_id);
  assert.match(skipped?.made_by ?? "", /^pr_/);
});

test("a plan says what would run, what would be skipped and why, and does none of it", async (t) => {
  const place = await PipelinePlace.open(t, fraudFiles);
  const plan = async (wish = {}) => {
    const { data, steps } = await (await place.pipelines()).plan("fraud", place.cwd, wish);
    return [data?.sha256, ...steps.map(({ step, would, why }) => `${step} ${would}: ${why}`)];
  };
  const digest = sha256("b\na\nc\n");
  const unseen = "it has not run with this command, environment, data and inputs";
  assert.deepEqual(await plan(), [
    digest,
    `prepare run: ${unseen}`,
    "train run: after prepare, which would run",
  ]);
  assert.equal(place.read("ran"), null);
  const { run_id } = await place.run();
  const same = `nothing has changed since ${run_id}`;
  assert.deepEqual(await plan(), [digest, `prepare skip: ${same}`, `train skip: ${same}`]);
  const rows = (await place.rows()).length;
  rmSync(join(place.cwd, "build/model.txt"));
  assert.deepEqual((await plan())[2], "train run: build/model.txt is missing");
  assert.deepEqual((await plan({ isForced: true }))[1], "prepare run: nothing is to be skipped");
  rmSync(join(place.cwd, "params.txt"));
  assert.deepEqual((await plan())[2], "train fail: params.txt is missing");
  assert.deepEqual(
    (await plan({ data: "nowhere.csv" }))[1],
    `prepare fail: the data ${place.cwd}/nowhere.csv are missing`,
  );
  assert.equal((await place.rows()).length, rows);
});

test("what goes wrong ends the run with the step and the reason, and what does not depend on it is done", async (t) => {
  const failing = async (step: string, files = {}) => {
    const place = await PipelinePlace.open(t, {
      "swarm.yaml": `pipelines:\n  fraud:\n    steps:\n      beside: { run: echo beside > beside, outputs: [beside] }\n      broken: { ${step} }\n      after: { run: echo after > after, needs: [broken] }\n`,
      ...files,
    });
    const { status, reason, version, run_id } = await place.run();
    assert.deepEqual(
      [status, version, place.read("beside"), place.read("after")],
      ["failed", null, "beside\n", null],
    );
    assert.deepEqual(await place.statuses(run_id), { beside: "completed", broken: "failed" });
    return reason;
  };
  assert.equal(await failing("run: exit 3"), "step broken: exit code 3");
  assert.equal(
    await failing("run: 'true', outputs: [x]"),
    "step broken: it ended well, but its output x is missing",
  );
  assert.equal(
    await failing("run: sleep 600, timeout_s: 0.1"),
    "step broken: ended after 0.1 s, its timeout",
  );
  assert.match((await failing("run: [no-such-program]")) ?? "", /^step broken: it could not be started: /);
  assert.equal(await failing("run: 'true', inputs: [y]"), "step broken: y is missing");
  const metrics = 'run: \'echo "{\\"a\\": \\"b\\"}" > m.json\', metrics: m.json';
  assert.equal(await failing(metrics), 'step broken: m.json: "a" is a text, expected a number');
  const leaving = "run: ln -s ../key.json m.json, metrics: m.json";
  assert.equal(
    await failing(leaving, { "../key.json": '{"hunter2": "hunter2"}' }),
    "step broken: m.json could not be read as JSON: leads out of the folder it has to lie in",
  );
  const inside = "run: echo hunter2 > m.json, metrics: m.json";
  assert.equal(
    await failing(inside),
    "step broken: m.json could not be read as JSON: it holds something else",
  );
});

test("a step that fails is tried again as often as it says", async (t) => {
  const place = await PipelinePlace.open(t, {
    "swarm.yaml":
      "pipelines: { fraud: { steps: { a: { run: 'echo x >> tries; test $(wc -l < tries) = 3', retries: 2 } } } }",
  });
  const { status, run_id } = await place.run();
  const [step] = await (await place.pipelines()).steps(run_id);
  assert.deepEqual([status, step?.tries, step?.exit_code], ["completed", 3, 0]);
});

test("data may be what a command prints, and a run without any is failed", async (t) => {
  const config = (data: string) =>
    `pipelines: { fraud: { data: { ${data} }, steps: { a: { run: 'cat "$SWARM_DATA" > out', outputs: [out] } } } }`;
  const place = await PipelinePlace.open(t, {
    "swarm.yaml": config("command: 'echo looking; echo d.txt'"),
    "d.txt": "1\n",
  });
  const run = await place.run();
  assert.deepEqual([run.status, run.data?.path], ["completed", join(place.cwd, "d.txt")]);
  place.write("other.txt", "2\n");
  assert.equal((await place.run({ data: "other.txt" })).data?.sha256, sha256("2\n"));
  place.write("swarm.yaml", config("command: 'true'"));
  await place.approve();
  assert.equal((await place.run()).reason, 'the command that looks for the data printed "", expected a path');
  place.write("swarm.yaml", config("pattern: 'none/*'"));
  await place.approve();
  assert.equal((await place.run()).reason, "no data are found: nothing matches none/*");
});

test("independent steps run side by side, no more of them than the pipeline says", async (t) => {
  // Each waits until another is there; the third finds nobody left to wait for.
  const wait = (name: string, other: string) =>
    `${name}: { run: 'touch ${name}; while [ ! -e ${other} ]; do sleep 0.01; done; ls a b c 2>/dev/null | wc -l > ${name}.n' }`;
  const place = await PipelinePlace.open(t, {
    "swarm.yaml": `pipelines: { fraud: { max_parallel: 2, steps: { ${wait("a", "b")}, ${wait("b", "a")}, c: { run: touch c } } } }`,
  });
  assert.equal((await place.run()).status, "completed");
  assert.deepEqual([place.read("a.n"), place.read("b.n")].includes("2\n"), true);
});

test("a second run of a pipeline is refused while one is under way, in this process and in another", async (t) => {
  const place = await PipelinePlace.open(t, {
    "swarm.yaml":
      "pipelines: { fraud: { steps: { a: { run: 'touch on; while [ ! -e go ]; do sleep 0.01; done' } } } }",
  });
  const pipelines = await place.pipelines();
  const { run_id } = await pipelines.start("fraud", place.cwd, { actor: "human:ann" });
  const busy = {
    code: "SWARM_PIPELINE_BUSY",
    message: `run ${run_id} of pipeline "fraud" is under way, expected none`,
  };
  await assert.rejects(place.run(), busy);
  const other = await place.another();
  try {
    const { pipelines: theirs } = await other.pipelines.open();
    await assert.rejects(theirs.start("fraud", place.cwd, { actor: "human:bob" }), busy);
    await assert.rejects(theirs.cancel(run_id, "human:bob"), { code: "SWARM_PIPELINE_ELSEWHERE" });
    await assert.rejects(theirs.resume(run_id, { actor: "human:bob" }), { code: "SWARM_PIPELINE_BUSY" });
  } finally {
    await other.close();
  }
  place.write("go", "");
  assert.equal((await pipelines.ended(run_id)).status, "completed");
  await assert.rejects(pipelines.cancel(run_id, "human:ada"), { code: "SWARM_PIPELINE_RUN_ENDED" });
});

test("a run that is cancelled ends with all its programs, and can be resumed after its last finished step", async (t) => {
  const steps =
    "a: { run: 'echo a >> ran; touch o', outputs: [o] }, b: { run: 'echo b >> ran; test -e go || { touch on; sleep 600; }', needs: [a] }";
  const place = await PipelinePlace.open(t, {
    "swarm.yaml": `pipelines: { fraud: { steps: { ${steps} } } }`,
  });
  const pipelines = await place.pipelines();
  const { run_id } = await pipelines.start("fraud", place.cwd, { actor: "human:ann", isForced: true });
  while (place.read("on") === null) await new Promise((resolve) => setTimeout(resolve, 5));
  const cancelled = await pipelines.cancel(run_id, "human:ada");
  assert.deepEqual([cancelled.status, cancelled.reason], ["cancelled", "cancelled by human:ada"]);
  assert.deepEqual(await place.statuses(run_id), { a: "completed", b: "cancelled" });
  place.write("go", "");
  const resumed = await place.resume(run_id);
  assert.deepEqual([resumed.status, resumed.actor, resumed.version], ["completed", "human:bob", 1]);
  assert.equal(place.read("ran"), "a\nb\nb\n");
  await assert.rejects(place.resume(run_id), { code: "SWARM_PIPELINE_RUN_ENDED" });
  await assert.rejects(place.resume("pr_none"), { code: "SWARM_PIPELINE_RUN_UNKNOWN" });
});

test("a run whose data have changed meanwhile is not gone on with", async (t) => {
  const place = await PipelinePlace.open(t, { ...fraudFiles, "prepare.sh": "exit 1\n" });
  const { run_id } = await place.run();
  place.write("data/a.csv", "other\n");
  const { status, reason } = await place.resume(run_id);
  assert.equal(status, "failed");
  assert.match(reason ?? "", /a\.csv have changed since the run began: start a new one$/);
});
