import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { bin, gone, Place, trustedPlace } from "./harness.ts";

const example = join(import.meta.dirname, "../../examples/pipelines");

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly version: number | null;
  readonly reason: string | null;
  readonly steps: readonly {
    readonly step: string;
    readonly status: string;
    readonly exit_code: number | null;
  }[];
}

/** The worked example of docs/pipelines.md, approved. */
async function fraudPlace(t: TestContext): Promise<Place> {
  const place = new Place(t);
  cpSync(example, place.project, { recursive: true, filter: (path) => !path.endsWith("/build") });
  await place.trust();
  return place;
}

test("the worked example is planned, run, skipped, shown and promoted", async (t) => {
  const place = await fraudPlace(t);
  const planned = await place.swarm("pipelines", "run", "fraud", "--dry-run");
  assert.equal(planned.status, 0, planned.stderr);
  assert.match(planned.stdout, /^data .*transactions-2026-04\.csv \(\d+ bytes, SHA-256 [0-9a-f]{64}\)\n/);
  assert.match(planned.stdout, /\nprepare +run +it has not run with this command/);
  assert.match(planned.stdout, /\ntrain +run +after prepare, which would run\n/);
  const { status, stdout, stderr } = await place.swarm("pipelines", "run", "fraud");
  assert.deepEqual([status, stderr], [0, ""], stdout);
  assert.match(stdout, /^run pr_\w+ of pipeline fraud: completed, version 1 of model fraud\n/);
  const again = await place.json<Run>("pipelines", "run", "fraud");
  assert.deepEqual([again.version, [...new Set(again.steps.map((step) => step.status))]], [1, ["skipped"]]);
  const forced = await place.json<Run>("pipelines", "run", "fraud", "--force");
  assert.equal(forced.version, 2);
  const listed = await place.swarm("pipelines", "list");
  assert.match(listed.stdout, /^PIPELINE .*\nfraud +fraud +prepare train profile evaluate +yes\n/);
  const log = await place.swarm("pipelines", "show", forced.run_id, "--log", "prepare");
  assert.equal(log.stdout, "160 transactions\n");
  const shown = await place.swarm("models", "show", "fraud", "--version", "1");
  assert.match(shown.stdout, /^model +fraud, version 1\nmade .* by human:/);
  assert.match(shown.stdout, /\nmetrics +evaluate\.accuracy=0\.\d+ /);
  assert.match(shown.stdout, /\ntrain +build\/model\.json +\d+ +[0-9a-f]{64} +pr_/);
  assert.equal((await place.swarm("models", "promote", "fraud", "1", "--stage", "staging")).status, 0);
  const waiting = await place.swarm("models", "promote", "fraud", "1", "--stage", "production");
  assert.equal(waiting.status, 75);
  const approval =
    /swarm approvals approve (apr_\w+)/.exec(waiting.stdout)?.[1] ?? assert.fail(waiting.stdout);
  await place.json("approvals", "approve", approval);
  const promoted = await place.swarm("models", "promote", "fraud", "1", "--stage", "production");
  assert.equal(promoted.stdout, "version 1 stands for fraud at production\n");
  assert.match((await place.swarm("models", "list")).stdout, /\nfraud +2 +2 +\S+ +production=1 staging=1\n/);
  const verified = await place.swarm("audit", "verify");
  assert.equal(verified.status, 0, verified.stdout);
});

test("a job that retrains is made as the documentation says, and a wrong one is refused by its field", async (t) => {
  const place = await fraudPlace(t);
  const create = (config: string, ...more: string[]) =>
    place.swarm(
      "cron",
      "create",
      "--name",
      "n",
      "--schedule",
      "0 2 * * *",
      "--task",
      "retrain",
      "--config",
      config,
      ...more,
    );
  const refused = await create('{"pipeline": "frod"}');
  assert.equal(refused.status, 64);
  assert.match(
    refused.stderr,
    /config of task retrain: pipeline is "frod", expected fraud in .*\[SWARM_OPTION_INVALID\]/,
  );
  assert.match(
    (await create('{"force": "yes", "pipeline": "fraud"}')).stderr,
    /force is "yes", expected true or false/,
  );
  const made = await create('{"pipeline": "fraud"}');
  assert.equal(made.status, 0, made.stderr);
  const ran = await place.swarm("cron", "run", "n", "--wait");
  assert.equal(ran.status, 0, ran.stdout);
  assert.match(ran.stdout, /\nstep train is completed\n[\s\S]*is completed, version 1 of model fraud\n/);
});

