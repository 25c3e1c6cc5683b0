const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `3 minutes ago`; in whole units, and never in the future: clocks differ. */
export function ago(time: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(time)) / 1_000;
  for (const [unit, length] of units) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
