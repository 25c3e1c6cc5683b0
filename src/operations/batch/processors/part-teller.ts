import { performance } from "node:perf_hooks";
import type { JsonObject } from "../../../engine/events/schema.ts";
import type { Chunk } from "../port/processor.ts";
import { type InputRecord, recordsOf } from "../port/records.ts";
import { Rows } from "../port/rows.ts";
import { frame, type PartHeader } from "./frames.ts";

/** Does the records of a chunk in their order, and tells of each. */
export type ChunkWork = (teller: PartTeller) => Promise<void>;

/** What is to be known of a record to tell what became of it. */
export type ToldRecord = Pick<InputRecord, "line" | "idText">;

/** Work, with what is to be known of it before its first chunk. */
export interface OpenedWork {
  readonly work: ChunkWork;
  readonly facts: JsonObject;
}

const maxPartChars = 4 * 1024 * 1024;
/** A record that takes longer is told of at once: telling costs less than doing it again. */
const slowMs = 10;
const maxOutputChars = 16 * 1024 * 1024;

/**
 * The rows of one chunk, handed on in parts: when it is time, when there are many, and at the end. Lines that are no
 * records are told of here, once somebody has asked for the `records`; who reads the chunk's lines tells of them all.
 */
export class PartTeller {
  readonly chunk: Chunk;
  readonly idField: string;
  /** Whether each record is to be done by itself, so that the one that does not end is known. */
  readonly isCareful: boolean;
  #records: readonly InputRecord[] | null = null;
  #unreadable: InputRecord[] = [];
  readonly #tellMs: number;
  readonly #say: (bytes: Buffer) => void;
  readonly #rows = new Rows();
  #timer: NodeJS.Timeout | undefined;
  #toldLines = 0;
  #lastLine = 0;
  #lastToldMs = performance.now();
  #isWaitTold = false;
  #tallies: JsonObject[] = [];

  constructor(chunk: Chunk, idField: string, tellMs: number, say: (bytes: Buffer) => void) {
    this.chunk = chunk;
    this.idField = idField;
    this.#tellMs = tellMs;
    this.#say = say;
    this.isCareful = tellMs === 0;
  }

  get records(): readonly InputRecord[] {
    if (this.#records !== null) return this.#records;
    const items = [...recordsOf(this.chunk, this.idField)];
    this.#unreadable = items.filter(({ problem }) => problem !== null).reverse();
    this.#records = items.filter(({ problem }) => problem === null);
    return this.#records;
  }

  /**
   * For work that does one record after the other. The timer only fires while that waits for a promise, and so for
   * exactly the record after the last one told of.
   */
  watchWaiting(): void {
    if (!this.isCareful) this.#timer = setInterval(() => this.#tellWaiting(), this.#tellMs);
  }

  /** `output` is its JSON. */
  done(record: ToldRecord, output: string, latencyMs: number): void {
    if (output.length > maxOutputChars) {
      const message = `an output of ${output.length} characters, expected at most ${maxOutputChars}`;
      this.failed(record, "invalid_output", message, latencyMs);
    } else {
      this.#tellUnreadable(record.line);
      this.#rows.done(record, output, latencyMs);
      this.#after(record, latencyMs);
    }
  }

  /** `latencyMs`: null for a line that is no record. */
  failed(record: ToldRecord, errorClass: string, message: string, latencyMs: number | null): void {
    this.#tellUnreadable(record.line);
    this.#rows.failed(record, errorClass, message, latencyMs);
    this.#after(record, latencyMs);
  }

  /** That it goes on, though no record can be told of yet. */
  alive(): void {
    if (performance.now() - this.#lastToldMs >= this.#tellMs) this.#tellSoFar(false);
  }

  /**
   * What its kind counts besides, of records up to the one that is told of next: it goes with the part that has them, so that
   * it is not lost with a record that follows and does not end.
   */
  count(...tallies: readonly JsonObject[]): void {
    this.#tallies.push(...tallies);
  }

  finish(): void {
    clearInterval(this.#timer);
    this.#tellUnreadable(Number.POSITIVE_INFINITY);
    this.#tell(this.chunk.lineCount, { is_last: true, is_waiting: false });
  }

  #after({ line }: ToldRecord, latencyMs: number | null): void {
    this.#lastLine = line;
    // Whoever was told that this record is waited for must not think so when the next is.
    const isSlow = latencyMs !== null && latencyMs > slowMs;
    const isTime = isSlow || this.#isWaitTold || performance.now() - this.#lastToldMs >= this.#tellMs;
    this.#isWaitTold = false;
    if (isTime || this.#rows.chars > maxPartChars) this.#tellSoFar(false);
  }

  #tellUnreadable(beforeLine: number): void {
    for (let item = this.#unreadable.at(-1); item !== undefined && item.line < beforeLine; ) {
      this.#rows.failed(item, item.problem?.class ?? "", item.problem?.message ?? "");
      this.#unreadable.pop();
      item = this.#unreadable.at(-1);
    }
  }

  #tellWaiting(): void {
    if (this.#isWaitTold) return;
    this.#isWaitTold = true;
    this.#tellSoFar(true);
  }

  #tellSoFar(isWaiting: boolean): void {
    const lines = this.#lastLine === 0 ? 0 : this.#lastLine - this.chunk.firstLine + 1;
    this.#tell(lines, { is_last: false, is_waiting: isWaiting });
  }

  #tell(lines: number, flags: Pick<PartHeader, "is_last" | "is_waiting">): void {
    const { results, errors, doneCount, failedCount, errorClasses, ids, latenciesMs } =
      this.#rows.takeWithIds();
    const idLines = Buffer.from(ids.map((idText) => `${idText}\n`).join(""));
    const latencies = new Uint8Array(latenciesMs.buffer);
    const header: Omit<PartHeader, "bytes"> = {
      lines: lines - this.#toldLines,
      done: doneCount,
      failed: failedCount,
      classes: errorClasses,
      results: results.length,
      errors: errors.length,
      ids: idLines.length,
      latencies: latencies.byteLength,
      ...flags,
      ...(this.#tallies.length === 0 ? {} : { tally: { parts: this.#tallies } }),
    };
    this.#tallies = [];
    this.#toldLines = lines;
    this.#lastToldMs = performance.now();
    this.#say(frame({ ...header }, results, errors, idLines, latencies));
  }
}
