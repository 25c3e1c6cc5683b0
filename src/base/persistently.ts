import type { Clock } from "./clock.ts";
import { SwarmError } from "./errors.ts";

export interface PersistentlyOptions {
  readonly clock: Clock;
  /** When it is aborted the next failure is the last. */
  readonly signal: AbortSignal;
  readonly onProblem: (error: SwarmError) => void;
}

const retryMs = 5_000;
const passing = ["SWARM_STORE_FULL", "SWARM_STORE_BUSY"];

/**
 * Tries until the store takes it: a disk is full for a while. Whatever else is wrong with it is told and not tried again.
 * Tells whether it was taken.
 */
export async function persistently(
  write: () => Promise<unknown>,
  options: PersistentlyOptions,
): Promise<boolean> {
  const { clock, signal, onProblem } = options;
  for (;;) {
    try {
      await write();
      return true;
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      onProblem(error);
      if (signal.aborted || !passing.includes(error.code)) return false;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          timer.close();
          signal.removeEventListener("abort", wake);
          resolve();
        };
        const timer = clock.setTimer(wake, retryMs);
        signal.addEventListener("abort", wake);
      });
    }
  }
}
