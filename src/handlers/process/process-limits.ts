/** What one child process may take, and how long it is given to leave. */
export interface ProcessLimits {
  /** Standard output beyond this is a flood: what comes back is an answer of a few hundred bytes, not data. */
  readonly stdoutBytes: number;
  /** Standard error beyond this is read and dropped: a chatty program is not a broken one. */
  readonly stderrBytes: number;
  /** A flood goes on into a file up to this size; then the child is ended. */
  readonly spillBytes: number;
  /** Between asking the process group to end and ending it. */
  readonly killGraceMs: number;
  /**
   * How long open pipes are waited for once nothing more is expected from them. The rest of a pipe is read in one or
   * two turns of the event loop, so this only costs time when somebody else still holds it open.
   */
  readonly drainMs: number;
  /** Whether programs started without a shell get resource limits too; see `with-ulimits.ts` for what it costs. */
  readonly ulimits: boolean;
  /** The start of a command line that gives a program a process namespace of its own; null: it shares ours. */
  readonly namespace: readonly [string, ...string[]] | null;
}

export const defaultProcessLimits: ProcessLimits = {
  stdoutBytes: 1024 * 1024,
  stderrBytes: 64 * 1024,
  spillBytes: 64 * 1024 * 1024,
  killGraceMs: 500,
  drainMs: 50,
  ulimits: false,
  namespace: null,
};
