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
  // The global one: it is loaded when first used, and a hook without a daemon is over before that.
  monotonicMs: () => performance.now(),
  setTimer: (callback, delayMs) => setTimeout(callback, delayMs),
};
