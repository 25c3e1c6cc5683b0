import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");

/** What starts a daemon, a browser or a program that does, by the beginnings of their paths. */
const starters = [
  "test/e2e/",
  "test/browser/",
  "test/fuzz/",
  "test/faults/",
  "src/daemon/server/daemon.ts",
].map((path) => join(root, path));
const known = new Map<string, boolean>();

/** Whether a file of tests starts a daemon: by itself, or by a file it shares with other tests. */
export function startsDaemon(file: string): boolean {
  return reaches(resolve(root, file));
}

function reaches(file: string): boolean {
  const answer = known.get(file);
  if (answer !== undefined) return answer;
  known.set(file, false); // files that import each other
  const is = starters.some((starter) => file.startsWith(starter)) || importsOf(file).some(reaches);
  known.set(file, is);
  return is;
}

/** Of what tests share. Sources of ours start nothing by being imported. */
function importsOf(file: string): string[] {
  const isShared = /\.(test|cases)\.ts$/.test(file) || !file.startsWith(join(root, "src"));
  if (!isShared || !existsSync(file)) return [];
  const imports = readFileSync(file, "utf8").matchAll(/^import (?!type )[^;]*?from "(\.[^"]+)";/gms);
  return [...imports].map(([, path = ""]) => resolve(dirname(file), path));
}
