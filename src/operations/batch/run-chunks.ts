import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { errorRow, hashIdText } from "./port/batch-rows.ts";
import type { ChunkEnd, ChunkPart, Processor, ProcessorTally } from "./port/processor.ts";
import { ChunkSize } from "./chunk-size.ts";
import { FinishedParts } from "./finished.ts";
import { runIsolated } from "./isolate.ts";
import { type Piece, type PieceReader, pieceLimits } from "./piece-reader.ts";
import type { RunSpec } from "./run-spec.ts";
import type { RunWriter } from "./run-writer.ts";

export interface RunChunksOptions {
  readonly spec: RunSpec;
  readonly reader: PieceReader;
  readonly processor: Processor;
  readonly tally: ProcessorTally | undefined;
  readonly writer: RunWriter;
  /** Records that had failed when the run was taken up. */
  readonly failedCount: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Ends every worker at once; what they have told by then is still passed on. */
  readonly endWorkers: () => void;
}

/**
 * Of records under way, results that wait for their turn and results that wait for the disk, all together: four chunks for
 * each worker. With four times as much a run took as long, and half as much memory again.
 */
const maxBytesPerWorker = 1024 * 1024;
/** Chunks that may be ahead of the one whose results are to be written next, for each that is under way. */
const maxAhead = 16;

/** Chunks under way when a run is stopped get this long: quick ones are finished by then, slow ones told of each record. */
const graceMs = 100;
/** Workers that were ended get this long until what they have told is read. */
const endMs = 1_000;

/** Gives every chunk that is left to the processor, and what it came to to the writer. */
export async function runChunks(options: RunChunksOptions): Promise<void> {
  const flow = new Flow(options);
  const { reader } = options;
  try {
    for (;;) {
      // Read before there is a worker for it, so that none waits for the disk.
      const piece = await reader.next(flow.chunkLines);
      if (piece === null) break;
      await flow.room();
      flow.start(piece);
    }
    await flow.empty();
  } catch (error) {
    await flow.letGo();
    throw error;
  }
}

class Flow {
  readonly #options: RunChunksOptions;
  readonly #size: ChunkSize;
  #underWay = 0;
  #bytes = 0;
  #failed: number;
  #problem: unknown = null;
  #wake: () => void = () => undefined;

  constructor(options: RunChunksOptions) {
    const { spec, processor, writer, failedCount, signal } = options;
    this.#options = options;
    this.#size = new ChunkSize(spec.chunk_records, processor.isOneCall ?? false);
    this.#failed = failedCount;
    writer.onChange = () => this.#wake();
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  get chunkLines(): number {
    return this.#size.lines;
  }

  /** Until another chunk may be read. Whatever has gone wrong is thrown here. */
  async room(): Promise<void> {
    await this.#until(() => {
      const { writer, spec } = this.#options;
      const { concurrency } = spec;
      const isAhead = this.#underWay + writer.earlyCount >= concurrency * maxAhead;
      const isFull = this.#bytes + writer.waitingBytes >= concurrency * maxBytesPerWorker;
      return this.#underWay < concurrency && !isAhead && !isFull;
    });
  }

  /** Until everything that was started is written. */
  async empty(): Promise<void> {
    await this.#until(() => this.#underWay === 0);
    await this.#options.writer.drain();
    this.#throwProblem();
  }

  /** Until no chunk is under way any more: what is finished is passed on, what is not is ended. */
  async letGo(): Promise<void> {
    const { writer, endWorkers } = this.#options;
    if (writer.problem === null) await this.#untilEmptyOr(graceMs);
    endWorkers();
    await this.#untilEmptyOr(endMs);
  }

  start(piece: Piece): void {
    const startedMs = this.#options.clock.monotonicMs();
    this.#underWay++;
    this.#bytes += bytesOf(piece);
    this.#run(piece)
      .then(() => {
        this.#size.took(piece.to_lines - piece.from_lines, this.#options.clock.monotonicMs() - startedMs);
      })
      .catch((error: unknown) => {
        this.#problem ??= error;
      })
      .finally(() => {
        this.#underWay--;
        this.#bytes -= bytesOf(piece);
        this.#wake();
      });
  }

  async #run(piece: Piece): Promise<void> {
    const { processor, spec, tally, writer } = this.#options;
    const parts = new FinishedParts(piece);
    const onPart = (part: ChunkPart) => {
      writer.add(parts.next(part));
      this.#countFailed(part.end.failedCount);
    };
    const end =
      piece.chunk === null
        ? tooLong(piece)
        : await runIsolated(processor, piece.chunk, { idField: spec.id_field, tally, onPart });
    if (parts.leftLines > 0) onPart({ lineCount: parts.leftLines, end });
  }

  async #untilEmptyOr(delayMs: number): Promise<void> {
    let isLate = false;
    const timer = this.#options.clock.setTimer(() => {
      isLate = true;
      this.#wake();
    }, delayMs);
    while (this.#underWay > 0 && !isLate) await this.#change();
    timer.close();
  }

  async #until(isTime: () => boolean): Promise<void> {
    for (;;) {
      this.#throwProblem();
      if (isTime()) return;
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #throwProblem(): void {
    const { signal, writer } = this.#options;
    signal.throwIfAborted();
    const problem = this.#problem ?? writer.problem;
    if (problem !== null) throw problem;
  }

  /** What is resumed beyond its limit goes on until the next record fails. */
  #countFailed(count: number): void {
    const limit = this.#options.spec.max_errors;
    this.#failed += count;
    if (limit === null || count === 0 || this.#failed <= limit) return;
    this.#problem ??= new SwarmError("SWARM_BATCH_TOO_MANY_ERRORS", { failed: this.#failed, limit });
  }
}

function bytesOf({ from_bytes, to_bytes, chunk }: Piece): number {
  return chunk === null ? 0 : to_bytes - from_bytes;
}

function tooLong({ from_bytes, to_bytes, from_lines }: Piece): ChunkEnd {
  const line = from_lines + 1;
  const message = `a line of ${to_bytes - from_bytes} bytes, expected at most ${pieceLimits.lineBytes}`;
  const idHashes = new Uint32Array(2);
  hashIdText(String(line), idHashes, 0);
  return {
    results: Buffer.alloc(0),
    errors: Buffer.from(errorRow(String(line), line, "too_long", message)),
    doneCount: 0,
    failedCount: 1,
    errorClasses: { too_long: 1 },
    idHashes,
    latenciesMs: new Float64Array(1),
  };
}
