import { readFileSync } from "node:fs";

/** What a program printed, a mebibyte at most; null when there is none, or no more. */
export function outputOf(path: string | null): string | null {
  if (path === null) return null;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
