import { idPattern } from "../../base/ids.ts";
import { integer, type JsonObject, oneOf, text } from "../../engine/events/schema.ts";
import type { RunEvent } from "../port/run-event.ts";

export const pdfKinds = ["run", "promotion", "rollup"] as const;
export type PdfKind = (typeof pdfKinds)[number];

/** What rows one is made of. */
export interface PdfRange {
  readonly kind: PdfKind;
  /** Null for a rollup. */
  readonly run_id: string | null;
  /** ISO 8601 in UTC, the first instant; null: from the first row on. */
  readonly from: string | null;
  /** The first instant that no longer belongs to it; null: to the newest row. */
  readonly to: string | null;
  /** Whether every row is listed, or only what somebody will ask about. */
  readonly rows: "notable" | "all";
}

/** What a range is written as, in a job, a request and on the command line. */
export const rangeFields = {
  kind: oneOf(pdfKinds, "What it covers; default rollup, or run where there is a run_id."),
  run_id: text("The run or promotion."),
  from: text("First day of a rollup, or a time, ISO 8601 in UTC."),
  to: text("Last day of a rollup, which still belongs to it, or a time, which does not."),
  days: integer("Or so many whole days before today, in UTC; default 30."),
  rows: oneOf(["notable", "all"], "Whether every row is listed one by one; default notable."),
} as const;

export interface RangeProblem {
  readonly option: string;
  readonly expected: string;
}

const dayMs = 86_400_000;
const maxDays = 3_660;
const defaultDays = 30;
const day = /^\d{4}-\d\d-\d\d$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** What is wrong with a range whose fields are of the right types; null: nothing. */
export function rangeProblem(given: JsonObject): RangeProblem | null {
  const { kind = kindOf(given), run_id, from, to, days } = given;
  const isRollup = kind === "rollup";
  if (!isRollup && run_id === undefined) return problem("run_id", `the id of the ${kind}`);
  if (isRollup && run_id !== undefined) return problem("run_id", "none with kind rollup");
  if (run_id !== undefined && !idPattern.test(String(run_id)))
    return problem("run_id", "letters, digits, _ and -, at most 64");
  for (const [option, value] of Object.entries({ from, to })) {
    if (value === undefined) continue;
    if (!isRollup) return problem(option, `none with kind ${kind}`);
    if (instant(String(value)) === null)
      return problem(option, "a day as 2026-01-31 or a time as 2026-01-31T12:00:00Z");
  }
  if (days !== undefined) {
    if (!isRollup) return problem("days", `none with kind ${kind}`);
    if (from !== undefined || to !== undefined) return problem("days", "either days, or from and to");
    if (Number(days) < 1 || Number(days) > maxDays)
      return problem("days", `a whole number from 1 to ${maxDays}`);
  }
  if (to !== undefined && from === undefined) return problem("from", "a day to begin with, as there is a to");
  const { from: begin, to: end } = readRange(given, 0);
  if (from !== undefined && to !== undefined && String(begin) >= String(end))
    return problem("to", "not to be before from");
  return null;
}

/** A range that has been checked, at a given time: days are counted back from the start of that day. */
export function readRange(given: JsonObject, nowMs: number): PdfRange {
  const rows = given.rows === "all" ? "all" : "notable";
  const kind = (given.kind ?? kindOf(given)) as PdfKind;
  if (kind !== "rollup") return { kind, run_id: String(given.run_id), from: null, to: null, rows };
  if (given.from === undefined) {
    const today = Math.floor(nowMs / dayMs) * dayMs;
    const days = Number(given.days ?? defaultDays);
    return { kind, run_id: null, from: iso(today - days * dayMs), to: iso(today), rows };
  }
  const from = instant(String(given.from));
  const last = given.to === undefined ? nowMs + 1 : (instant(String(given.to)) ?? 0);
  const isDay = given.to !== undefined && day.test(String(given.to));
  return { kind, run_id: null, from: iso(from ?? 0), to: iso(isDay ? last + dayMs : last), rows };
}

export function isInRange({ kind, run_id, from, to }: PdfRange, row: RunEvent): boolean {
  if (from !== null && row.time < from) return false;
  if (to !== null && row.time >= to) return false;
  if (run_id === null) return true;
  if ([row.task, row.session, row.id, row.ref].includes(run_id)) return true;
  // What a promotion was made of has its own ids; the rows that tell of it name it.
  return kind === "promotion" && row.reason?.includes(run_id) === true;
}

function kindOf({ run_id }: JsonObject): PdfKind {
  return run_id === undefined ? "rollup" : "run";
}

function instant(written: string): number | null {
  if (!day.test(written) && !time.test(written)) return null;
  const ms = Date.parse(written);
  // The 31st of February is a day to Date.parse in some forms, and another one than was written.
  if (Number.isNaN(ms) || (day.test(written) && iso(ms).slice(0, 10) !== written)) return null;
  return ms;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function problem(option: string, expected: string): RangeProblem {
  return { option, expected };
}
