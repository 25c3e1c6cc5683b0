import { appendFileSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { readRecords } from "../../src/operations/drift/read/read-file.ts";
import { Dataset } from "../../src/operations/drift/summary/dataset.ts";
import type { ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

export const rowsPerCall = 20_000;
const valuesPerRow = 5;
export const valuesPerCall = rowsPerCall * valuesPerRow;
/** Rows of one member of a gzip file; a file of ten million is a hundred of them. */
const rowsPerMember = 100_000;

/** Reads a file of records and knows the distribution of each field: all a check does before it compares. */
export function summary(name: string, form: "jsonl" | "csv"): Contestant {
  const file = fileOf(form);
  return contestant(name, () => summarised(file));
}

/** The least that gets the values out of the same file: lines, parsed, and each value looked at. */
export function bareParse(name: string, form: "jsonl" | "csv"): Contestant {
  const file = fileOf(form);
  return contestant(name, async () => {
    let sum = 0;
    const text = createReadStream(file, { encoding: "utf8", highWaterMark: 1024 * 1024 });
    let rest = "";
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const values = form === "csv" ? line.split(",") : Object.values(JSON.parse(line) as object);
        for (const value of values) sum += Number(value) || 0;
      }
    }
    return sum;
  });
}

/** The same over readline, as such loops are mostly written. */
export function readlineParse(name: string): Contestant {
  const file = fileOf("jsonl");
  return contestant(name, async () => {
    let sum = 0;
    for await (const line of createInterface({ input: createReadStream(file) }))
      for (const value of Object.values(JSON.parse(line) as object)) sum += Number(value) || 0;
    return sum;
  });
}

/** One summary of very many rows, gzipped; the file is made where it is first read. */
export function longSummary(rows: number): Contestant {
  return contestant(longName(rows), async () => {
    const file = join(folder(), "long.jsonl.gz");
    const member = gzipSync(jsonl(rowsPerMember));
    for (let made = 0; made < rows; made += rowsPerMember) appendFileSync(file, member);
    const { rows: read } = await summarised(file);
    if (read !== rows) throw new Error(`${read} of ${rows} rows were read`);
    return read;
  });
}

export function longName(rows: number): string {
  return `summary of ${rows.toLocaleString("en")} rows, gzipped`;
}

async function summarised(file: string): Promise<Dataset> {
  const dataset = new Dataset({
    features: [],
    ignore: [],
    categorical: [],
    timestampField: null,
    period: null,
  });
  await readRecords(file, (record) => dataset.add(record as object));
  return dataset;
}

function contestant(name: string, work: () => Promise<unknown>): Contestant {
  return {
    name,
    isSync: false,
    async run(call) {
      await work();
      return call;
    },
    read: (result) => result as ToolCall | null,
  };
}

function fileOf(form: "jsonl" | "csv"): string {
  const file = join(folder(), `rows.${form}`);
  writeFileSync(file, form === "jsonl" ? jsonl(rowsPerCall) : csv(rowsPerCall));
  return file;
}

/** Three numbers, a word and a truth; numbers as they come, neither sorted nor few. */
function rowOf(n: number) {
  const amount = ((n * 7_919) % 1_000_003) / 100;
  const country = ["DE", "FR", "NL", "ES"][n % 4];
  return {
    amount,
    age: 18 + ((n * 31) % 73),
    score: ((n * 104_729) % 999_983) / 999_983,
    country,
    is_new: n % 5 === 0,
  };
}

function jsonl(rows: number): string {
  return Array.from({ length: rows }, (_, n) => `${JSON.stringify(rowOf(n))}\n`).join("");
}

function csv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, n) => `${Object.values(rowOf(n)).join(",")}\n`);
  return `amount,age,score,country,is_new\n${lines.join("")}`;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}
