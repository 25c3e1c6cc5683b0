import { setTimeout as sleep } from "node:timers/promises";
import { SwarmError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { joinEnds, splitChunk } from "../port/chunk.ts";
import type {
  Chunk,
  ChunkEnd,
  ChunkPart,
  OnPart,
  Processor,
  ProcessorCall,
  ProcessorTally,
} from "../port/processor.ts";
import { recordsOf } from "../port/records.ts";
import { Rows } from "../port/rows.ts";
import { Worker, type WorkerOptions } from "./worker.ts";

export interface PoolOptions extends Omit<WorkerOptions, "recordTimeoutMs" | "print"> {
  /** Of the processor, for messages. */
  readonly name: string;
  readonly tally?: Pick<ProcessorTally, "merge">;
  readonly isOneCall?: boolean;
  /**
   * How many workers there may be, by what the first says of itself. Given: only that one is waited for, and the others
   * are started when there is a chunk for each; those of a large model take seconds, and its memory.
   */
  readonly workersFor?: (facts: JsonObject) => number;
}

/** Starts in a row that end without a word before a worker is given up, and the run with the last: 0.1, 0.2, 0.4 and 0.8 s apart. */
const maxStarts = 5;
const firstDelayMs = 100;
/** Workers lost before a single record was done. A record that ends its worker in a chunk of 4,000 loses 15. */
const maxLostAtFirst = 40;

/** `concurrency` workers, each of which has one chunk at a time. All are ready when this resolves. */
export async function openPool(options: PoolOptions, call: ProcessorCall): Promise<Processor> {
  const pool = new Pool(options, call);
  try {
    await pool.start();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

class Pool implements Processor {
  readonly isOneCall: boolean;
  readonly #options: PoolOptions;
  readonly #call: ProcessorCall;
  readonly #living = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #waiting: { give: (worker: Worker) => void; refuse: (error: unknown) => void }[] = [];
  /** Why there will be no more workers. */
  #over: { readonly error: unknown } | null = null;
  /** Workers there may be, and those that are there or on their way. */
  #maxWorkers: number;
  #workers = 0;
  #lostCount = 0;
  #hasDone = false;

  constructor(options: PoolOptions, call: ProcessorCall) {
    this.#options = options;
    this.#call = call;
    this.isOneCall = options.isOneCall ?? false;
    this.#maxWorkers = call.concurrency;
  }

  async start(): Promise<void> {
    const { signal } = this.#call;
    const { workersFor } = this.#options;
    signal.throwIfAborted();
    signal.addEventListener("abort", this.#onAbort, { once: true });
    const first = workersFor === undefined ? this.#maxWorkers : 1;
    const facts = await Promise.all(Array.from({ length: first }, () => this.#addWorker()));
    if (this.#over !== null) throw this.#over.error;
    if (workersFor !== undefined) this.#maxWorkers = Math.min(this.#maxWorkers, workersFor(facts[0] ?? {}));
  }

  async run(chunk: Chunk, onPart?: OnPart): Promise<ChunkEnd> {
    const ends: ChunkEnd[] = [];
    const add = onPart ?? (({ end }: ChunkPart) => void ends.push(end));
    const onDone = (part: ChunkPart) => {
      this.#hasDone = true;
      add(part);
    };
    let isCareful = false;
    for (let rest = chunk; rest.lineCount > 0; ) {
      const worker = await this.#take();
      const progress = await worker.run(rest, isCareful, onDone);
      if (progress.how === "lost") throw this.#lost(worker, progress.reason);
      if (progress.how === "done") {
        this.#give(worker);
        break;
      }
      this.#drop(worker);
      [, rest] = splitChunk(rest, progress.lines);
      if (progress.isExact) {
        const [end, after] = this.#timedOut(rest);
        add({ lineCount: rest.lineCount - after.lineCount, end });
        rest = after;
      }
      // Some records before the stuck one may have been done and not told of: then it is found with the next worker.
      isCareful = !progress.isExact;
    }
    return joinEnds(ends, this.#options.tally?.merge);
  }

  async close(): Promise<void> {
    this.#call.signal.removeEventListener("abort", this.#onAbort);
    this.#endWith(new Error("the processor is closed"));
    await Promise.all([...this.#living].map((worker) => worker.end()));
  }

  /** Resolves when it is ready, with what it says of itself, or when it is clear that there will be none. */
  async #addWorker(isReplacing = false): Promise<JsonObject | undefined> {
    if (!isReplacing) this.#workers++;
    for (let starts = 1; this.#over === null; starts++) {
      const { recordTimeoutMs, print } = this.#call;
      const worker = new Worker({ ...this.#options, recordTimeoutMs, print });
      this.#living.add(worker);
      void worker.ended.then(() => this.#living.delete(worker));
      const readiness = await worker.ready;
      if (readiness.problem === null) {
        this.#attend(worker);
        return readiness.facts;
      }
      worker.kill();
      if (readiness.isFinal || (starts === maxStarts && this.#workers === 1)) {
        this.#giveUp(readiness.problem);
        return undefined;
      }
      if (starts === maxStarts) {
        // The others go on, and the next chunk that has to wait tries for one more.
        this.#workers--;
        return undefined;
      }
      await sleep(firstDelayMs * 2 ** (starts - 1));
    }
    return undefined;
  }

  #attend(worker: Worker): void {
    void worker.ended.then(() => {
      if (worker.failure !== null) this.#giveUp(worker.failure);
      const at = this.#idle.indexOf(worker);
      if (at === -1) return; // it had a chunk, and whoever gave it that sees to it
      this.#idle.splice(at, 1);
      void this.#addWorker(true);
    });
    this.#give(worker);
  }

  #take(): Promise<Worker> {
    if (this.#over !== null) return Promise.reject(this.#over.error);
    const worker = this.#idle.pop();
    if (worker !== undefined) return Promise.resolve(worker);
    if (this.#workers < this.#maxWorkers) void this.#addWorker();
    return new Promise((give, refuse) => this.#waiting.push({ give, refuse }));
  }

  #give(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(worker);
    else next.give(worker);
  }

  /** It is not to be used again; another takes its place. */
  #drop(worker: Worker): void {
    worker.kill();
    void this.#addWorker(true);
  }

  #lost(worker: Worker, reason: string): unknown {
    if (this.#over !== null) return this.#over.error;
    if (worker.failure !== null) return this.#giveUp(worker.failure);
    if (!this.#hasDone && ++this.#lostCount >= maxLostAtFirst) {
      return this.#giveUp(`${maxLostAtFirst} ended before a single record was done; the last ${reason}`);
    }
    this.#drop(worker);
    return new SwarmError("SWARM_BATCH_WORKER_LOST", { how: reason });
  }

  #timedOut(rest: Chunk): readonly [ChunkEnd, Chunk] {
    const { idField, recordTimeoutMs } = this.#call;
    const rows = new Rows();
    for (const record of recordsOf(rest, idField)) {
      if (record.problem !== null) {
        rows.failed(record, record.problem.class, record.problem.message);
        continue; // no worker has to do with it
      }
      rows.failed(record, "timeout", `it took longer than ${recordTimeoutMs / 1_000} s`, recordTimeoutMs);
      return [rows.take(), splitChunk(rest, record.line - rest.firstLine + 1)[1]];
    }
    return [rows.take(), splitChunk(rest, rest.lineCount)[1]];
  }

  #giveUp(problem: string): unknown {
    return this.#endWith(
      new SwarmError("SWARM_BATCH_START_FAILED", { processor: this.#options.name, problem }),
    );
  }

  /** The first reason is the one that holds. */
  #endWith(error: unknown): unknown {
    this.#over ??= { error };
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.#over.error);
    return this.#over.error;
  }

  readonly #onAbort = (): void => {
    this.#endWith(this.#call.signal.reason);
    for (const worker of this.#living) worker.kill();
  };
}
