import type { Fields, JsonObject } from "../../../engine/events/schema.ts";

/** Something that can be scheduled. One suite (`task.cases.ts`) holds for every kind. */
export interface TaskKind {
  readonly doc: string;
  /** What its configuration may say. */
  readonly fields: Fields;
  /**
   * What is wrong with a configuration whose fields are of the right types, as "option: what was expected"; null: nothing.
   * `cwd` is the job's folder, for what only files there can tell.
   */
  check?(config: JsonObject, cwd?: string): { readonly option: string; readonly expected: string } | null;
  /** What a run would do if it began now, a line each, without doing it; a kind that has none is told by its `doc`. */
  plan?(config: JsonObject, cwd: string): Promise<readonly string[]>;
  /**
   * Does it. A failure is told by what is returned or thrown. When the signal is aborted it must let go within seconds;
   * whoever aborts it knows why, so what it returns then counts for nothing.
   */
  run(config: JsonObject, call: TaskCall): Promise<TaskEnd>;
}

export interface TaskCall {
  readonly job_id: string;
  readonly run_id: string;
  readonly name: string;
  readonly scheduled_at: string;
  readonly attempt: number;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What it prints; kept up to a bound, whatever comes. */
  readonly print: (output: string | Buffer) => void;
}

export interface TaskEnd {
  /** Null when it has none, or a signal ended it. */
  readonly exitCode: number | null;
  /** Why it failed; null: it did not. */
  readonly problem: string | null;
  /** What somebody should look at although it was done; shown with the run. */
  readonly finding?: string | null;
}
