import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import type { Readable, Writable } from "node:stream";
import { show } from "../../base/show.ts";
import type { JsonObject } from "../../events/schema.ts";
import { idTextOf } from "../../ports/batch-rows.ts";
import type { Chunk } from "../../ports/processor.ts";
import { type InputRecord, recordsOf } from "../../ports/records.ts";
import type { ChunkWork, PartTeller } from "../part-teller.ts";

type LineProgram = ChildProcessByStdio<Writable, Readable, null>;

const newline = 0x0a;
/** Longer than any output may be: what a program prints without an end is not kept. */
const maxLineBytes = 64 * 1024 * 1024;

/** Starts the program. It stays in this process's group, and is ended with it. */
export async function openProgram({ argv }: JsonObject): Promise<ChunkWork> {
  const [program = "", ...args] = argv as readonly string[];
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "inherit"],
  }) as LineProgram;
  await once(child, "spawn");
  const lines = new AnswerLines(child);
  return (chunk, idField, teller) => doLines(child, lines, chunk, idField, teller);
}

/** Every record's line in, then one line of output for each, in their order. */
async function doLines(
  child: LineProgram,
  answers: AnswerLines,
  chunk: Chunk,
  idField: string,
  teller: PartTeller,
): Promise<void> {
  const items = [...recordsOf(chunk, idField)];
  teller.watchWaiting();
  const readable = items.filter((item) => item.problem === null);
  // One by one where the record that does not end is looked for; else all at once, so that the program never waits.
  const give = (given: readonly InputRecord[]) => {
    answers.expect(given.length);
    child.stdin.write(textOf(given));
  };
  if (!teller.isCareful) give(readable);
  for (const item of items) {
    if (item.problem !== null) {
      teller.failed(item, item.problem.class, item.problem.message);
      continue;
    }
    const startedMs = performance.now();
    if (teller.isCareful) give([item]);
    const answer = answers.take() ?? (await answers.next());
    tellAnswer(item, answer, performance.now() - startedMs, idField, teller);
  }
}

function textOf(items: readonly InputRecord[]): string {
  return items.map(({ source }) => `${source.trim()}\n`).join("");
}

function tellAnswer(
  item: InputRecord,
  answer: Buffer,
  latencyMs: number,
  idField: string,
  teller: PartTeller,
): void {
  const text = answer.toString("utf8").trim();
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch {
    teller.failed(item, "invalid_output", `${show(text)}, expected a line of JSON`, latencyMs);
    return;
  }
  if (isOfAnother(item, output, text, idField)) {
    leave(
      `its answer to record ${item.idText} is that to another: it does not print a line for each record, in their order`,
    );
  }
  teller.done(item, text, latencyMs);
}

/** A program that gives the id back is believed to mean it. */
function isOfAnother(item: InputRecord, output: unknown, text: string, idField: string): boolean {
  if (typeof output !== "object" || output === null || !Object.hasOwn(output, idField)) return false;
  const hasOwnId = item.record !== null && Object.hasOwn(item.record, idField);
  return hasOwnId && idTextOf(output as JsonObject, idField, item.line, text) !== item.idText;
}

/** The order of questions and answers is lost, and so is this worker: the next begins with a new program. */
function leave(why: string): never {
  process.stderr.write(`the program: ${why}\n`);
  process.exit(1);
}

/**
 * Standard output, line by line; blank ones are skipped. The end of the program is the end of this process, and so is a
 * line nobody has asked for.
 */
class AnswerLines {
  readonly #lines: Buffer[] = [];
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #takenCount = 0;
  /** Lines that are still to come. */
  #expectedCount = 0;
  #waiting: ((line: Buffer) => void) | null = null;

  constructor(child: LineProgram) {
    child.stdout.on("data", (bytes: Buffer) => this.#add(bytes));
    child.stdin.on("error", () => undefined); // its end tells more
    child.on("close", (code, signal) =>
      leave(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`),
    );
  }

  expect(count: number): void {
    this.#expectedCount += count;
  }

  /** Null: it has not come yet. */
  take(): Buffer | null {
    const line = this.#lines[this.#takenCount];
    if (line === undefined) return null;
    this.#takenCount++;
    if (this.#takenCount === this.#lines.length) {
      this.#lines.length = 0;
      this.#takenCount = 0;
    }
    return line;
  }

  next(): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #add(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#addLine(Buffer.concat([...this.#begun, bytes.subarray(start, end)]));
      this.#begun = [];
      this.#begunBytes = 0;
      start = end + 1;
    }
    if (start < bytes.length) {
      this.#begun.push(bytes.subarray(start));
      this.#begunBytes += bytes.length - start;
      if (this.#begunBytes > maxLineBytes) leave("it printed a line that does not end");
    }
    const waiting = this.#waiting;
    const line = waiting === null ? null : this.take();
    if (waiting === null || line === null) return;
    this.#waiting = null;
    waiting(line);
  }

  #addLine(line: Buffer): void {
    if (line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)) return;
    if (this.#expectedCount === 0) leave("it printed more lines than it was given records");
    this.#expectedCount--;
    this.#lines.push(line);
  }
}
