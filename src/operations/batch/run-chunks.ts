import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { errorRow, hashIdText } from "./port/batch-rows.ts";
import type { ChunkEnd, Processor, ProcessorTally } from "./port/processor.ts";
import { ChunkSize } from "./chunk-size.ts";
import { runIsolated } from "./isolate.ts";
import { type Piece, type PieceReader, pieceLimits } from "./piece-reader.ts";
import type { RunSpec } from "./run-spec.ts";
import type { RunTotals } from "./run-totals.ts";
import type { RunWriter } from "./run-writer.ts";

export interface RunChunksOptions {
  readonly spec: RunSpec;
  readonly reader: PieceReader;
  readonly processor: Processor;
  readonly tally: ProcessorTally | undefined;
  readonly writer: RunWriter;
  readonly totals: RunTotals;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Of records under way, results that wait for their turn and results that wait for the disk, all together: four chunks for
 * each worker. With four times as much a run took as long, and half as much memory again.
 */
const maxBytesPerWorker = 1024 * 1024;
/** Chunks that may be ahead of the one whose results are to be written next, for each that is under way. */
const maxAhead = 16;

/** Gives every chunk that is left to the processor, and what it came to to the writer. */
export async function runChunks(options: RunChunksOptions): Promise<void> {
  const flow = new Flow(options);
  const { reader } = options;
  for (;;) {
    // Read before there is a worker for it, so that none waits for the disk.
    const piece = await reader.next(flow.chunkLines);
    if (piece === null) break;
    await flow.room();
    flow.start(piece);
  }
  await flow.empty();
}

class Flow {
  readonly #options: RunChunksOptions;
  readonly #size: ChunkSize;
  /** Came back before their turn, by their number. */
  readonly #early = new Map<number, { readonly piece: Piece; readonly end: ChunkEnd }>();
  #underWay = 0;
  #bytes = 0;
  #started = 0;
  #passedOn = 0;
  #failed: number;
  #problem: unknown = null;
  #wake: () => void = () => undefined;

  constructor(options: RunChunksOptions) {
    this.#options = options;
    this.#size = new ChunkSize(options.spec.chunk_records);
    this.#failed = options.totals.failedCount;
    options.writer.onChange = () => this.#wake();
    options.signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  get chunkLines(): number {
    return this.#size.lines;
  }

  /** Until another chunk may be read. Whatever has gone wrong is thrown here. */
  async room(): Promise<void> {
    await this.#until(() => {
      const { concurrency } = this.#options.spec;
      const isAhead = this.#started - this.#passedOn >= concurrency * maxAhead;
      const isFull = this.#bytes + this.#options.writer.queuedBytes >= concurrency * maxBytesPerWorker;
      return this.#underWay < concurrency && !isAhead && !isFull;
    });
  }

  /** Until everything that was started is written. */
  async empty(): Promise<void> {
    await this.#until(() => this.#underWay === 0);
    await this.#options.writer.drain();
    this.#throwProblem();
  }

  start(piece: Piece): void {
    const number = this.#started++;
    const startedMs = this.#options.clock.monotonicMs();
    this.#underWay++;
    this.#bytes += sizeOf(piece);
    this.#run(piece)
      .then((end) => {
        this.#size.took(piece.to_lines - piece.from_lines, this.#options.clock.monotonicMs() - startedMs);
        this.#bytes += end.results.length - sizeOf(piece);
        this.#pass(number, piece, end);
        this.#countFailed(end.failedCount);
      })
      .catch((error: unknown) => {
        this.#problem ??= error;
      })
      .finally(() => {
        this.#underWay--;
        this.#wake();
      });
  }

  async #run(piece: Piece): Promise<ChunkEnd> {
    const { processor, spec, tally } = this.#options;
    return piece.chunk === null
      ? tooLong(piece)
      : runIsolated(processor, piece.chunk, { idField: spec.id_field, tally });
  }

  /** On to the writer: as it comes, or when all before it have gone. */
  #pass(number: number, piece: Piece, end: ChunkEnd): void {
    if (this.#options.spec.order === "completion") {
      this.#write(piece, end);
      return;
    }
    this.#early.set(number, { piece, end });
    for (
      let next = this.#early.get(this.#passedOn);
      next !== undefined;
      next = this.#early.get(this.#passedOn)
    ) {
      this.#early.delete(this.#passedOn);
      this.#write(next.piece, next.end);
    }
  }

  #write(piece: Piece, end: ChunkEnd): void {
    this.#passedOn++;
    this.#bytes -= end.results.length;
    this.#options.writer.add(piece, end);
  }

  async #until(isTime: () => boolean): Promise<void> {
    for (;;) {
      this.#throwProblem();
      if (isTime()) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
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

function sizeOf({ from_bytes, to_bytes, chunk }: Piece): number {
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
