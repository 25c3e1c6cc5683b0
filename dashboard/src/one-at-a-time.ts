const settleMs = 250;

/**
 * Asked for, it runs: at once, or, while it runs, once more a little later, however often it is asked for meanwhile. Rows
 * come in hundreds, and each would have the daemon read the same list again.
 */
export function oneAtATime(run: () => Promise<void>): () => void {
  let [isRunning, isAsked] = [false, false];
  const runWhileAsked = async (): Promise<void> => {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await run();
      await new Promise((resolve) => setTimeout(resolve, settleMs));
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void runWhileAsked();
  };
}
