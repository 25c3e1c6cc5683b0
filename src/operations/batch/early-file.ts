import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { earlyFrame, readEarly } from "./early-frame.ts";
import { type Finished, sizeOf } from "./finished.ts";
import { OutputFile } from "./output-file.ts";
import { FrameReader } from "./processors/frames.ts";
import { runFiles } from "./run-spec.ts";

/** Where results are whose turn has not come, as a checkpoint names it. */
export interface EarlyPart {
  readonly file: string;
  readonly bytes: number;
}

export const earlyFiles: readonly string[] = [runFiles.earlyA, runFiles.earlyB];
/** What is in the results by now may take as much of a file as what still waits, and this, before the other is begun. */
const spareBytes = 1024 * 1024;

/**
 * Results that are finished before their turn to be written: a slow record before them must not cost their work when the
 * run is killed. They are appended to one of two files, and the other is begun when most of it is in results.jsonl. The one
 * that the last checkpoint names is only appended to.
 */
export class EarlyFile {
  readonly #folder: string;
  #file: string;
  #output: OutputFile | null = null;
  /** What of the file is not in the results. */
  #waiting = new Set<Finished>();

  constructor(folder: string, last: EarlyPart | null) {
    this.#folder = folder;
    this.#file = last?.file ?? runFiles.earlyB;
  }

  /** What had been finished from `nextByte` of the input on, in the order of the input. */
  static async read(folder: string, { file, bytes }: EarlyPart, nextByte: number): Promise<Finished[]> {
    const content = await readFile(join(folder, file));
    if (content.length < bytes) throw new Error(`${file} has ${content.length} bytes, expected ${bytes}`);
    const found: Finished[] = [];
    const reader = new FrameReader(({ header, body }) => void found.push(readEarly(header, body)));
    reader.add(content.subarray(0, bytes));
    return found
      .filter(({ from_bytes }) => from_bytes >= nextByte)
      .sort((one, other) => one.from_bytes - other.from_bytes);
  }

  /** Makes those durable that are not; from `nextByte` of the input on nothing is in the results. Null: none waits. */
  async save(early: Iterable<Finished>, nextByte: number): Promise<EarlyPart | null> {
    const before = this.#waiting;
    const left = [...before].filter(({ from_bytes }) => from_bytes >= nextByte);
    this.#waiting = new Set([...left, ...early]);
    if (this.#waiting.size === 0) {
      await this.close();
      return null;
    }
    const bytes = [...this.#waiting].reduce((sum, finished) => sum + sizeOf(finished), 0);
    const isFull = this.#output === null || this.#output.length > 2 * bytes + spareBytes;
    const added = isFull ? this.#waiting : [...this.#waiting].filter((finished) => !before.has(finished));
    // Before anything is waited for: what is written meanwhile gives its memory back.
    const frames = [...added].map(earlyFrame);
    const output = isFull ? await this.#begin() : this.#output;
    await output?.append(frames);
    await output?.sync();
    return { file: this.#file, bytes: output?.length ?? 0 };
  }

  async close(): Promise<void> {
    const output = this.#output;
    this.#output = null;
    await output?.close();
  }

  async #begin(): Promise<OutputFile> {
    await this.close();
    this.#file = earlyFiles.find((file) => file !== this.#file) ?? runFiles.earlyA;
    this.#output = await OutputFile.open(join(this.#folder, this.#file), 0);
    return this.#output;
  }
}
