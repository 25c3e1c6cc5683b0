import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Claimed, ClaimWish, Leases } from "./leases.ts";
import type { Task } from "./port/task.ts";

/** Another process may have made a task ready, or a pause may be over: nothing here says so. */
const lookAgainMs = 2_000;

/** Claims a task as soon as one is ready. A waiting agent costs one statement every other second and no model call. */
export class ClaimWhenReady {
  readonly #leases: Pick<Leases, "claim">;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #changes = 0;

  constructor(leases: Pick<Leases, "claim">, clock: Clock) {
    this.#leases = leases;
    this.#clock = clock;
  }

  /** A task that is open, or has landed and was waited for by others, may have made one ready. */
  noteTask({ state }: Pick<Task, "state">): void {
    if (state !== "open" && state !== "landed") return;
    this.#changes++;
    for (const wake of this.#waiting) wake();
  }

  /** Throws SWARM_TASK_NONE_READY when the time is over; nothing is claimed for a caller who has gone. */
  async claim(wish: ClaimWish, waitMs: number, signal?: AbortSignal): Promise<Claimed> {
    const untilMs = this.#clock.monotonicMs() + waitMs;
    for (;;) {
      const seen = this.#changes;
      try {
        return await this.#leases.claim(wish);
      } catch (error) {
        if (!(error instanceof SwarmError) || error.code !== "SWARM_TASK_NONE_READY") throw error;
        const leftMs = untilMs - this.#clock.monotonicMs();
        if (leftMs <= 0 || isAborted(signal)) throw error;
        // One that came while this was asked has woken no one.
        if (seen === this.#changes) await this.#sleep(Math.min(leftMs, lookAgainMs), signal);
        if (isAborted(signal)) throw error;
      }
    }
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        timer.close();
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = this.#clock.setTimer(wake, ms);
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake);
    });
  }
}

/** It changes while it is waited. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
