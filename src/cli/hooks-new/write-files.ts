import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { usage } from "../command.ts";
import type { ScaffoldFile } from "./scaffold.ts";

/** Writes all of the files or none; one that is there already is left as it is. */
export function writeFiles(files: readonly ScaffoldFile[]): void {
  const undo: (() => void)[] = [];
  for (const file of files) {
    try {
      const made = mkdirSync(dirname(file.path), { recursive: true });
      if (made !== undefined) undo.push(() => rmdirSync(made));
      // wx: between a look whether it is there and writing it, somebody else could.
      writeFileSync(file.path, file.text, { flag: "wx", mode: file.isExecutable === true ? 0o755 : 0o644 });
      undo.push(() => rmSync(file.path));
    } catch (error) {
      for (const undoOne of undo.reverse()) undoOne();
      throw usage("hooks new", problemOf(file.path, error as NodeJS.ErrnoException));
    }
  }
}

function problemOf(path: string, { code, syscall, message }: NodeJS.ErrnoException): string {
  const isTaken = code === "EEXIST" && syscall === "open";
  return isTaken ? `${path} exists already` : `${path} cannot be written: ${message}`;
}
