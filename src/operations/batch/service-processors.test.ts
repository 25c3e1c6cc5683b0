import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { idsOf, rowsOf, testRun } from "./harness.cases.ts";
import { trySignal } from "../../handlers/process/process-group.ts";
import { startBatch } from "./start-batch.ts";

const { env } = process;

const lines = (count: number, what: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, at) => `${JSON.stringify({ record_id: `r${at}`, do: what[at] })}\n`).join(
    "",
  );

const source = `
import { appendFileSync } from "node:fs";
appendFileSync("pids", process.pid + "\\n");
export function work({ record_id, do: what }) {
  if (what === "crash") process.exit(7);
  if (what === "stay") for (;;);
  if (what === "throw") throw new Error("told to");
  return record_id;
}
export async function slowly(record) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return work(record);
}`;

test("records that crash, hang and throw fail alone, and every other is done once, in its order", async (t) => {
  const bad = { 3: "throw", 40: "crash", 41: "crash", 99: "stay", 250: "crash" };
  const { folder, spec } = testRun(t, lines(300, bad), {
    processor: "custom",
    config: { function: "./work.mjs:work" },
    record_timeout_s: 2,
  });
  writeFileSync(join(folder, "work.mjs"), source);
  const end = await startBatch({ spec, is_resumed: false, sandbox: "off" }, { env }).ended;
  assert.equal(end.type, "completed", JSON.stringify(end));
  assert.deepEqual(
    idsOf(spec),
    Array.from({ length: 300 }, (_, at) => `r${at}`).filter((_, at) => !Object.hasOwn(bad, at)),
  );
  const errors = rowsOf<{ record_id: string; line: number; error: { class: string } }>(spec, "errors.jsonl");
  assert.deepEqual(
    errors.map(({ record_id, line, error }) => [record_id, line, error.class]),
    [
      ["r3", 4, "thrown"],
      ["r40", 41, "crash"],
      ["r41", 42, "crash"],
      ["r99", 100, "timeout"],
      ["r250", 251, "crash"],
    ],
  );
});

test("workers that are killed while they work cost nothing but time", async (t) => {
  const { folder, spec } = testRun(t, lines(400), {
    processor: "custom",
    config: { function: "./work.mjs:slowly" },
    chunk_records: 20,
  });
  writeFileSync(join(folder, "work.mjs"), source);
  const killed = new Set<number>();
  const timer = setInterval(() => {
    const file = join(folder, "pids");
    const pids = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
    const pid = pids.at(-1) ?? 0;
    if (killed.size < 6 && pid > 1 && !killed.has(pid) && trySignal(pid, "SIGKILL")) killed.add(pid);
  }, 20);
  const end = await startBatch({ spec, is_resumed: false, sandbox: "off" }, { env }).ended;
  clearInterval(timer);
  assert.equal(end.type, "completed", JSON.stringify(end));
  assert.ok(killed.size > 1, `${killed.size} were killed`);
  assert.deepEqual(
    [idsOf(spec), rowsOf(spec, "errors.jsonl")],
    [Array.from({ length: 400 }, (_, at) => `r${at}`), []],
  );
});

test("a function that is not there fails the run before it has begun, and says where it was looked for", async (t) => {
  const { folder, spec } = testRun(t, lines(3), { processor: "custom", config: { function: "./no.ts:f" } });
  const end = await startBatch({ spec, is_resumed: false, sandbox: "off" }, { env }).ended;
  assert.deepEqual(
    [end.type, end.type === "failed" && [end.code, end.message]],
    [
      "failed",
      [
        "SWARM_BATCH_FUNCTION_UNKNOWN",
        `module "./no.ts" is not one: there is no file ${join(folder, "no.ts")}`,
      ],
    ],
  );
});

test("records go through a program, also strictly contained", async (t) => {
  const { spec } = testRun(t, lines(50), { processor: "command", config: { command: "exec cat" } });
  const end = await startBatch({ spec, is_resumed: false, sandbox: "strict" }, { env }).ended;
  assert.equal(end.type, "completed", JSON.stringify(end));
  assert.equal(idsOf(spec).length, 50);
});
