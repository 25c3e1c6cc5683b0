import type { Progress } from "../scan.ts";

/** As often as anybody can read it. */
const everyMs = 100;

/** One line on a terminal's stderr, written over and over; nothing where nobody looks. */
export function progressLine(): { show(progress: Progress): void; clear(): void } {
  if (process.stderr.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shownAtMs = performance.now();
  let isShown = false;
  return {
    show({ readBytes, totalBytes }) {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < everyMs) return;
      shownAtMs = nowMs;
      isShown = true;
      const percent = totalBytes === 0 ? 100 : Math.min(100, Math.floor((readBytes / totalBytes) * 100));
      process.stderr.write(`\r\u001b[Kreading transcripts: ${percent} % of ${megabytes(totalBytes)} MB`);
    },
    clear() {
      if (isShown) process.stderr.write("\r\u001b[K");
    },
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}
