import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "../../handlers/process/harness.cases.ts";
import { readCheckpoint } from "./checkpoint-file.ts";
import { EarlyFile } from "./early-file.ts";
import { idsOf, testRun } from "./harness.cases.ts";
import type { RunSpec } from "./run-spec.ts";
import { startBatch } from "./start-batch.ts";

const { env } = process;
const sandbox = "off";

/** Takes 20 to 45 ms; leaves a file when it begins a record, one when it has done it, and waits for `go` where told to. */
const node = `
  import { existsSync, writeFileSync } from "node:fs";
  import { setTimeout as pause } from "node:timers/promises";
  let [began, ended] = [0, 0];
  const leave = (what, id, at) => writeFileSync(\`log/\${id}.\${what}.\${process.pid}.\${at}\`, "");
  export async function score({ record_id, stays, n }) {
    leave("began", record_id, began++);
    while (stays && !existsSync("go")) await pause(5);
    await pause(20 + (n % 6) * 5);
    leave("done", record_id, ended++);
    return n;
  }`;

const python = `
import os, time
began = ended = 0
def leave(what, record, at):
    open("log/%s.%s.%d.%d" % (record["record_id"], what, os.getpid(), at), "w").close()
def score(record):
    global began, ended
    leave("began", record, began)
    began += 1
    while record.get("stays") and not os.path.exists("go"):
        time.sleep(0.005)
    time.sleep((20 + record["n"] % 6 * 5) / 1000)
    leave("done", record, ended)
    ended += 1
    return record["n"]`;

/** The same in sh, with the fields where the records below have them. */
const program = `n=0; while read -r line; do n=$((n+1)); id=\${line#*:\\"}; id=\${id%%\\"*}
  : > log/$id.began.$$.$n
  case $line in *stays*) while [ ! -e go ]; do sleep 0.01; done;; esac
  sleep 0.03; : > log/$id.done.$$.$n; echo 1; done`;

const functions = {
  node: { processor: "custom", config: { function: "./slow.mjs:score" } },
  python: { processor: "custom", config: { function: "./slow.py:score" } },
  command: { processor: "command", config: { command: program } },
} as const;

/** A run over so many records, of which some stay until they are let go. */
function slowRun(t: TestContext, count: number, stays: (n: number) => boolean, given: Partial<RunSpec>) {
  const lines = Array.from({ length: count }, (_, n) => {
    return `${JSON.stringify({ record_id: `r${n}`, n, ...(stays(n) && { stays: true }) })}\n`;
  });
  const { spec, folder } = testRun(t, lines.join(""), given);
  writeFileSync(join(folder, "slow.mjs"), node);
  writeFileSync(join(folder, "slow.py"), python);
  mkdirSync(join(folder, "log"));
  const logged = (what: string) =>
    readdirSync(join(folder, "log"))
      .map((name) => name.split("."))
      .filter(([, kind]) => kind === what)
      .map(([id = ""]) => id);
  return {
    spec,
    start: (is_resumed: boolean) => startBatch({ spec, sandbox, is_resumed }, { env }),
    began: () => logged("began"),
    done: () => logged("done"),
    letGo: () => writeFileSync(join(folder, "go"), ""),
  };
}

/** How many results a process that is killed now leaves for the one that goes on, in their place or before their turn. */
async function durable(spec: RunSpec): Promise<number> {
  try {
    const saved = readCheckpoint(spec.output, spec.run_id);
    if (saved === null) return 0;
    const { early, input_bytes, done_count } = saved;
    const waiting = early === null ? [] : await EarlyFile.read(spec.output, early, input_bytes);
    return waiting.reduce((sum, { end }) => sum + end.doneCount, done_count);
  } catch {
    return 0; // replaced while it was read
  }
}

const ids = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);
const repeated = (list: readonly string[]) => list.filter((id, at) => list.indexOf(id) !== at).sort();

