// A build that takes nothing away: what runs from the folder meanwhile, a daemon or a test, finds each of its files at any
// moment, as it was or as it is now. Plain JavaScript, because it makes what the packages are published with.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Has `build` fill an empty folder beside `folder`, and then puts each of its files into the place of the one before. */
export async function buildBeside(folder, build) {
  removeLeftOver(folder);
  const fresh = `${folder}.${process.pid}`;
  try {
    await build(fresh);
    replaceFiles(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Moves all files of a folder into another, and then removes those the other had before and the first has not. */
export function replaceFiles(from, to) {
  const files = filesIn(from);
  // Says that a build is complete: while files are moved it is not.
  rmSync(join(to, ".swarm-build"), { force: true });
  // What is new comes first: files that were there before may refer to it as soon as they are replaced.
  const isThere = (file) => existsSync(join(to, file));
  for (const file of [...files.filter((one) => !isThere(one)), ...files.filter(isThere)]) {
    if (isSame(join(from, file), join(to, file))) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  const kept = new Set(files);
  for (const file of filesIn(to)) if (!kept.has(file)) rmSync(join(to, file));
}

function filesIn(folder) {
  const entries = globSync("**/*", { cwd: folder, withFileTypes: true });
  return entries
    .filter((one) => !one.isDirectory())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
}

function isSame(one, other) {
  const size = statSync(other, { throwIfNoEntry: false })?.size;
  return size === statSync(one).size && readFileSync(one).equals(readFileSync(other));
}

/** Of builds that were killed. */
function removeLeftOver(folder) {
  for (const name of globSync(`${basename(folder)}.*`, { cwd: dirname(folder) })) {
    const pid = /\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
