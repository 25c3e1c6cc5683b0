import { availableParallelism } from "node:os";
import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Chunk, ChunkEnd, Processor, ProcessorCall, ProcessorKind } from "../../ports/processor.ts";
import type { EchoedChunk } from "./echo-chunk.ts";

/** The source, or what was built of it: whichever this file is. */
const program = join(import.meta.dirname, `echo-thread${extname(import.meta.filename)}`);

/** Little is let pile up before V8 clears away: nothing a thread makes outlives its chunk. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Records as they come. For trying things out, and for knowing what a run costs without the work. */
export const echo: ProcessorKind = {
  doc: "Answers each record with itself.",
  fields: {},
  async open(_config, call) {
    call.signal.throwIfAborted();
    return new Echo(call);
  },
};

/** Threads, not processes: the code is ours, nothing in it can take the runner down. */
class Echo implements Processor {
  readonly #threads: readonly EchoThread[];

  constructor({ concurrency, idField, signal }: ProcessorCall) {
    // More threads than cores make nothing faster.
    const count = Math.min(concurrency, availableParallelism());
    this.#threads = Array.from({ length: count }, () => new EchoThread(idField));
    signal.addEventListener("abort", () => void this.close(), { once: true });
  }

  run(chunk: Chunk): Promise<ChunkEnd> {
    const [first, ...others] = this.#threads;
    const idlest = others.reduce(
      (best, thread) => (thread.waiting < (best?.waiting ?? 0) ? thread : best),
      first,
    );
    if (idlest === undefined) throw new Error("a processor without threads");
    return idlest.run(chunk);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

type Answer = EchoedChunk & { readonly ms: number };

/** Answers come in the order of what was asked. */
class EchoThread {
  readonly #worker: Worker;
  readonly #asked: { resolve(end: ChunkEnd): void; reject(error: Error): void }[] = [];

  constructor(idField: string) {
    this.#worker = new Worker(program, { workerData: { idField }, resourceLimits });
    this.#worker.on("message", (answer: Answer) => this.#asked.shift()?.resolve(endOf(answer)));
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread of the echo processor has ended")));
  }

  get waiting(): number {
    return this.#asked.length;
  }

  run({ firstLine, lineCount, lines }: Chunk): Promise<ChunkEnd> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      // A copy is a fiftieth of the work, and the chunk stays whole for whoever gave it.
      const copy = new Uint8Array(lines);
      this.#worker.postMessage({ firstLine, lineCount, lines: copy }, [copy.buffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#asked.splice(0)) reject(error);
  }
}

function endOf({ results, errors, ms, ...rest }: Answer): ChunkEnd {
  const count = rest.doneCount + rest.failedCount;
  return {
    ...rest,
    results: asBuffer(results),
    errors: asBuffer(errors),
    latenciesMs: new Float64Array(count).fill(ms / Math.max(count, 1)),
  };
}

/** What comes from a thread is a plain array of bytes. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
