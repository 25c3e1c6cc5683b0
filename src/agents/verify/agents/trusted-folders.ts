import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { parsedSettings } from "./settings-copy.ts";

/** What a user has said of a folder; null: nothing. */
export type FolderTrust = "TRUST_FOLDER" | "DO_NOT_TRUST" | null;

/**
 * Gemini CLI's and Qwen Code's `trustedFolders.json`: folder → `TRUST_FOLDER`, `TRUST_PARENT` or `DO_NOT_TRUST`, where the
 * longest name that fits counts. Read as they do, so that the copy of a project is trusted exactly if the project is.
 */
export function trustIn(file: string, folder: string): FolderTrust {
  const rules = existsSync(file) ? parsedSettings(readFileSync(file, "utf8")) : null;
  const fitting = Object.entries(rules ?? {})
    .filter(([rule, level]) => isWithin(folder, level === "TRUST_PARENT" ? dirname(rule) : rule))
    .toSorted(([a], [b]) => b.length - a.length);
  const level = fitting[0]?.[1];
  if (level === "DO_NOT_TRUST") return level;
  return level === "TRUST_FOLDER" || level === "TRUST_PARENT" ? "TRUST_FOLDER" : null;
}

function isWithin(folder: string, other: string): boolean {
  const [inner, outer] = [realOf(folder), realOf(other)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

export function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}
