import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { SwarmError } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import type { Part } from "../../../base/part.ts";
import type { Head } from "../../../store/port/store.ts";
import type { Verification } from "../verify.ts";
import { receivedError } from "./messages.ts";
import type { VerifyMessage, VerifyWork } from "./verify-worker.ts";

/** Measured: a verification of 1,000,000 rows grows by some 100 MiB. More is a mistake that must not take the daemon with it. */
const maxHeapMiB = 1_024;

/** Reads the whole record in threads of their own, one at a time: two would take the machine from who waits for a decision. */
export class LongReads implements Part {
  readonly #place: Omit<VerifyWork, "anchors">;
  readonly #log: Log;
  /** Ends when what was asked for last has; never fails. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(place: Omit<VerifyWork, "anchors">, log: Log) {
    this.#place = place;
    this.#log = log;
  }

  verify(anchors: readonly Head[], signal: AbortSignal | null): Promise<Verification> {
    return this.inTurn(signal, (ending) => this.#run({ ...this.#place, anchors }, ending));
  }

  /** Has a read begin when those before it are over. Its signal is aborted when nobody waits for it, or when all is stopped. */
  inTurn<Result>(
    signal: AbortSignal | null,
    read: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const signals = [this.#stopping.signal, ...(signal === null ? [] : [signal])];
    const done = this.#last.then(() => read(AbortSignal.any(signals)));
    this.#last = done.catch(() => undefined); // whoever asked is told
    return done;
  }

  abort(): void {
    this.#stopping.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#last;
  }

  async #run(workerData: VerifyWork, signal: AbortSignal): Promise<Verification> {
    if (signal.aborted) throw ended("nobody waits for it any more");
    // The same file in sources and in what is built from them.
    const program = new URL(`./verify-worker${extname(import.meta.url)}`, import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: maxHeapMiB };
    const worker = new Worker(program, { workerData, resourceLimits, execArgv: [], env: {} });
    const end = (): void => void worker.terminate();
    signal.addEventListener("abort", end);
    try {
      return await new Promise<Verification>((resolve, reject) => {
        worker.on("message", (message: VerifyMessage) => {
          if ("warning" in message) this.#log.warn(message.warning, message.fields);
          else if ("value" in message.settled) resolve(message.settled.value);
          else reject(receivedError(message.settled.error));
        });
        worker.once("error", (error) => reject(ended(error.message)));
        worker.once("exit", () => reject(ended("nobody waits for it any more")));
      });
    } finally {
      signal.removeEventListener("abort", end);
    }
  }
}

function ended(problem: string): SwarmError {
  return new SwarmError("SWARM_VERIFY_ENDED", { problem });
}
