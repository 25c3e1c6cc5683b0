import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileStamp } from "../base/file-stamp.ts";
import { type EventName, rowOf } from "../events/names.ts";
import { readMark } from "../store/sqlite/decided-mark.ts";

/**
 * Which calls from one folder concern no hook, rule or observer, and everything that hangs on. It is kept in
 * `$SWARM_HOME/quiet` by whoever has evaluated a call the long way: with it a process knows without a store, YAML or an
 * engine that there is nothing to ask.
 */
export interface QuietBook {
  /** Without links in it. */
  readonly cwd: string;
  readonly made_at_ms: number;
  /** The program it was made by. */
  readonly program: string;
  /** Every file it follows from: what `placeStamp` says of it. */
  readonly files: Readonly<Record<string, string>>;
  /** The store's, and its mark of what people have decided. */
  readonly store: string;
  readonly mark: string;
  /** By event: true when nobody listens at all, or the values of what matchers read that nobody answers to. */
  readonly quiet: Readonly<Partial<Record<EventName, true | readonly string[]>>>;
  /** Events with a guard: a call that comes by an entry which is not a guard's is looked at the long way. */
  readonly guarded: readonly EventName[];
}

/** It follows from files and marks, and lapses nevertheless: whatever was not thought of is over by then. */
const maxAgeMs = 3_600_000;

/** The book of this folder as long as nothing it follows from has changed; null when there is none, or one to distrust. */
export function readQuietBook(home: string, cwd: string, program: string, nowMs: number): QuietBook | null {
  const file = quietFile(home, cwd);
  const text = isOthersToo(statSync(home)) ? null : readOwn(file);
  if (text === null) return null;
  const book = JSON.parse(text) as QuietBook;
  const ageMs = nowMs - book.made_at_ms;
  const isCurrent =
    book.cwd === cwd &&
    book.program === program &&
    ageMs >= 0 &&
    ageMs < maxAgeMs &&
    book.store === storeStamp(home) &&
    book.mark === readMark(storeFile(home)) &&
    Object.entries(book.files).every(([path, stamp]) => placeStamp(path) === stamp);
  return isCurrent ? book : null;
}

/** Whether nobody has to be asked about this event. */
export function isQuiet(
  { quiet }: QuietBook,
  event: EventName,
  data: Readonly<Record<string, unknown>>,
): boolean {
  const known = Object.hasOwn(quiet, event) ? quiet[event] : undefined;
  if (known === undefined || known === true) return known === true;
  const { matches } = rowOf(event);
  return matches !== null && known.some((value) => value === data[matches]);
}

export function quietFile(home: string, cwd: string): string {
  return join(home, "quiet", createHash("sha256").update(cwd).digest("base64url"));
}

/** Changes with the file, or the link in its place, and what it leads to; `-` when there is nothing. */
export function placeStamp(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "-";
  return found.isSymbolicLink() ? `${found.ino}.${found.ctimeMs} ${fileStamp(path)}` : fileStamp(path);
}

/** Another one when the database was put in the place of the one before; its contents have a mark of their own. */
export function storeStamp(home: string): string {
  const { ino, birthtimeMs } = statSync(storeFile(home));
  return `${ino}.${birthtimeMs}`;
}

function storeFile(home: string): string {
  return join(home, "swarm.db");
}

/** What only this user can have written; null for anything else. */
function readOwn(file: string): string | null {
  const folder = lstatSync(dirname(file), { throwIfNoEntry: false });
  if (folder === undefined || !folder.isDirectory() || isOthersToo(folder)) return null;
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(descriptor);
    return found.isFile() && !isOthersToo(found) ? readFileSync(descriptor, "utf8") : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether somebody else owns it or may write it. */
function isOthersToo({ uid, mode }: Stats): boolean {
  return uid !== process.getuid?.() || (mode & 0o022) !== 0;
}