/** Waits until every worker stands at a record that stays: all before those are done. */
async function untilAllStay(run: ReturnType<typeof slowRun>, staying: readonly string[]): Promise<void> {
  await eventually(
    () => (staying.every((id) => run.began().includes(id)) ? true : null),
    `${staying.join()} never began`,
  );
}

for (const order of ["record", "completion"] as const) {
  test(`kill -9 repeats no record that was finished before the last checkpoint: 4 workers, results in the order of ${order}`, async (t) => {
    // The first record outlasts all others, and no result but its own can be written in order.
    const stays = (n: number) => n === 0 || n >= 24;
    const run = slowRun(t, 40, stays, { ...functions.node, order, chunk_records: 1, concurrency: 4 });
    const first = run.start(false);
    await untilAllStay(run, ["r0", "r24", "r25", "r26"]);
    for (let looks = 0; (await durable(run.spec)) < 23; looks++) {
      assert.ok(looks < 4_000, "23 records are finished, and no checkpoint says so");
      await pause(5);
    }
    process.kill(first.pid ?? 0, "SIGKILL");
    const lost = await first.ended;
    assert.equal(lost.type === "failed" && lost.code, "SWARM_BATCH_RUNNER_LOST");
    run.letGo();
    const end = await run.start(true).ended;
    assert.equal(end.type, "completed", JSON.stringify(end));
    assert.deepEqual(
      order === "record" ? idsOf(run.spec) : new Set(idsOf(run.spec)),
      order === "record" ? ids(40) : new Set(ids(40)),
    );
    assert.equal(idsOf(run.spec).length, 40);
    assert.deepEqual(repeated(run.done()), []);
  });
}

for (const [name, given] of Object.entries(functions)) {
  test(`a run that is told to stop loses no finished record, also of a chunk that is not done: ${name}`, async (t) => {
    const run = slowRun(t, 60, (n) => n % 20 === 12, { ...given, chunk_records: 20, concurrency: 3 });
    const first = run.start(false);
    await untilAllStay(run, ["r12", "r32", "r52"]);
    first.stop();
    const stopped = await first.ended;
    assert.equal(stopped.type, "stopped");
    assert.equal(stopped.checkpoint?.done_count, 12);
    assert.equal(run.done().length, 36);
    run.letGo();
    const end = await run.start(true).ended;
    assert.equal(end.type, "completed", JSON.stringify(end));
    assert.deepEqual(idsOf(run.spec), ids(60));
    assert.deepEqual(repeated(run.done()), []);
  });
}

test("24 slow records are shared by eight workers", async (t) => {
  // Eight of them have to be under way at once, or none would ever end.
  const run = slowRun(t, 24, (n) => n < 8, { ...functions.node, concurrency: 8 });
  const running = run.start(false);
  await untilAllStay(run, ids(8));
  run.letGo();
  assert.equal((await running.ended).type, "completed");
  assert.deepEqual(idsOf(run.spec), ids(24));
});

test("a checkpoint is made at least every ten slow records", async (t) => {
  const { spec } = slowRun(t, 120, () => false, {
    ...functions.node,
    concurrency: 4,
    checkpoint_ms: 3_600_000,
  });
  const counts: number[] = [0];
  const onMessage = ({ checkpoint }: { checkpoint: { done_count: number } | null }) =>
    void counts.push(checkpoint?.done_count ?? 0);
  await startBatch({ spec, sandbox, is_resumed: false }, { env, onMessage }).ended;
  const steps = counts.map((count, at) => count - (counts[at - 1] ?? 0));
  // While one is being made on a slow disk, other records end.
  assert.ok(counts.length >= 8, `${counts.length} checkpoints: ${steps.join()}`);
  assert.deepEqual(idsOf(spec), ids(120));
  const { counts: last } = JSON.parse(readFileSync(join(spec.output, "stats.json"), "utf8"));
  assert.equal(last.done, 120);
});
