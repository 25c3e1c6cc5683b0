import type { ToolCall } from "../handlers.ts";

/** One way to do the job. All contestants of a scene run in one process and take turns. */
export interface Contestant {
  /** Unique in its scene; for those that are not ours, the row's "against". */
  readonly name: string;
  /** Whether `run` is done when it returns. If not, each run is awaited before the next one starts. */
  readonly isSync: boolean;
  run(call: ToolCall): unknown;
  /** The call after all rewrites, out of what `run` came to and the call it was given; null when denied. Never timed. */
  read(result: unknown, call: ToolCall): ToolCall | null;
  /** Makes the index-th call; an ordinary `Bash` call when left out. Never timed. */
  call?(index: number): ToolCall;
}