const slow = `pipelines:
  fraud:
    steps:
      first: { run: 'echo first >> ran; touch made', outputs: [made] }
      second:
        run: 'echo second >> ran; test -e go || { echo $$ > pid; sleep 600; }; touch last'
        needs: [first]
        outputs: [last]
`;

test("a run whose process is killed is interrupted, leaves nothing running, and is resumed after its last step", async (t) => {
  const place = await trustedPlace(t, slow);
  const child = place.start(process.execPath, [bin, "pipelines", "run", "fraud", "--force"]);
  const pid = Number(await place.written("pid"));
  child.kill("SIGKILL");
  await once(child, "exit");
  const { runs } = await place.json<{ runs: Run[] }>("pipelines", "list");
  const [run] = runs;
  assert.deepEqual([runs.length, run?.status], [1, "interrupted"]);
  await gone(pid);
  writeFileSync(join(place.project, "go"), "");
  const resumed = await place.json<Run>("pipelines", "run", "--resume", run?.run_id ?? "");
  assert.deepEqual([resumed.run_id, resumed.status, resumed.version], [run?.run_id, "completed", 1]);
  assert.equal(readFileSync(join(place.project, "ran"), "utf8"), "first\nsecond\nsecond\n");
  const verified = await place.swarm("audit", "verify");
  assert.equal(verified.status, 0, verified.stdout);
});

test("a daemon that is killed goes on with the run when the job is tried again", async (t) => {
  const place = await trustedPlace(t, slow);
  const { child } = await place.up();
  const job = [
    "--name",
    "n",
    "--schedule",
    "@yearly",
    "--task",
    "retrain",
    "--config",
    '{"pipeline": "fraud"}',
  ];
  await place.json("cron", "create", ...job, "--retries", "1", "--backoff", "1");
  await place.json("cron", "run", "n");
  await place.written("pid");
  child.kill("SIGKILL");
  await once(child, "exit");
  writeFileSync(join(place.project, "go"), "");
  await place.up();
  let runs: readonly Run[] = [];
  do {
    ({ runs } = await place.json<{ runs: Run[] }>("pipelines", "list"));
  } while (runs[0]?.status !== "completed");
  assert.equal(runs.length, 1);
  assert.equal(readFileSync(join(place.project, "ran"), "utf8"), "first\nsecond\nsecond\n");
});

test("Ctrl-C ends a run of this process with all its programs", async (t) => {
  const place = await trustedPlace(t, slow);
  const child = place.start(process.execPath, [bin, "pipelines", "run", "fraud"]);
  let printed = "";
  child.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  const pid = Number(await place.written("pid"));
  child.kill("SIGINT");
  const [status] = (await once(child, "exit")) as [number | null];
  assert.deepEqual([status, /: cancelled\n/.test(printed)], [1, true], printed);
  await gone(pid);
});

test("a daemon that is stopped ends its runs with all their programs, and they can be resumed", async (t) => {
  const place = await trustedPlace(t, slow);
  const { child, ended } = await place.up();
  const { run_id } = await place.json<Run>("pipelines", "run", "fraud", "--detach");
  const pid = Number(await place.written("pid"));
  child.kill("SIGINT");
  child.kill("SIGINT"); // the second does not wait
  await ended;
  await gone(pid);
  const run = await place.json<Run>("pipelines", "show", run_id);
  assert.deepEqual(
    [run.status, run.steps.map(({ status }) => status)],
    ["interrupted", ["completed", "interrupted"]],
  );
  writeFileSync(join(place.project, "go"), "");
  assert.equal((await place.json<Run>("pipelines", "run", "--resume", run_id)).status, "completed");
});
