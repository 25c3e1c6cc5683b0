import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { newId } from "./ids.ts";

export interface ReplaceOptions {
  /** Default 0o600. */
  readonly mode?: number;
  /** Whether its bytes are durable before its name is: after a power loss it is whole, too. */
  readonly isFlushed?: boolean;
}

/** Writes a file that is there as it was or as it is to be, never half of it: beside it first, and then renamed. */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, isFlushed = false }: ReplaceOptions = {},
): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = nameBeside(file);
  try {
    writeFileSync(made, content, { flag: "wx", mode, flush: isFlushed });
    chmodSync(made, mode); // whatever the umask has taken away
    renameSync(made, file);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/**
 * As `replaceFile`, flushed, of content that may come piece by piece. `made`: where it is written first; one name for all
 * times where only one process writes the file, so that nothing piles up beside it however often that is killed.
 */
export async function replaceFileLater(
  file: string,
  content: string | AsyncIterable<string>,
  made = nameBeside(file),
): Promise<void> {
  try {
    const handle = await open(made, "w", 0o600);
    try {
      await handle.writeFile(content);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(made, file);
  } catch (error) {
    await rm(made, { force: true }).catch(() => undefined); // its folder may be none
    throw error;
  }
}

/** Names in a folder are durable only once the folder is. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nameBeside(file: string): string {
  return join(dirname(file), `.${basename(file)}.${newId("new")}`);
}
