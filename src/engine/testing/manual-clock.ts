import type { Clock, Timer } from "../../base/clock.ts";
import { nextTurn } from "../../base/next-turn.ts";

/** A clock that stands still until it is told how far to move. */
export interface ManualClock extends Clock {
  /**
   * Moves time on, firing timers in the order they are due, each at its own time. Between timers the promises they
   * settled get their turn, so that what follows from one timer is there before the next fires.
   */
  advance(ms: number): Promise<void>;
  /** Sets what the clock on the wall shows, forward or back; timers and the monotonic clock know nothing of it. */
  setWall(byMs: number): void;
  /** Timers that have not fired and were not closed. */
  readonly pendingTimers: number;
}

interface PendingTimer extends Timer {
  readonly dueAtMs: number;
  readonly callback: () => void;
}

export function manualClock(startMs = 1_700_000_000_000): ManualClock {
  let elapsedMs = 0;
  let setByMs = 0;
  const timers = new Set<PendingTimer>();

  const nextDueBy = (limitMs: number): PendingTimer | undefined =>
    [...timers].filter((timer) => timer.dueAtMs <= limitMs).sort((a, b) => a.dueAtMs - b.dueAtMs)[0];

  return {
    now: () => startMs + elapsedMs + setByMs,
    monotonicMs: () => elapsedMs,
    setTimer(callback, delayMs) {
      const timer: PendingTimer = {
        dueAtMs: elapsedMs + delayMs,
        callback,
        close: () => timers.delete(timer),
      };
      timers.add(timer);
      return timer;
    },
    async advance(ms) {
      const endMs = elapsedMs + ms;
      await promisesSettled();
      for (let timer = nextDueBy(endMs); timer !== undefined; timer = nextDueBy(endMs)) {
        elapsedMs = timer.dueAtMs;
        timers.delete(timer);
        timer.callback();
        await promisesSettled();
      }
      elapsedMs = endMs;
      await promisesSettled();
    },
    setWall(byMs) {
      setByMs += byMs;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

function promisesSettled(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}
