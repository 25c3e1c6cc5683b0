import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { batchQuery } from "./options.ts";

const needed = { input: "/in.jsonl", processor: "echo" };

test("options become the parameters of the operation, paths from here", () => {
  const options = {
    ...needed,
    input: "in.jsonl",
    output: "out",
    concurrency: "8",
    "id-field": "id",
    "max-errors": "0",
    "record-timeout": "5",
    "checkpoint-records": "100",
    "checkpoint-ms": "250",
    config: ' {"a": 1} ',
    "run-id": "r1",
  };
  assert.deepEqual(batchQuery({ options }), {
    cwd: process.cwd(),
    input: join(process.cwd(), "in.jsonl"),
    processor: "echo",
    output: join(process.cwd(), "out"),
    concurrency: "8",
    id_field: "id",
    max_errors: "0",
    record_timeout_s: "5",
    checkpoint_records: "100",
    checkpoint_ms: "250",
    config: '{"a":1}',
  });
  assert.equal(batchQuery({ options: { ...needed, input: "-" } }).input, undefined);
});

test("a configuration is read from a file", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swarm-options-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "config.json");
  writeFileSync(file, '{"model_path": "m"}\n');
  assert.equal(batchQuery({ options: { ...needed, config: `@${file}` } }).config, '{"model_path":"m"}');
});

test("what is missing or no number is said by name", () => {
  for (const [options, words] of [
    [{}, /--input is missing/],
    [{ input: "x" }, /--processor is missing/],
    [{ ...needed, config: "{" }, /--config is not JSON/],
    [{ ...needed, config: "@/no/such/file" }, /--config is not JSON: ENOENT/],
    [{ ...needed, concurrency: "many" }, /--concurrency is "many", expected a whole number/],
    [{ ...needed, "record-timeout": "1.5" }, /--record-timeout is "1.5", expected a whole number/],
  ] as const)
    assert.throws(() => batchQuery({ options }), words);
});
