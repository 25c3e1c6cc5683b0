import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = join(import.meta.dirname, "..");

/** What starts a daemon, a browser or a program that does, by the beginnings of their paths. test/no-daemons.ts sees the rest. */
const starters = [
  "test/e2e/",
  "test/browser/",
  "test/fuzz/",
  "test/faults/",
  "src/daemon/server/daemon.ts",
].map((path) => join(root, path));
/** What starts other programs by the hundred, or tries properties on thousands of examples: minutes in all. */
const long = [
  "src/agents/verify/",
  "src/base/secrets/mask.test.ts",
  "src/engine/events/json-schema.test.ts",
  "src/engine/hooks/interleaving.test.ts",
  "src/handlers/command/",
  "src/handlers/mcp-tool/",
  "src/handlers/process/",
  "src/operations/batch/",
  "src/operations/cron/actions/",
  "src/operations/cron/schedule/year.test.ts",
  "src/operations/webhooks/",
  "src/policy/shell/real-shell.test.ts",
  "src/policy/trust/",
  "src/record/audit/export.test.ts",
];
/** What a file says at its beginning that takes long for another reason. */
const takesLong = /^\/\/ Left out of test:fast: (.+)$/m;

export interface FastFiles {
  readonly files: readonly string[];
  /** The others, by why they are left out. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
}

/** All files of tests. */
export function testFiles(): string[] {
  const folders = ["src", "test", "bench", "examples", "dashboard/src"];
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }));
  return files.sort();
}

/** Tests that start no daemon and do not say that they take long. */
export function fastFiles(all = testFiles()): FastFiles {
  const known = new Map<string, string | null>();
  const reasons = all.map((file) => ({ file, reason: reasonIn(join(root, file), known) }));
  const leftOut = Map.groupBy(
    reasons.filter(({ reason }) => reason !== null),
    ({ reason }) => reason ?? "",
  );
  return {
    files: reasons.filter(({ reason }) => reason === null).map(({ file }) => file),
    leftOut: new Map([...leftOut].map(([reason, rows]) => [reason, rows.map(({ file }) => file)])),
  };
}

/** Why a file is left out: for what it says or does itself, or what it shares with other tests. Null: it is not. */
function reasonIn(file: string, known: Map<string, string | null>): string | null {
  const answer = known.get(file);
  if (answer !== undefined) return answer;
  known.set(file, null); // files that import each other
  const reason =
    ownReason(file) ??
    importsOf(file)
      .map((one) => reasonIn(one, known))
      .find((one) => one !== null);
  known.set(file, reason ?? null);
  return reason ?? null;
}

function ownReason(file: string): string | null {
  if (starters.some((starter) => file.startsWith(starter))) return "starts a daemon or a browser";
  const path = relative(root, file);
  if (path.endsWith(".test.ts") && long.some((start) => path.startsWith(start)))
    return "starts other programs by the hundred, or tries thousands of examples";
  return isShared(file) ? (takesLong.exec(readFileSync(file, "utf8").slice(0, 1_000))?.[1] ?? null) : null;
}

/** Of what tests share. Sources of ours start nothing by being imported. */
function importsOf(file: string): string[] {
  if (!isShared(file)) return [];
  const imports = readFileSync(file, "utf8").matchAll(/^import (?!type )[^;]*?from "(\.[^"]+)";/gms);
  return [...imports].map(([, path = ""]) => resolve(dirname(file), path));
}

function isShared(file: string): boolean {
  return (
    (/\.(test|cases)\.ts$/.test(file) || relative(join(root, "src"), file).startsWith("..")) &&
    existsSync(file)
  );
}
