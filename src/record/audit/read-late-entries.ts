import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NotReadable, readBoundedFile } from "../../base/bounded-file.ts";
import { sealLength } from "../../base/seal.ts";
import type { RunEntry } from "../port/run-event.ts";
import { entryNames, folderOf, isYoung, sealKind } from "./late-entries.ts";
import type { SigningKey } from "./signing-key.ts";
import { callProblem, parsed } from "./valid-entry.ts";

/** An agent's largest calls are some MB. */
const maxBytes = 64 * 1024 * 1024;

export interface LateEntries {
  readonly entries: readonly RunEntry[];
  /** Files that are not what was written, under the names they are kept by, and why. */
  readonly rejected: readonly { readonly file: string; readonly problem: string }[];
  /** To be called when the store has them for good. */
  forget(): void;
}

/** Null when there are none, which is known in 10 µs. */
export function lateEntries(home: string, key: SigningKey, nowMs: number): LateEntries | null {
  const names = entryNames(home);
  if (names.length === 0) return null;
  const taken = new Map<string, RunEntry>();
  const rejected: { file: string; problem: string }[] = [];
  for (const name of names) {
    const file = join(folderOf(home), name);
    const found = entryIn(file, name, key, nowMs);
    if (typeof found !== "string") taken.set(file, found);
    // One that is not whole is being written, or whoever wrote it was killed before it had told anybody.
    else if (!isYoung(name, nowMs) && setAside(file)) rejected.push({ file: asideOf(file), problem: found });
  }
  const forget = (): void => {
    for (const file of taken.keys()) rmSync(file, { force: true });
  };
  return { entries: [...taken.values()], rejected, forget };
}

/** The entry, or why there is none. */
function entryIn(file: string, name: string, key: SigningKey, nowMs: number): RunEntry | string {
  let text: string;
  try {
    text = readBoundedFile(file, maxBytes).bytes.toString("utf8");
  } catch (error) {
    if (error instanceof NotReadable) return error.message;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "it is gone";
    throw error;
  }
  const json = text.slice(sealLength + 1);
  if (text[sealLength] !== " " || text.slice(0, sealLength) !== key.seal(sealKind, json))
    return "it is not whole, or was not written by a hook of this home";
  const entry = parsed(json);
  return callProblem(entry, name, nowMs) ?? (entry as RunEntry);
}

function asideOf(file: string): string {
  return `${file}.rejected`;
}

/** False when another process has taken it in meanwhile. */
function setAside(file: string): boolean {
  try {
    renameSync(file, asideOf(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
