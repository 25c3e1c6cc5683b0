import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Clock } from "../../../base/clock.ts";
import { SwarmError } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import { leaveUnfolded } from "../../../store/open-store.ts";
import type { Store } from "../../../store/port/store.ts";
import {
  type Message,
  type RecorderState,
  receivedError,
  type ThreadOptions,
  type Work,
} from "./messages.ts";
import { RemoteRecorder } from "./remote-recorder.ts";
import { remoteStore, type StoreMethods } from "./remote-store.ts";

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** What has come of a long list. */
  readonly parts: unknown[];
}

/**
 * The store and the recorder in a thread of their own: hashing, sealing, signing and the transaction of a row are 200 µs that
 * decisions do not wait for, and neither does one wait for a list that somebody reads.
 */
export class RecordThread {
  readonly store: Store;
  readonly recorder: RemoteRecorder;
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #log: Log;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #state: RecorderState = { fault: null, isDamaged: false };
  /** Why nothing is answered any more; null while the thread runs. */
  #end: SwarmError | null = null;

  private constructor(options: ThreadOptions, worker: Worker, methods: StoreMethods, clock: Clock, log: Log) {
    this.#options = options;
    this.#worker = worker;
    this.#log = log;
    const store = remoteStore(options.url, methods, (work) => this.ask(work));
    this.store = { ...store, close: () => this.#close() };
    this.recorder = new RemoteRecorder(this, clock, log);
    worker.on("message", (message: Message) => this.#receive(message));
    worker.on("error", (error) => this.#stop(`its thread failed: ${error.message}`));
    worker.on("exit", () => this.#stop("its thread has ended"));
  }

  /** Fails as `openStore` does. */
  static async start(options: ThreadOptions, clock: Clock, log: Log): Promise<RecordThread> {
    // The same file in sources and in what is built from them.
    const program = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(program, { workerData: options, execArgv: [], env: {} });
    const methods = await new Promise<StoreMethods>((resolve, reject) => {
      worker.once("message", (message: Message) => {
        if ("methods" in message) resolve(message.methods);
        else if ("failure" in message) reject(receivedError(message.failure));
      });
      worker.once("error", reject);
    });
    return new RecordThread(options, worker, methods, clock, log);
  }

  get state(): RecorderState {
    return this.#state;
  }

  ask(work: Work): Promise<unknown> {
    if (this.#end !== null) return Promise.reject(this.#end);
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject, parts: [] });
    this.#worker.postMessage({ id, work });
    return promise;
  }

  #receive(message: Message): void {
    if ("warning" in message) {
      this.#log.warn(message.warning, message.fields);
      return;
    }
    if (!("id" in message)) return;
    if ("part" in message) {
      this.#pending.get(message.id)?.parts.push(...message.part);
      return;
    }
    const { id, settled, state } = message;
    // Ended with the process, the thread would fold the log into the file, which takes an fsync that nobody may believe.
    if (state.isDamaged && !this.#state.isDamaged) leaveUnfolded(this.#options.url);
    this.#state = state;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if ("value" in settled) pending?.resolve(wholeOf(pending.parts, settled.value));
    else pending?.reject(receivedError(settled.error));
  }

  /** The thread ends by itself when its store is closed. */
  async #close(): Promise<void> {
    if (this.#end !== null) return;
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    await this.ask({ kind: "close_store" });
    await ended;
  }

  #stop(problem: string): void {
    this.#end ??= new SwarmError("SWARM_STORE_FAILED", { location: this.#options.url, problem });
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
  }
}

function wholeOf(parts: readonly unknown[], last: unknown): unknown {
  return parts.length === 0 ? last : [...parts, ...(last as unknown[])];
}
