// Runs every check of the project and closes with one line: N passed, N failed, N skipped. `--fast` leaves out what starts
// a daemon or a browser; `--slowest N` names the files that took longest; files that are named are run alone.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";
import { startsDaemon } from "./starts-daemon.ts";

const root = join(import.meta.dirname, "..");
const { values: options, positionals: only } = parseArgs({
  options: { fast: { type: "boolean", default: false }, slowest: { type: "string", default: "0" } },
  allowPositionals: true,
});
const tally = { passed: 0, failed: 0, skipped: 0 };

if (only.length === 0) {
  check("format", "biome", ["format", "."]);
  check("lint", "biome", ["lint", "--error-on-warnings", "."]);
  check("types", "tsc", ["--noEmit"]);
  check("types of the dashboard", "tsc", ["--noEmit", "-p", "dashboard"]);
  check("types of the engine, without Node's", "tsc", ["--noEmit", "-p", "packages/engine"]);
}
await runTests(only.length > 0 ? only : testFiles());
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

function testFiles(): string[] {
  const folders = ["src", "test", "bench", "examples", "dashboard/src"];
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root },
  );
  return options.fast ? files.filter((file) => !startsDaemon(file)) : files;
}

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
  const tookMs = new Map<string, number>();
  stream.on("test:summary", ({ file, duration_ms }) => {
    if (file !== undefined) tookMs.set(relative(root, file), duration_ms);
  });
  for await (const chunk of stream.compose(spec)) process.stdout.write(chunk);
  const slowest = [...tookMs].sort(([, a], [, b]) => b - a).slice(0, Number(options.slowest));
  for (const [file, ms] of slowest)
    process.stdout.write(`${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}\n`);
}
