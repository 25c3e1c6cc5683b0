import { open, rename } from "node:fs/promises";

/** A file that is there as it was or as it is to be, whenever the power goes: its bytes are durable before its name is. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
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
