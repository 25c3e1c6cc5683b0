import { newId } from "../../base/ids.ts";
import type { NewEntry } from "../port/audit.ts";
import type { RunEntry } from "../port/run-event.ts";

const blank = {
  ref: null,
  session: null,
  agent: null,
  task: null,
  cwd: null,
  source: null,
  verdict: "none",
  reason: null,
  hook: null,
  hook_digest: null,
  outcome: "completed",
  before: null,
  after: null,
} as const satisfies Partial<RunEntry>;

/** Fills in what nobody told, and makes of every text one that any store gives back as it was hashed. */
export function completeEntry(entry: NewEntry, time: string): RunEntry {
  const { id = newId("evt"), ms = 0, handlers = [] } = entry;
  const texts = withStorableTexts({ ...blank, time, ...entry, id });
  return { ...texts, ms: Math.round(ms * 1e3) / 1e3, handlers: handlers.map(withStorableTexts) };
}

/** Half a surrogate pair has no UTF-8, and PostgreSQL takes no NUL. Both come in from models and programs. */
function withStorableTexts<T extends object>(value: T): T {
  let storable = value;
  for (const name in value) {
    const text: unknown = value[name];
    if (typeof text !== "string" || (text.isWellFormed() && !text.includes("\0"))) continue;
    storable = { ...storable, [name]: text.toWellFormed().replaceAll("\0", "\ufffd") };
  }
  return storable;
}
