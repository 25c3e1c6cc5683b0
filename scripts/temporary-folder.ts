import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const neededBytes = 1024 ** 3;

/** A folder for what tests write: in memory where there is room, since thousands of databases wait for a disk longer than for anything else. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), "swarm-tests-"));
  chmodSync(folder, 0o1777); // as /tmp is: some tests start programs as another user
  return folder;
}

/** What is still in it, which is removed. Node's own caches do not count. */
export function leftBehind(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => !name.startsWith("node-compile-cache"));
  rmSync(folder, { recursive: true, force: true });
  return names;
}

function hasRoom(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
