import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { newId } from "../../base/ids.ts";

/**
 * A text beside the database that is another one after every change of what people have decided: whoever has kept
 * something that follows from it knows by 20 µs of reading whether it still does. It is renewed inside of the change's
 * transaction: before that only the lock is held, and a crash in between makes it another one for nothing.
 */
export function renewMark(databaseFile: string): void {
  const file = markFile(databaseFile);
  const made = `${file}.${newId("new")}`;
  writeFileSync(made, newId("mark"), { mode: 0o600, flag: "wx", flush: true });
  renameSync(made, file);
  // Or a power loss could keep the change and bring the old mark back.
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Empty as long as nothing was ever decided. */
export function readMark(databaseFile: string): string {
  try {
    return readFileSync(markFile(databaseFile), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function markFile(databaseFile: string): string {
  return `${databaseFile}-decided`;
}
