// Runs every check of the project and closes with one line: N passed, N failed, N skipped.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const root = join(import.meta.dirname, "..");
const only = process.argv.slice(2);
const tally = { passed: 0, failed: 0, skipped: 0 };

if (only.length === 0) {
  check("format", "biome", ["format", "."]);
  check("lint", "biome", ["lint", "--error-on-warnings", "."]);
  check("types", "tsc", ["--noEmit"]);
  check("types of the dashboard", "tsc", ["--noEmit", "-p", "dashboard"]);
}
await runTests(
  only.length > 0
    ? only
    : globSync(
        [
          "src/**/*.test.ts",
          "test/**/*.test.ts",
          "bench/**/*.test.ts",
          "examples/**/*.test.ts",
          "dashboard/src/**/*.test.ts",
        ],
        {
          cwd: root,
        },
      ),
);
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

function check(name: string, command: string, args: string[]): void {
  const ended = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const isPassed = ended.status === 0;
  tally[isPassed ? "passed" : "failed"]++;
  process.stdout.write(`${isPassed ? "✔" : "✖"} ${name}\n`);
  if (!isPassed) process.stdout.write(`${ended.error?.message ?? ""}${ended.stdout}${ended.stderr}\n`);
}

async function runTests(files: string[]): Promise<void> {
  const stream = run({
    files: files.map((file) => join(root, file)),
    // One more than there are processors: a quarter of the time tests wait, for a process to start or a timer.
    concurrency: availableParallelism() + 1,
    execArgv: ["compile-cache.ts", "seed.ts"].flatMap((file) => ["--import", join(root, "test", file)]),
  });
  // Suites are counted by their tests. A file that crashes before its first test reports itself as a failed test.
  stream.on("test:pass", ({ details, skip, todo, name }) => {
    if (details.type === "suite") return;
    const isSkipped = (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false);
    tally[isSkipped ? "skipped" : "passed"]++;
    if (isSkipped) process.stdout.write(`skipped: ${name} (${String(skip ?? todo)})\n`);
  });
  stream.on("test:fail", ({ details }) => {
    if (details.type !== "suite") tally.failed++;
  });
  for await (const chunk of stream.compose(spec)) process.stdout.write(chunk);
}
