import type { Period } from "../summary.ts";

const units = {
  h: ["hour", 3_600_000],
  d: ["day", 86_400_000],
  w: ["week", 604_800_000],
} as const;

/** `30d`, a date, or `all`; null where it is none of them. */
export function periodOf(text: string, nowMs: number): Period | null {
  if (text === "all") return { sinceMs: null, words: "in all transcripts" };
  const [, count = "", unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (unit !== undefined) {
    const [word, lengthMs] = units[unit as keyof typeof units];
    const number = Number(count);
    if (number === 0) return null;
    return { sinceMs: nowMs - number * lengthMs, words: `in ${number} ${word}${number === 1 ? "" : "s"}` };
  }
  const timeMs = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(timeMs) ? null : { sinceMs: timeMs, words: `since ${text}` };
}
