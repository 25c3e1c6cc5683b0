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
import { fileStamp } from "../../base/file-stamp.ts";
import { sealOf } from "../../base/seal.ts";
import { sha256 } from "../../base/sha256.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import { type EventName, rowOf } from "../../engine/events/names.ts";
import { keyOfNames, type Matched, matchedOf } from "../../engine/events/tool-names.ts";
import type { PathNames } from "../../policy/rules/files/path-globs.ts";
import type { Rule } from "../../policy/rules/rule.ts";
import { readMark } from "../../store/sqlite/decided-mark.ts";

/** By event: true for every call of it, or what matchers were asked about, as `callValue` writes it. */
export type KnownCalls = Readonly<Partial<Record<EventName, true | readonly string[]>>>;

/**
 * Which calls from one folder concern no hook, rule or observer, or rules alone, and everything that hangs on. It is kept
 * in `$SWARM_HOME/quiet` by whoever has evaluated a call the long way: with it a process knows without a store or YAML that
 * there is nothing to ask, or has what is to be asked.
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
  /** What `~` and `$SWARM_HOME` stood for when the files were read. */
  readonly names: PathNames;
  /** Calls nobody answers to. */
  readonly quiet: KnownCalls;
  /** Calls that are for the rules alone to judge. */
  readonly ruled: KnownCalls;
  /** All rules in force, in the order they were declared in. */
  readonly rules: readonly Rule[];
  /** Of the policy they make; empty without rules. */
  readonly digest: string;
  /** Events with a guard: a call that comes by an entry which is not a guard's is looked at the long way. */
  readonly guarded: readonly EventName[];
}

/** It follows from files and marks, and lapses nevertheless: whatever was not thought of is over by then. */
const maxAgeMs = 3_600_000;

/** Whose book it is. */
export interface BookPlace {
  readonly home: string;
  /** Without links in it. */
  readonly cwd: string;
  /** What evaluates calls the long way. */
  readonly program: string;
  readonly names: PathNames;
}

/** The book of this folder as long as nothing it follows from has changed; null when there is none, or one to distrust. */
export function readQuietBook({ home, cwd, program, names }: BookPlace, nowMs: number): QuietBook | null {
  const sealed = isOthersToo(statSync(home)) ? null : readOwn(quietFile(home, cwd));
  const text = sealed === null ? null : unsealed(home, sealed);
  if (text === null) return null;
  const book = JSON.parse(text) as QuietBook;
  const ageMs = nowMs - book.made_at_ms;
  const isCurrent =
    book.cwd === cwd &&
    book.program === program &&
    book.names.home === names.home &&
    book.names.swarmHome === names.swarmHome &&
    ageMs >= 0 &&
    ageMs < maxAgeMs &&
    book.store === storeStamp(home) &&
    book.mark === readMark(storeFile(home)) &&
    Object.entries(book.files).every(([path, stamp]) => placeStamp(path) === stamp);
  return isCurrent ? book : null;
}

/** Whether a call is one of those the book knows. */
export function isKnown(
  calls: KnownCalls,
  event: EventName,
  data: Readonly<Record<string, unknown>>,
  origin: Origin,
): boolean {
  const known = Object.hasOwn(calls, event) ? calls[event] : undefined;
  if (known === undefined || known === true) return known === true;
  const matched = matchedBy(event, data, origin);
  return matched !== undefined && known.includes(callValue(matched));
}

/** What matchers are asked about a call; nothing where its event has no field for them. */
export function matchedBy(
  event: EventName,
  data: Readonly<Record<string, unknown>>,
  origin: Origin,
): Matched | undefined {
  const { matches } = rowOf(event);
  return matches === null ? undefined : (matchedOf(matches, data, origin) ?? undefined);
}

/** What a book knows a call by: two calls of a tool are the same to it when every matcher says the same of both. */
export function callValue({ value, readings }: Matched): string {
  return keyOfNames(value, readings);
}

/**
 * Under the record's key: whoever can write into the home but not read the key, which every policy forbids agents, cannot
 * make a book that is believed.
 */
export function sealed(home: string, text: string): string {
  return `${bookSeal(home, text)}\n${text}`;
}

/** Null for what was not sealed here. */
function unsealed(home: string, sealedText: string): string | null {
  const end = sealedText.indexOf("\n");
  const text = sealedText.slice(end + 1);
  return sealedText.slice(0, end) === bookSeal(home, text) ? text : null;
}

function bookSeal(home: string, text: string): string {
  return sealOf(readFileSync(join(home, "audit-key.pem")), "quiet book", text);
}

export function quietFile(home: string, cwd: string): string {
  return join(home, "quiet", sha256(cwd).toString("base64url"));
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
