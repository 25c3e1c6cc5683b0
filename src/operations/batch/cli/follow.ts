import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../../cli/client.ts";
import { printError } from "../../../cli/print.ts";
import { type BatchStatus, barText, isOver, progressText } from "./progress-text.ts";

const lookEveryMs = 200;
/** A log is not to be filled with what a terminal would show in one place. */
const lineEveryMs = 5_000;

/** Looks at a run until it is over, and shows how far it has come; null when we are to stop looking. */
export async function followRun(
  client: Client,
  runId: string,
  signal: AbortSignal,
  isQuiet: boolean,
): Promise<BatchStatus | null> {
  const shown = isQuiet ? nothing : process.stderr.isTTY === true ? bar() : lines();
  try {
    for (;;) {
      const run = await client.call("batchStatus", { params: { run_id: runId } });
      if (isOver(run)) return run;
      shown.show(run);
      await pause(lookEveryMs, null, { signal }).catch(() => undefined);
      if (signal.aborted) return null;
    }
  } finally {
    shown.clear();
  }
}

interface Shown {
  show(run: BatchStatus): void;
  clear(): void;
}

const nothing: Shown = { show: () => undefined, clear: () => undefined };

/** One line of a terminal, written over and over. */
function bar(): Shown {
  return {
    show: (run) => void process.stderr.write(`\r\u001b[K${fitted(barText(run))}`),
    clear: () => void process.stderr.write("\r\u001b[K"),
  };
}

/** What is longer than the terminal would be two lines, of which only one is written over. Some say they have no columns. */
function fitted(text: string): string {
  return text.slice(0, (process.stderr.columns || 80) - 1);
}

function lines(): Shown {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let state = "";
  return {
    show(run) {
      const nowMs = performance.now();
      if (run.state === state && nowMs - shownAtMs < lineEveryMs) return;
      shownAtMs = nowMs;
      state = run.state;
      printError(`${run.run_id} ${progressText(run)}\n`);
    },
    clear: () => undefined,
  };
}
