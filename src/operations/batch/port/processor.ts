import type { Fields, JsonObject } from "../../../engine/events/schema.ts";

/** What is done to the records of a batch run. One suite (`processor.cases.ts`) holds for every kind. */
export interface ProcessorKind {
  readonly doc: string;
  /** What its configuration may say. */
  readonly fields: Fields;
  /** What is wrong with a configuration whose fields are of the right types, as "option: what was expected"; null: nothing. */
  check?(config: JsonObject): { readonly option: string; readonly expected: string } | null;
  /**
   * Paths in a configuration whose files run code when they are loaded: a run starts only when their bytes are approved,
   * and loads them from the `copies` it is given.
   */
  codeFiles?(config: JsonObject): readonly string[];
  /** Starts its workers. It throws when there can be none: a module that is missing, a model that is not trusted. */
  open(config: JsonObject, call: ProcessorCall): Promise<Processor>;
  /** How the tallies of its chunks add up; none: it counts nothing of its own. */
  readonly tally?: ProcessorTally;
}

export interface ProcessorCall {
  readonly run_id: string;
  /** Relative paths of the configuration start here. */
  readonly cwd: string;
  /** Workers, and so chunks, at once. */
  readonly concurrency: number;
  /** Per record; a record that takes longer fails, with its worker if need be. */
  readonly recordTimeoutMs: number;
  /** The field that names a record; a record without it is named by the number of its line. */
  readonly idField: string;
  readonly env: NodeJS.ProcessEnv;
  /** How its programs are contained, as those of command hooks. */
  readonly sandbox: "off" | "strict";
  /** Of each of `codeFiles`, as the configuration writes it, where the approved bytes are. */
  readonly copies?: Readonly<Record<string, TrustedCopy>>;
  /** When it is aborted the workers are ended and every chunk under way is rejected. */
  readonly signal: AbortSignal;
  /** What workers print that is no answer; kept up to a bound, whatever comes. */
  readonly print: (output: string | Buffer) => void;
}

/** Where the approved bytes of a file are to be loaded from. */
export interface TrustedCopy {
  readonly sha256: string;
  readonly copy: string;
}

export interface Processor {
  /** Whether a chunk's records are done in one call, which may take as long for one of them as for many. */
  readonly isOneCall?: boolean;
  /**
   * Does one chunk; at most `concurrency` are under way at once. A record that fails is an error row of what it resolves
   * to. `onPart` is given what is finished before the chunk is, in the order of its lines; what it resolves to covers the
   * lines that follow. It rejects with SWARM_BATCH_WORKER_LOST when the worker that had the chunk is gone: no more of the
   * chunk counts than its parts, another worker is there, and the rest may be given again, whole or cut. Parts and what it
   * resolves to are the caller's: the memory of their rows is given back as soon as they are written.
   */
  run(chunk: Chunk, onPart?: OnPart): Promise<ChunkEnd>;
  close(): Promise<void>;
}

export type OnPart = (part: ChunkPart) => void;

/** What became of the next lines of a chunk. */
export interface ChunkPart {
  readonly lineCount: number;
  readonly end: ChunkEnd;
}

/** A stretch of the input: whole lines, blank ones among them. */
export interface Chunk {
  /** Number of its first line in the input, from 1. */
  readonly firstLine: number;
  readonly lineCount: number;
  /** The bytes, each line with its newline; the last of a file may lack it. */
  readonly lines: Buffer;
}

/** What became of a chunk. Rows are in the order of its records. */
export interface ChunkEnd {
  /** Rows for results.jsonl: `{"record_id":"r1","output":…}`, each with its newline. */
  readonly results: Buffer;
  /** Rows for errors.jsonl: `{"record_id":"r1","line":12,"error":{"class":"timeout","message":"…"}}`, each with its newline. */
  readonly errors: Buffer;
  readonly doneCount: number;
  readonly failedCount: number;
  readonly errorClasses: Readonly<Record<string, number>>;
  /** One pair per record, in order: a 64-bit hash of its id in two halves. For finding duplicates. */
  readonly idHashes: Uint32Array;
  /** Milliseconds of work per record, or per chunk divided by its records where nothing finer is known; for percentiles. */
  readonly latenciesMs: Float64Array;
  /** What the kind counts besides; added up by its `tally`. */
  readonly tally?: JsonObject;
}

/** Sums that can be kept in a checkpoint, merged in any order, and told at the end. */
export interface ProcessorTally {
  merge(sum: JsonObject | null, tally: JsonObject): JsonObject;
  /** As stats.json has it. */
  summary(sum: JsonObject): JsonObject;
}
