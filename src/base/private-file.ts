import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { newId } from "./ids.ts";

/**
 * A private file that is made the first time it is asked for. Two processes may come at once: the file appears whole,
 * the first one's stays, and both get it.
 */
export function readOrMake(file: string, make: () => string): string {
  const found = readIfThere(file);
  if (found !== null) return found;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${newId("new")}`;
  writeFileSync(temporary, make(), { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary);
  }
  return readFileSync(file, "utf8");
}

export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
