/** Time as the engine sees it; tests put one in its place that they move by hand (`swarm-hooks/testing`). */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds that never go back, for deadlines and durations. */
  monotonicMs(): number;
  setTimer(callback: () => void, delayMs: number): Timer;
}

/** A pending timer. */
export interface Timer {
  close(): unknown;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return { close: () => clearTimeout(timer) };
  },
};
