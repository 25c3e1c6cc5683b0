import { suggest } from "../../../base/suggest.ts";
import { type CronFields, parseCronFields } from "./cron-fields.ts";
import { durationMs } from "./duration.ts";
import { parseInstant, type WallTime } from "./instant.ts";
import { misread } from "./misread.ts";
import { type Word, wordsOf } from "./words.ts";

/** What a schedule says; when it is due is a matter of its time zone and, for intervals, of when it was made. */
export type Schedule =
  /** `30m`, `every 2h`: elapsed time, counted from when the job was made, whatever clocks on walls do meanwhile. */
  | { readonly kind: "interval"; readonly everyMs: number }
  /** `0 2 * * *`, `@daily`: times on the wall clock of the zone. */
  | { readonly kind: "cron"; readonly fields: CronFields }
  /** `in 30m`: once, so long after the job was made. */
  | { readonly kind: "delay"; readonly afterMs: number }
  /** `2026-05-15T09:00Z`: once, then. Without an offset it is a time on the wall clock of the zone. */
  | { readonly kind: "instant"; readonly at: WallTime };

const nicknames: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
};

const examples = `30m, every 2h, in 30m, @daily, "0 2 * * *" or 2026-05-15T09:00Z`;

/** Longer texts are refused unread: each field may list what it wants, but sixty values are 170 characters. */
const maxChars = 1_000;

/** Reads a schedule as people write it; a bad one is refused with the place of the mistake and what belongs there. */
export function parseSchedule(text: string): Schedule {
  if (text.length > maxChars)
    throw misread(text, 0, `it is longer than ${maxChars} characters, expected fewer`);
  const words = wordsOf(text);
  const [first, ...rest] = words;
  if (first === undefined) throw misread(text, 0, `it is empty, expected one like ${examples}`);
  const keyword = first.text.toLowerCase();
  if (keyword.startsWith("@")) return nickname(text, keyword, first.at, rest[0]?.at);
  if (keyword === "every") return { kind: "interval", everyMs: durationMs(text, rest) };
  if (keyword === "in") return { kind: "delay", afterMs: durationMs(text, rest) };
  if (/^\d{4}-/.test(keyword)) return { kind: "instant", at: parseInstant(text, words) };
  if (isDuration(words)) return { kind: "interval", everyMs: durationMs(text, words) };
  if (words.length === 1)
    throw misread(
      text,
      first.at,
      `${JSON.stringify(first.text)} is no schedule, expected one like ${examples}`,
    );
  return { kind: "cron", fields: parseCronFields(text, words) };
}

/** `30m` or `30 minutes`; five numbers and stars are a cron expression. */
function isDuration([first, second, third]: readonly Word[]): boolean {
  if (third !== undefined || !/^\d+[a-z]*$/i.test(first?.text ?? "")) return false;
  return second === undefined || /^[a-z]+$/i.test(second.text);
}

function nickname(text: string, name: string, at: number, next: number | undefined): Schedule {
  const expression = Object.hasOwn(nicknames, name) ? nicknames[name] : undefined;
  const known = Object.keys(nicknames);
  if (expression === undefined) {
    const near = suggest(name, known);
    const hint = near === undefined ? "" : `, did you mean ${near}?`;
    throw misread(text, at, `${JSON.stringify(name)} is no schedule, expected ${known.join(", ")}${hint}`);
  }
  if (next !== undefined) throw misread(text, next, `expected nothing after ${name}`);
  return { kind: "cron", fields: parseCronFields(expression, wordsOf(expression)) };
}
