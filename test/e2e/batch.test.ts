import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { slowUntil } from "../../src/operations/batch/harness.cases.ts";
import { bin, endOf, noTerminal, onTerminal, Place, until } from "./harness.ts";

interface Run {
  readonly run_id: string;
  readonly state: string;
  readonly leg: number;
  readonly done_count: number;
  readonly failed_count: number;
  readonly reason: string | null;
  readonly output: string;
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `{"record_id":"r${at}","value":${at}}\n`).join("");

function idsIn(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { record_id: string }).record_id);
}

const ids = (count: number) => Array.from({ length: count }, (_, at) => `r${at}`);

/** A processor that takes 10 ms for each record: what others do takes less time than looking at it. */
const slowly = JSON.stringify({ command: ["sh", "-c", "while read -r line; do sleep 0.01; echo {}; done"] });

/** Starts a command line, and tells what it has printed to stderr so far. */
function started(place: Place, ...args: string[]) {
  const child = place.start(process.execPath, [bin, ...args]);
  let told = "";
  child.stderr?.on("data", (chunk) => {
    told += chunk;
  });
  return { child, ended: endOf(child), told: () => told };
}

suite("swarm batch without a daemon", () => {
  test("runs a file to its end, and lists, shows, prints and forgets the run", async (t) => {
    const place = new Place(t);
    place.write("records.jsonl", `${lines(500)}not JSON\n`);
    const base = ["batch", "submit", "--input", "records.jsonl", "--processor", "echo"];
    const ran = await place.swarm(...base, "--run-id", "r1", "--name", "scores", "--output", "out");
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(
      ran.stdout,
      /^r1 completed_with_errors: 1 of 501 records failed, see errors\.jsonl\n500 done, 1 failed, [\d.]+ s\nresults: \S+\/out\/results\.jsonl\nerrors: /,
    );
    assert.match(ran.stderr, /^r1 \d+ (% \d+ )?records/, "plain lines where there is no terminal");
    assert.ok(existsSync(join(place.project, "out/stats.json")));
    const { stdout } = await place.swarm("batch", "results", "r1");
    assert.deepEqual(idsIn(stdout), ids(500));
    const { stdout: errors } = await place.swarm("batch", "results", "r1", "--errors");
    assert.equal(JSON.parse(errors).error.class, "invalid_json");
    const listed = (await place.swarm("batch", "list")).stdout.split("\n");
    assert.match(
      listed[0] ?? "",
      /^RUN_ID +STATE +PROCESSOR +DONE +FAILED +OF IT +RATE +DRIFT +CREATED +REASON$/,
    );
    assert.match(listed[1] ?? "", /^r1 +completed_with_errors +echo +500 +1 +100 % /);
    const report = await place.swarm("batch", "report", "r1");
    assert.match(report.stdout, /^run +r1, completed_with_errors: /);
    assert.match(report.stdout, /^error classes +invalid_json 1$/m);
    const told = await place.json<{ stats: { counts: object } }>("batch", "report", "r1");
    assert.deepEqual(told.stats.counts, { records: 501, done: 500, failed: 1 });
    const taken = await place.swarm(...base, "--run-id", "r1");
    assert.deepEqual([taken.status, taken.stdout], [65, ""]);
    assert.match(taken.stderr, /\[SWARM_BATCH_RUN_TAKEN\]\n$/);
    const detached = await place.swarm(...base, "--detach");
    assert.match(detached.stderr, /--detach needs a daemon.*\[SWARM_BATCH_NOTHING_FOLLOWS\]\n$/);
    assert.equal((await place.swarm("batch", "cancel", "r1", "--purge")).stdout, "r1 is forgotten\n");
    assert.equal((await place.swarm("batch", "list")).stdout, "no batch runs\n");
    assert.ok(existsSync(join(place.project, "records.jsonl")));
    assert.ok(!existsSync(join(place.project, "out")));
  });

  test("calls a function of the project's for each record, once a rule lets it", async (t) => {
    const rule =
      "{ id: no-code, behaviour: deny, when: { event: batch.started, kind: custom|command }, reason: runs code }";
    const place = new Place(t, `policy: { rules: [${rule}] }\n`);
    place.write("records.jsonl", lines(20));
    place.write(
      "score.mjs",
      "export const score = ({ value }) => {\n  if (value === 7) throw new Error('seven');\n  return value * 2;\n};\n",
    );
    const config = JSON.stringify({ function: "./score.mjs:score" });
    const base = ["batch", "submit", "--input", "records.jsonl", "--processor", "custom", "--config", config];
    const denied = await place.swarm(...base, "--run-id", "r1");
    assert.deepEqual([denied.status, denied.stdout], [65, ""]);
    assert.match(
      denied.stderr,
      /does not run: denied by policy:no-code: runs code \[no-code\] \[SWARM_BATCH_DENIED\]\n$/,
    );
    place.write("swarm.yaml", "hooks: []\n");
    place.write("twice.jsonl", lines(3) + lines(5));
    const twice = ["batch", "submit", "--input", "twice.jsonl", "--processor", "echo", "--run-id", "twice"];
    assert.equal((await place.swarm(...twice, "--dedupe")).status, 0);
    assert.deepEqual(idsIn((await place.swarm("batch", "results", "twice")).stdout), ids(5));
    assert.match(
      (await place.swarm("batch", "report", "twice")).stdout,
      /^duplicates +records 3, ids 3, skipped 3$/m,
    );
    const submitted = await place.swarm(...base, "--run-id", "r1", "--json");
    const run = JSON.parse(submitted.stdout) as Run & { readonly can_resume: boolean };
    assert.deepEqual([submitted.status, run.state, run.can_resume], [1, "completed_with_errors", false]);
    assert.deepEqual(
      [run.reason, run.done_count, run.failed_count],
      ["1 of 20 records failed, see errors.jsonl", 19, 1],
    );
    const watched = await place.swarm("batch", "watch", "r1");
    assert.equal(watched.status, 1);
    assert.match(
      watched.stdout,
      /^r1 completed_with_errors: 1 of 20 .*\nerrors: .*\/errors\.jsonl, by class: swarm batch report r1\n$/s,
    );
    assert.doesNotMatch(watched.stdout, /resume/);
    assert.match(
      (await place.swarm("batch", "report", "r1")).stdout,
      /\nerrors +\/.*\/errors\.jsonl\n.*\nerror classes +thrown 1\n/s,
    );
    const resumed = await place.swarm("batch", "resume", "r1");
    assert.equal(resumed.status, 65);
    assert.match(resumed.stderr, /is completed_with_errors, .*records that failed are not tried again/);
    const { stdout } = await place.swarm("batch", "results", "r1");
    assert.deepEqual(JSON.parse(stdout.split("\n")[3] ?? ""), { record_id: "r3", output: 6 });
    const { stdout: errors } = await place.swarm("batch", "results", "r1", "--errors");
    const { record_id, error } = JSON.parse(errors);
    assert.deepEqual([record_id, error.class], ["r7", "thrown"]);
  });

  test("reads what is piped into it, plain or compressed", async (t) => {
    const place = new Place(t);
    for (const [id, text] of [
      ["plain", Buffer.from(lines(40))],
      ["gzip", gzipSync(lines(40))],
    ] as const) {
      const args = ["batch", "submit", "--input", "-", "--processor", "echo", "--run-id", id, "--json"];
      const { child, ended } = started(place, ...args);
      child.stdin?.end(text);
      const { status, stdout, stderr } = await ended;
      assert.deepEqual([status, stderr], [0, ""]);
      const run = JSON.parse(stdout) as Run;
      assert.deepEqual([run.state, run.done_count], ["completed", 40]);
    }
  });

  test("that waits for an approval keeps its question when it is told to stop, and goes on once it is given", async (t) => {
    const place = new Place(t);
    place.write("records.jsonl", lines(10));
    const rule = "{ id: look, behaviour: ask, reason: somebody looks, when: { event: batch.started } }";
    mkdirSync(place.home, { mode: 0o700 });
    writeFileSync(join(place.home, "config.yaml"), `policy: { rules: [${rule}] }\n`);
    const base = ["batch", "submit", "--input", "records.jsonl", "--processor", "echo", "--run-id", "r1"];
    const { child, ended, told } = started(place, ...base);
    await until(() => told().includes("waits"));
    child.kill("SIGINT");
    const { status, stdout } = await ended;
    assert.equal(status, 130);
    assert.equal(
      stdout,
      "r1 has not begun and still waits for its approval (swarm approvals list); go on with: swarm batch resume r1\n",
    );
    const { items } = await place.json<{ items: { id: string; status: string }[] }>("approvals", "list");
    assert.deepEqual(
      items.map((item) => item.status),
      ["pending"],
    );
    await place.swarm("approvals", "approve", items[0]?.id ?? "");
    const resumed = await place.swarm("batch", "resume", "r1");
    assert.equal(resumed.status, 0, resumed.stderr);
  });

  test("stops at a checkpoint when it is told to, says how to go on, and goes on", async (t) => {
    const place = new Place(t);
    place.write("records.jsonl", lines(400));
    const base = ["batch", "submit", "--input", "records.jsonl", "--run-id", "r1", "--chunk-records", "5"];
    const { child, ended, told } = started(place, ...base, "--processor", "command", "--config", slowly);
    await until(() => told().includes("records"));
    child.kill("SIGINT");
    const { status, stdout } = await ended;
    assert.deepEqual(
      [status, stdout],
      [130, "r1 stopped at a checkpoint; go on with: swarm batch resume r1\n"],
    );
    const stopped = await place.json<Run>("batch", "status", "r1");
    assert.deepEqual([stopped.state, stopped.leg], ["interrupted", 1]);
    const resumed = await place.swarm("batch", "resume", "r1");
    assert.equal(resumed.status, 0, resumed.stderr);
    const run = await place.json<Run>("batch", "status", "r1");
    assert.deepEqual([run.state, run.leg, run.done_count], ["completed", 2, 400]);
    const results = readFileSync(join(run.output, "results.jsonl"), "utf8");
    assert.deepEqual(idsIn(results), ids(400));
    const again = await place.swarm("batch", "resume", "r1");
    assert.match(again.stderr, /r1" is completed, expected one that failed.*\[SWARM_BATCH_RUN_STATE\]\n$/);
  });

  test("says what is wrong with what it is given", async (t) => {
    const place = new Place(t);
    for (const [args, status, words] of [
      [["submit", "--input", "x", "--processor", "echo"], 65, /x cannot be read.*UNREADABLE/],
      [["submit", "--input", "x", "--processor", "ecco"], 65, /did you mean "echo"/],
      [["submit", "--input", "x", "--processor", "echo", "--run-id", "a b"], 64, /letters, digits, _ and -/],
      [["status", "none"], 64, /there is no batch run "none"/],
      [["results", "none"], 64, /there is no batch run "none"/],
    ] as const) {
      const ended = await place.swarm("batch", ...args);
      assert.deepEqual([ended.status, ended.stdout], [status, ""], args.join(" "));
      assert.match(ended.stderr, words);
    }
  });
});

suite("swarm batch with a daemon", () => {
  test("leaves a run to it, watches, prints results as they come, cancels and resumes", async (t) => {
    const place = new Place(t);
    await place.up();
    place.write("records.jsonl", lines(60_000));
    const base = ["batch", "submit", "--input", "records.jsonl", "--processor", "echo"];
    const begun = await place.json<Run>(...base, "--run-id", "r1", "--detach");
    assert.equal(begun.state, "running");
    const followed = await place.swarm("batch", "results", "r1", "--follow");
    assert.deepEqual(idsIn(followed.stdout), ids(60_000));
    const watched = await place.swarm("batch", "watch", "r1", "--json");
    const last = JSON.parse(watched.stdout.trim().split("\n").at(-1) ?? "") as Run;
    assert.deepEqual([last.state, last.done_count], ["completed", 60_000]);

    place.write("few.jsonl", lines(1_000));
    const { processor, config } = slowUntil(join(place.project, "seen"));
    const slow = ["batch", "submit", "--input", "few.jsonl", "--processor", processor, "--config"];
    const { child, ended, told } = started(
      place,
      ...slow,
      JSON.stringify(config),
      "--run-id",
      "r2",
      "--chunk-records",
      "5",
    );
    await until(() => told().includes("records"));
    child.kill("SIGINT");
    const left = await ended;
    assert.equal(left.status, 130);
    assert.match(left.stdout, /^r2 goes on in the daemon; look at it with: swarm batch watch r2\n$/);
    const cancelled = await place.swarm("batch", "cancel", "r2");
    assert.match(cancelled.stdout, /^r2 cancelled: cancelled by human:/);
    place.write("seen", "");
    const resumed = await place.swarm("batch", "resume", "r2");
    assert.equal(resumed.status, 0, resumed.stderr);
    assert.match(resumed.stdout, /^r2 completed\n1,000 done, 0 failed/);
    const log = await place.json<{ items: { event: string; kind: string }[] }>(
      "audit",
      "log",
      "--limit",
      "50",
    );
    const kinds = log.items.map(({ event, kind }) => `${kind} ${event}`);
    assert.equal(kinds.filter((row) => row === "intent batch.started").length, 3);
    assert.equal(kinds.filter((row) => row === "outcome batch.started").length, 3);
    assert.ok(kinds.includes("change batch.cancelled"));
    const { status } = await place.swarm("audit", "verify");
    assert.equal(status, 0);
  });

  test("pipes what is piped into it on to it, and hears its no before the end", async (t) => {
    const place = new Place(t);
    await place.up();
    const args = ["batch", "submit", "--input", "-", "--processor", "echo", "--run-id", "r1"];
    const { child, ended } = started(place, ...args);
    child.stdin?.end(lines(30));
    assert.equal((await ended).status, 0);
    const again = started(place, ...args);
    again.child.stdin?.on("error", () => undefined);
    again.child.stdin?.end(lines(100_000));
    const { status, stderr } = await again.ended;
    assert.equal(status, 65);
    assert.match(stderr, /\[SWARM_BATCH_RUN_TAKEN\]\n$/);
  });

  test("cancels a run that another process follows", async (t) => {
    const place = new Place(t);
    place.write("records.jsonl", lines(6_000));
    const base = [
      "batch",
      "submit",
      "--input",
      "records.jsonl",
      "--processor",
      "command",
      "--config",
      slowly,
    ];
    const { ended, told } = started(place, ...base, "--run-id", "r1", "--chunk-records", "5");
    await until(() => told().includes("records"));
    await place.up();
    const cancelled = await place.swarm("batch", "cancel", "r1");
    assert.equal(cancelled.status, 0, cancelled.stderr);
    const { status, stdout } = await ended;
    assert.equal(status, 1);
    assert.match(stdout, /^r1 cancelled/);
  });
});

test("on a terminal a bar shows how far a run has come, with rate and time left", {
  skip: noTerminal,
}, async (t) => {
  const place = new Place(t);
  place.write("records.jsonl", lines(300));
  const args = ["batch", "submit", "--input", "records.jsonl", "--processor", "command", "--config", slowly];
  const { status, stdout } = await endOf(onTerminal(place, [...args, "--chunk-records", "5"]));
  assert.equal(status, 0);
  assert.match(stdout, /K\[#*-*\] \d+ % [\d,]+ records, [\d,]+\/s, \d+:\d\d left/);
  assert.match(stdout, /completed\r\n300 done, 0 failed/);
});

test("the examples of the first document are taken as they stand", async (t) => {
  const place = new Place(t);
  place.write("transactions_20260415.jsonl", lines(3));
  const script = `swarm batch submit \\
  --input transactions_20260415.jsonl \\
  --processor inference \\
  --config '{"model_path": "models/fraud_v3.joblib"}' \\
  --concurrency 8
`;
  const line = (text: string) => `swarm() { "${process.execPath}" "${bin}" "$@"; }\n${text}`;
  const ended = await endOf(place.start("bash", ["-c", line(script)]));
  // There is no such model here: what is missing is said, and nothing is left of the run.
  assert.notEqual(ended.status, 0);
  assert.match(ended.stderr + ended.stdout, /inference|fraud_v3\.joblib/);
  const submitted = await place.swarm(
    "batch",
    ...["submit", "--input", "transactions_20260415.jsonl", "--processor", "echo", "--run-id", "run_id"],
  );
  assert.equal(submitted.status, 0);
  const resumed = await endOf(place.start("bash", ["-c", line("swarm batch resume run_id")]));
  assert.match(resumed.stderr, /is completed, expected one that failed, was cancelled or interrupted/);
});
