import { performance } from "node:perf_hooks";

/** Time as the engine sees it; tests put one in its place that they move by hand (`swarm-hooks/testing`). */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds that never go back, for deadlines and durations. */
  monotonicMs(): number;
  setTimer(callback: () => void, delayMs: number): Timer;
}

/** A pending timer. Node's own `Timeout` is one. */
export interface Timer {
  close(): unknown;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer: (callback, delayMs) => setTimeout(callback, delayMs),
};
