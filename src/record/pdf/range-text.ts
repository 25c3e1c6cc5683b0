import type { PdfRange } from "./range.ts";

/** In words, for people. */
export function rangeText({ kind, run_id, from, to }: PdfRange): string {
  if (run_id !== null) return `${kind} ${run_id}`;
  const isWholeDays = [from, to].every((edge) => edge?.endsWith("T00:00:00.000Z"));
  if (!isWholeDays) return `${from} up to ${to}`;
  const lastDay = new Date(Date.parse(to ?? "") - 1).toISOString().slice(0, 10);
  return `${from?.slice(0, 10)} to ${lastDay}`;
}

/** As part of a file's name. */
export function rangeName({ kind, run_id, from, to }: PdfRange): string {
  if (run_id !== null) return `${kind}-${run_id}`;
  const lastMs = Date.parse(to ?? "") - 1;
  return `${from?.slice(0, 10)}--${new Date(Math.max(0, lastMs)).toISOString().slice(0, 10)}`;
}
