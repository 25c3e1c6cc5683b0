import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { chmod, constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { trustFolder } from "./snapshot.ts";

export interface FileDigest {
  readonly sha256: string;
  readonly bytes: number;
}

/** Where the copy of an approved file is: named after its bytes. */
export function keptFilePath(home: string, sha256: string): string {
  return join(trustFolder(home), "files", sha256);
}

export async function digestFile(path: string): Promise<FileDigest> {
  const file = await openToRead(path);
  try {
    return await readThrough(file, path, async () => undefined);
  } finally {
    await file.close();
  }
}

/**
 * Copies a file and tells the digest of what was copied: whatever happens to the file meanwhile, the copy is what its
 * name says. It is there whole or not at all.
 */
export async function keepFile(home: string, path: string): Promise<FileDigest> {
  const made = keptFilePath(home, newId("new"));
  mkdirSync(dirname(made), { recursive: true, mode: 0o700 });
  const source = await openToRead(path);
  try {
    const copy = await open(made, "wx", 0o600);
    let digest: FileDigest;
    try {
      digest = await readThrough(source, path, (chunk) => writeAll(copy, chunk));
      await copy.sync();
    } finally {
      await copy.close();
    }
    await chmod(made, 0o400);
    await rename(made, keptFilePath(home, digest.sha256));
    return digest;
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_TRUST_UNKEPT", { folder: dirname(made), problem }, { cause: error });
  } finally {
    await source.close();
    await rm(made, { force: true });
  }
}

export async function forgetFile(home: string, sha256: string): Promise<void> {
  await rm(keptFilePath(home, sha256), { force: true });
}

const chunkBytes = 1024 * 1024;

async function openToRead(path: string): Promise<FileHandle> {
  try {
    // Opening a pipe that nobody writes to would wait for ever.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new Error("not a file, expected one");
  } catch (error) {
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_FILE_UNREADABLE", { path, problem }, { cause: error });
  }
}

async function readThrough(
  file: FileHandle,
  path: string,
  take: (chunk: Buffer) => Promise<void>,
): Promise<FileDigest> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let bytes = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, null).catch((error: Error) => {
      throw new SwarmError("SWARM_FILE_UNREADABLE", { path, problem: error.message }, { cause: error });
    });
    if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
    bytes += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await take(chunk);
  }
}

/** A full disk may take a part and say nothing. */
async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at);
    if (bytesWritten === 0) throw new Error("no space left on device");
    at += bytesWritten;
  }
}
