import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readBoundedFile } from "../../base/bounded-file.ts";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { CoveredFile } from "./covered-files.ts";
import type { ExaminedHook } from "./examine.ts";
import { trustLimits } from "./limits.ts";

export function trustFolder(home: string): string {
  return join(home, "trust");
}

/** Where a file of an approved hook is kept. */
export function keptPath(home: string, digest: string, place: string): string {
  return join(trustFolder(home), digest, place);
}

/**
 * Keeps the bytes that were looked at. It is there whole or not at all: written beside, fsynced, then renamed. Whoever
 * approves the same again finds it there; one that is not what its name says is made anew.
 */
export function keep(home: string, { digest, files }: ExaminedHook): void {
  if (files.length === 0 || isKept(home, { digest, files })) return;
  const folder = trustFolder(home);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = join(folder, newId("new"));
    try {
      writeAll(made, files);
      const kept = join(folder, digest);
      // One that was damaged; a hook that is started just then fails, as any would whose file is gone.
      if (existsSync(kept)) renameSync(kept, join(folder, newId("old")));
      renameSync(made, kept);
      sync(folder);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  } catch (error) {
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_TRUST_UNKEPT", { folder, problem }, { cause: error });
  }
}

function writeAll(made: string, files: readonly CoveredFile[]): void {
  mkdirSync(made, { mode: 0o700 });
  const folders = new Set([made]);
  for (const { place, bytes, isExecutable } of files) {
    if (bytes === null) continue;
    for (let above = dirname(join(made, place)); above !== made; above = dirname(above)) folders.add(above);
    write(join(made, place), bytes, isExecutable ? 0o500 : 0o400);
  }
  for (const one of folders) sync(one);
}

/** Whether what is kept under this digest is what was approved under it. */
export function isKept(
  home: string,
  {
    digest,
    files,
  }: { readonly digest: string; readonly files: readonly Pick<CoveredFile, "place" | "sha256">[] },
): boolean {
  return files.every(({ place, sha256 }) => {
    const path = keptPath(home, digest, place);
    return sha256 === null ? !existsSync(path) : sumOf(path) === sha256;
  });
}

export function readKept(home: string, digest: string, place: string): Buffer | null {
  try {
    return readBoundedFile(keptPath(home, digest, place), trustLimits.fileBytes).bytes;
  } catch {
    return null; // gone
  }
}

/** Events under way may still run what is no longer approved; after this long none is. */
const pruneAfterMs = 3_600_000;

/** Removes what belongs to no decision any more. */
export function prune(home: string, used: ReadonlySet<string>, nowMs: number): void {
  const folder = trustFolder(home);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (used.has(name) || !/^(?:[0-9a-f]{64}$|new_|old_)/.test(name)) continue;
    const path = join(folder, name);
    const age = nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
    if (age > pruneAfterMs) rmSync(path, { recursive: true, force: true });
  }
}

function write(path: string, bytes: Buffer, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, bytes, { flag: "wx", mode: 0o600, flush: true });
  chmodSync(path, mode); // whatever the umask
}

function sync(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function sumOf(path: string): string | null {
  try {
    const { bytes } = readBoundedFile(path, trustLimits.fileBytes);
    return createHash("sha256").update(bytes).digest("hex");
  } catch {
    return null;
  }
}
