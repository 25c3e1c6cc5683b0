import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { readBoundedFile } from "../../base/bounded-file.ts";
import { SwarmError } from "../../base/errors.ts";
import { replaceFile } from "../../base/replace-file.ts";

/** What is to become of one file. */
export interface FileEdit {
  readonly file: string;
  /** Null: there is none. */
  readonly before: string | null;
  /** Null: it goes. */
  readonly after: string | null;
  /** Of a file that is made; 0600 unless said otherwise. */
  readonly mode?: number;
}

/**
 * All of them or none. A file that is not any more what the edit was made for, because its agent or its user has
 * written it meanwhile, is left to them.
 */
export function applyEdits(edits: readonly FileEdit[]): void {
  const wanted = edits.filter(({ before, after }) => before !== after);
  for (const { file, before } of wanted) {
    if (readText(file) !== before) throw new SwarmError("SWARM_SETTINGS_CHANGED", { file });
  }
  const done: FileEdit[] = [];
  try {
    for (const edit of wanted) {
      done.push(edit);
      writeText(edit.file, edit.after, edit.mode);
    }
  } catch (error) {
    const lost = done.toReversed().flatMap(({ file, before }) => putBack(file, before));
    const problem = [(error as Error).message, ...lost].join("; ");
    throw new SwarmError(
      "SWARM_SETTINGS_UNUSABLE",
      { file: done.at(-1)?.file ?? "", problem },
      { cause: error },
    );
  }
}

/** What could not be put back, in words. */
function putBack(file: string, before: string | null): string[] {
  try {
    if (readText(file) !== before) writeText(file, before);
    return [];
  } catch (error) {
    return [`${file} could not be put back: ${(error as Error).message}`];
  }
}

/** Strictly: a byte that is replaced while reading would be lost when the file is written again. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Claude Code keeps histories in some of them. */
const maxSettingsBytes = 64 * 1024 * 1024;

/** The text of a file; null when there is none. A project has settings too, and may put a pipe in their place. */
export function readText(file: string): string | null {
  try {
    return decoder.decode(readBoundedFile(file, maxSettingsBytes).bytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new SwarmError("SWARM_SETTINGS_UNUSABLE", { file, problem: message }, { cause: error });
  }
}

/** Replaces the file at once, never half of it; a link stays a link to what it pointed to, the mode stays. */
export function writeText(file: string, text: string | null, newMode = 0o600): void {
  if (text === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  const target = realPath(file);
  const mode = target === null ? newMode : statSync(target).mode & 0o777;
  replaceFile(target ?? file, text, { mode, isFlushed: true });
}

/** Null when there is no file. */
function realPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
