import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { show } from "../../../../base/show.ts";
import type { JsonObject } from "../../../../engine/events/schema.ts";
import { idTextOf } from "../../port/batch-rows.ts";
import type { InputRecord } from "../../port/records.ts";
import type { ChunkWork, PartTeller } from "../part-teller.ts";
import { sayFailed } from "../say.ts";

type LineProgram = ChildProcessWithoutNullStreams;

const newline = 0x0a;
const tailChars = 1_000;
/** A shell is done with a line it cannot read in 2 ms, on a busy machine in 30. It is paid once for each worker. */
const settleMs = 100;
/** Longer than any output may be: what a program prints without an end is not kept. */
const maxLineBytes = 64 * 1024 * 1024;

/** Starts the program. It stays in this process's group, and is ended with it. */
export async function openProgram({ argv, id_field }: JsonObject): Promise<ChunkWork> {
  const [program = "", ...args] = argv as readonly string[];
  const child = spawn(program, args);
  await once(child, "spawn");
  await stays(child);
  const lines = new AnswerLines(child);
  const size = new GroupSize();
  return (teller) => doLines(child, lines, size, String(id_field), teller);
}

/** One that ends before it was given anything never did a record: a wrong option, a shell's syntax error. */
async function stays(child: LineProgram): Promise<void> {
  let stderr = "";
  child.stderr.on("data", (output: Buffer) => {
    process.stderr.write(output);
    stderr = (stderr + output.toString("utf8")).slice(-tailChars);
  });
  const waiting = new AbortController();
  const ended = once(child, "close", { signal: waiting.signal }).then(([code, signal]) =>
    howEnded(code, signal),
  );
  const how = await Promise.race([ended.catch(() => null), sleep(settleMs, null)]);
  waiting.abort();
  if (how !== null) throw new Error(`the program ${how} before it was given a record: ${stderr.trim()}`);
}

function howEnded(code: number | null, signal: string | null): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

/**
 * Every record's line in, then one line of output for each, in their order. The lines of a group at once, so that a quick
 * program never waits, and nothing is told before all of them have their answers: one line too few, and every answer after
 * it was another record's. Such a chunk is done again one by one.
 */
async function doLines(
  child: LineProgram,
  lines: AnswerLines,
  size: GroupSize,
  idField: string,
  teller: PartTeller,
): Promise<void> {
  const { records } = teller;
  for (let at = 0; at < records.length; ) {
    const group = records.slice(at, at + (teller.isCareful ? 1 : size.lines));
    at += group.length;
    const groupStartedMs = performance.now();
    lines.expect(group.length);
    child.stdin.write(group.map(({ source }) => `${source.trim()}\n`).join(""));
    const answers: Answer[] = [];
    while (answers.length < group.length) {
      const startedMs = performance.now();
      const line = lines.take() ?? (await lines.next());
      answers.push({ line, latencyMs: performance.now() - startedMs });
      if (answers.length < group.length) teller.alive();
    }
    // A line too many is most often there already, and ends this process before anything is told.
    await new Promise(setImmediate);
    for (const [index, answer] of answers.entries())
      tellAnswer(group[index] as InputRecord, answer, idField, teller);
    size.took(group.length, performance.now() - groupStartedMs);
  }
}

/** What is lost with a program is a group at most: one that takes this long, or a single record. */
const groupMs = 10;

/** How many records a program is given before it is waited for: one at first, then as many as it was quick enough for. */
class GroupSize {
  lines = 1;

  took(lineCount: number, ms: number): void {
    this.lines = Math.max(1, Math.min(2 * this.lines, Math.floor((lineCount * groupMs) / ms)));
  }
}

interface Answer {
  readonly line: Buffer;
  readonly latencyMs: number;
}

function tellAnswer(
  item: InputRecord,
  { line, latencyMs }: Answer,
  idField: string,
  teller: PartTeller,
): void {
  const text = line.toString("utf8").trim();
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

const tooMany = "it printed more lines than it was given records";

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
    child.on("close", (code, signal) => leave(`it ${howEnded(code, signal)}`));
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
    if (this.#expectedCount === 0) {
      // When nothing is asked, chunks with its answers are done: which of them were another record's cannot be known.
      if (this.#lines.length === 0) sayFailed(`the program: ${tooMany}, its answers are not to be trusted`);
      leave(tooMany);
    }
    this.#expectedCount--;
    this.#lines.push(line);
  }
}
