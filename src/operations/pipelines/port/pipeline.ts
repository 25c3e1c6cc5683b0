/** Words, run without a shell, or a line for `/bin/sh`. */
export type StepCommand = readonly string[] | string;

/** One command of a pipeline. */
export interface PipelineStep {
  readonly name: string;
  readonly run: StepCommand;
  /** Steps that have to be done before. */
  readonly needs: readonly string[];
  /** Paths and globs, from the pipeline's folder: what the step reads. */
  readonly inputs: readonly string[];
  /** Paths of files and folders it makes. */
  readonly outputs: readonly string[];
  /** Code it needs beside what its command names, as paths and globs; approved with it. */
  readonly files: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** How often it is tried again when it fails. */
  readonly retries: number;
  /** A JSON file of numbers it makes; one of its outputs. */
  readonly metrics: string | null;
}

/** Where the data come from: the newest file a glob finds, or the path a command prints. */
export type DataSource = { readonly pattern: string } | { readonly command: StepCommand };

/** Steps that make a model of data, as a configuration file declares them. */
export interface Pipeline {
  readonly name: string;
  readonly source: { readonly file: string; readonly line: number; readonly column: number };
  /** Where its steps run, absolute. */
  readonly folder: string;
  /** What its runs make versions of. */
  readonly model: string;
  readonly data: DataSource | null;
  /** Steps at once. */
  readonly maxParallel: number;
  /** In an order in which each comes after those it needs. */
  readonly steps: readonly PipelineStep[];
}

/** What pipelines, steps, models and stages may be called: they stand in addresses and paths. */
export const pipelineName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const pipelineNameWords = "a letter, then at most 63 letters, digits, _ or -";
