import { existsSync, globSync, readFileSync } from "node:fs";
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
/** What starts other programs by the hundred, or tries properties on thousands of examples: minutes in all. */
const long = [
  "src/agents/install/",
  "src/agents/verify/",
  "src/base/secrets/mask.test.ts",
  "src/cli/common-names.test.ts",
  "src/daemon/runtime/",
  "src/engine/events/data-limits.test.ts",
  "src/engine/events/json-schema.test.ts",
  "src/engine/hooks/interleaving.test.ts",
  "src/handlers/command/",
  "src/handlers/mcp-tool/",
  "src/handlers/process/",
  "src/operations/batch/",
  "src/operations/cron/actions/",
  "src/operations/cron/schedule/year.test.ts",
  "src/operations/cron/service.test.ts",
  "src/operations/drift/",
  "src/operations/pipelines/",
  "src/operations/retention/",
  "src/operations/webhooks/",
  "src/policy/approvers/",
  "src/policy/plugins/",
  "src/policy/rules/service-policy.test.ts",
  "src/policy/shell/real-shell.test.ts",
  "src/policy/trust/",
  "src/record/audit/export.test.ts",
  "src/record/pdf/",
  "src/store/sqlite/",
];
const known = new Map<string, boolean>();

/** Tests that are over within a minute or two: they start no daemon, and hardly any other program. */
export function fastFiles(): string[] {
  const folders = ["src/**", "test", "dashboard/src/**"].map((folder) => `${folder}/*.test.ts`);
  return globSync(folders, { cwd: root }).filter(
    (file) => !long.some((start) => file.startsWith(start)) && !reaches(resolve(root, file)),
  );
}

/** Whether a file starts a daemon: by itself, or by a file it shares with other tests. */
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
