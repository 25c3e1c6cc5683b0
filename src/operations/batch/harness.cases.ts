import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import type { RunSpec } from "./run-spec.ts";

export interface TestRun {
  readonly folder: string;
  readonly spec: RunSpec;
}

/** A folder with an input, and the spec of a run over it; both go with the test. */
export function testRun(t: TestContext, input: string | Buffer, given: Partial<RunSpec> = {}): TestRun {
  const folder = mkdtempSync(join(tmpdir(), "swarm-batch-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "in.jsonl");
  writeFileSync(file, given.is_gzip ? gzipSync(input) : input);
  return {
    folder,
    spec: {
      run_id: "run_1",
      name: null,
      input: file,
      is_gzip: false,
      output: join(folder, "out"),
      processor: "echo",
      config: {},
      order: "record",
      concurrency: 2,
      id_field: "record_id",
      dedupe: false,
      max_errors: null,
      record_timeout_s: 30,
      checkpoint_records: 10,
      checkpoint_ms: 100,
      chunk_records: null,
      cwd: folder,
      ...given,
    },
  };
}

/** `r0`, `r1` … */
export function records(count: number, from = 0): string {
  return Array.from({ length: count }, (_, at) => `{"record_id":"r${from + at}","n":${at}}\n`).join("");
}

/** The rows of one of a run's files; throws if one is torn. */
export function rowsOf<T = Record<string, unknown>>({ output }: RunSpec, file: string): T[] {
  const text = readFileSync(join(output, file), "utf8");
  if (text !== "" && !text.endsWith("\n")) throw new Error(`${file} ends within a row`);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}

export function idsOf(spec: RunSpec, file = "results.jsonl"): unknown[] {
  return rowsOf(spec, file).map(({ record_id }) => record_id);
}

/** What is so slow that a run is under way for as long as somebody looks at it: until this file is there. */
export function slowUntil(file: string) {
  const script = `while read -r line; do [ -e '${file}' ] || sleep 0.05; echo {}; done`;
  return { processor: "command", config: { command: ["sh", "-c", script] }, chunk_records: 5 };
}
