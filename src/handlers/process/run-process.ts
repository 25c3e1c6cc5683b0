import { ChildRun } from "./child-run.ts";
import { defaultProcessLimits, type ProcessLimits } from "./process-limits.ts";

/**
 * Starts one program, feeds it, and settles when it is over: by its own exit, or by our deadline whatever it does.
 * It never rejects; every way to end is a value.
 */
export function runProcess(spec: ProcessSpec, limits: Partial<ProcessLimits> = {}): Promise<ProcessResult> {
  return new Promise((resolve) => {
    new ChildRun(spec, { ...defaultProcessLimits, ...limits }, resolve).start();
  });
}

/** What is started, and where. */
export interface Program {
  /** Without a shell; a shell line is `["/bin/sh", "-c", line]`. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment but for the run's mark, `SWARM_RUN`: nothing of this process's own is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it has two pipes besides the usual three: it reads from descriptor 3 and writes to 4. */
  readonly hasChannel?: boolean;
}

export interface ProcessSpec extends Program {
  readonly stdin: string;
  readonly timeoutMs: number;
  /** When it is aborted the child is ended as by its deadline. */
  readonly signal?: AbortSignal;
  /** Where the whole output goes when it is over the limit; null: the rest is dropped and the child ended at once. */
  readonly spillFolder: string | null;
  /** Given: gets the output of both streams as it comes, and must be done with it when it returns; none is too much then. */
  readonly print?: (output: Buffer) => void;
}

export interface ProcessResult {
  readonly ending: ProcessEnding;
  /** Both texts are complete up to their limit, and never end within a character. */
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export type ProcessEnding =
  | { readonly how: "exited"; readonly exitCode: number }
  | { readonly how: "signalled"; readonly signal: string }
  | { readonly how: "timed_out" }
  | { readonly how: "cancelled" }
  /** The path is null when there was no folder, or the file could not be written. */
  | { readonly how: "flooded"; readonly spillPath: string | null }
  /** A missing program, one that is not executable, a bad folder, too many processes. */
  | { readonly how: "not_started"; readonly error: string };
