import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Durability } from "../../src/record/audit/recorder.ts";

/** A process that records in this folder until it is killed. */
export class Writer {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly #closed: Promise<unknown[]>;
  #printed = "";
  #lines = 0;
  #waiting: { readonly lines: number; readonly resolve: () => void } | null = null;

  constructor(folder: string, durability: Durability) {
    const args = [join(folder, "swarm.db"), join(folder, "audit-key.pem"), durability];
    this.#process = spawn(process.execPath, [join(import.meta.dirname, "writer.ts"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#closed = once(this.#process, "close");
    this.#process.stdout.setEncoding("latin1").on("data", (text: string) => {
      this.#printed += text;
      this.#lines += text.split("\n").length - 1;
      if (this.#waiting !== null && this.#lines >= this.#waiting.lines) this.#waiting.resolve();
    });
  }

  /** Waits until it has acknowledged so many rows; 0: until it is about to open the file. */
  async acknowledged(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { lines: count + 1, resolve };
    const ended = await Promise.race([promise, this.#closed]);
    assert.equal(ended, undefined, `the writer ended by itself: ${String(ended)}`);
  }

  /** Stops it where it stands; when this resolves it runs no more (Linux). */
  async freeze(): Promise<void> {
    this.#process.kill("SIGSTOP");
    const isStopped = () => / T /.test(readFileSync(`/proc/${this.#process.pid}/stat`, "latin1"));
    while (!isStopped()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Kills it and gives the ids of all rows it has acknowledged. */
  async kill(): Promise<string[]> {
    this.#process.kill("SIGKILL");
    await this.#closed;
    // What stands after the last line feed was cut by the kill; the first line tells that the file is being opened.
    return this.#printed.split("\n").slice(1, -1);
  }
}
