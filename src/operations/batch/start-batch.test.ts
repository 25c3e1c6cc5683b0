import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { idsOf, records, rowsOf, testRun } from "./harness.cases.ts";
import type { RunnerMessage } from "./run-spec.ts";
import { startBatch } from "./start-batch.ts";

const { env } = process;
const sandbox = "off";

test("a run in a process of its own has a result for every record, in their order, and says what it came to", async (t) => {
  const { spec } = testRun(t, records(5_000), { checkpoint_ms: 1 });
  const messages: RunnerMessage[] = [];
  const end = await startBatch(
    { spec, sandbox, is_resumed: false },
    { env, onMessage: (message) => messages.push(message) },
  ).ended;
  assert.equal(end.type, "completed");
  assert.deepEqual(
    idsOf(spec),
    Array.from({ length: 5_000 }, (_, at) => `r${at}`),
  );
  assert.deepEqual(rowsOf(spec, "results.jsonl")[7], { record_id: "r7", output: { record_id: "r7", n: 7 } });
  assert.equal(messages[0]?.type, "checkpoint");
  assert.deepEqual(readdirSync(spec.output).sort(), [
    "checkpoint.json",
    "duplicates.jsonl",
    "errors.jsonl",
    "results.jsonl",
    "run.lock",
    "spec.json",
    "stats.json",
  ]);
  const stats = JSON.parse(readFileSync(join(spec.output, "stats.json"), "utf8"));
  assert.deepEqual(stats.counts, { records: 5_000, done: 5_000, failed: 0 });
  assert.deepEqual(end.type === "completed" && end.stats, stats);
});

test("a run that is told to stop does at a checkpoint, and goes on from there when it is asked to", async (t) => {
  // Each of its two programs has done 100 records when it waits: the run cannot be over before it is stopped.
  const line = `n=0; while read -r l; do printf '%s\\n' "$l"; n=$((n+1));
    while [ $n -ge 100 ] && [ ! -e go ]; do sleep 0.05; done; done`;
  const given = { checkpoint_ms: 1, chunk_records: 10, processor: "command", config: { command: line } };
  const { spec, folder } = testRun(t, records(2_000), given);
  const first = startBatch({ spec, sandbox, is_resumed: false }, { env, onMessage: () => first.stop() });
  const stopped = await first.ended;
  assert.equal(stopped.type, "stopped");
  const { done_count = 0 } = stopped.checkpoint ?? {};
  assert.ok(done_count > 0 && done_count < 2_000, `${done_count} done`);
  assert.equal(idsOf(spec).length, done_count);
  assert.ok(existsSync(join(spec.output, "ids.bin")));
  writeFileSync(join(folder, "go"), "");
  const second = await startBatch({ spec, sandbox, is_resumed: true }, { env }).ended;
  assert.equal(second.type, "completed");
  assert.deepEqual(
    idsOf(spec),
    Array.from({ length: 2_000 }, (_, at) => `r${at}`),
  );
  const { legs, counts } = second.type === "completed" ? second.stats : {};
  assert.deepEqual([legs, counts], [2, { records: 2_000, done: 2_000, failed: 0 }]);
});

test("a folder that holds a run is refused unless it is resumed, and a completed one is left as it is", async (t) => {
  const { spec } = testRun(t, records(3));
  await startBatch({ spec, sandbox, is_resumed: false }, { env }).ended;
  const again = await startBatch({ spec, sandbox, is_resumed: false }, { env }).ended;
  assert.equal(again.type === "failed" && again.code, "SWARM_BATCH_FOLDER_TAKEN");
  const resumed = await startBatch({ spec, sandbox, is_resumed: true }, { env }).ended;
  assert.equal(resumed.type === "completed" && resumed.checkpoint.leg, 1);
  assert.deepEqual(idsOf(spec), ["r0", "r1", "r2"]);
});

test("a processor that does not exist is refused by its name, and a runner that is killed is lost", async (t) => {
  const unknown = testRun(t, records(3), { processor: "ecco" });
  const end = await startBatch({ spec: unknown.spec, sandbox, is_resumed: false }, { env }).ended;
  assert.match(end.type === "failed" ? end.message : "", /unknown processor "ecco", did you mean "echo"/);
  const { spec } = testRun(t, records(100_000), { chunk_records: 1, checkpoint_ms: 1 });
  const run = startBatch(
    { spec, sandbox, is_resumed: false },
    { env, onMessage: () => process.kill(run.pid ?? 0, "SIGKILL") },
  );
  const lost = await run.ended;
  assert.equal(lost.type === "failed" && lost.code, "SWARM_BATCH_RUNNER_LOST");
  assert.ok((lost.checkpoint?.done_count ?? 0) > 0);
});
