/** Null when a signal came first: then everything that was started is ended, and nothing is left behind. */
export async function untilSignalled<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return null;
    throw error;
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}
