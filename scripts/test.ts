// Runs every check of the project and closes with one line: N passed, N failed, N skipped. `--fast` leaves out what starts
// a daemon or many programs, and loads each source once a processor instead of once a file; `--slowest N` names the files that
// took longest; files that are named are run alone, with `--together` in one process.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";
import { fastFiles } from "./fast-files.ts";

const root = join(import.meta.dirname, "..");
const { values: options, positionals: only } = parseArgs({
  options: {
    fast: { type: "boolean", default: false },
    together: { type: "boolean", default: false },
    slowest: { type: "string", default: "0" },
  },
  allowPositionals: true,
});
const imports = ["compile-cache.ts", "seed.ts"].flatMap((file) => ["--import", join(root, "test", file)]);
const tally = { passed: 0, failed: 0, skipped: 0 };

if (only.length === 0 && !options.fast) {
  check("format", "biome", ["format", "."]);
  check("lint", "biome", ["lint", "--error-on-warnings", "."]);
  check("types", "tsc", ["--noEmit"]);
  check("types of the dashboard", "tsc", ["--noEmit", "-p", "dashboard"]);
  check("types of the engine, without Node's", "tsc", ["--noEmit", "-p", "packages/engine"]);
}
if (options.fast) await runFast();
else await runTests(only.length > 0 ? only : testFiles());
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

function testFiles(): string[] {
  const folders = ["src", "test", "bench", "examples", "dashboard/src"];
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root },
  );
}

/** A process for each processor. Their tests share it, and what one of them leaves behind is a defect of that test. */
async function runFast(): Promise<void> {
  const files = fastFiles();
  const processes = Array.from({ length: availableParallelism() }, (_, own) => {
    const shared = files.filter((_file, at) => at % availableParallelism() === own);
    return runTogether(shared);
  });
  for (const { output, closing } of await Promise.all(processes)) {
    process.stdout.write(output);
    for (const name of ["passed", "failed", "skipped"] as const)
      tally[name] += Number(new RegExp(`(\\d+) ${name}`).exec(closing)?.[1] ?? (name === "failed" ? 1 : 0));
  }
}

async function runTogether(files: string[]): Promise<{ output: string; closing: string }> {
  const script = join(import.meta.dirname, "test.ts");
  const child = spawn(process.execPath, [...imports, script, "--together", ...files], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await once(child, "close");
  const closing = output.trimEnd().split("\n").at(-1) ?? "";
  return { output: output.slice(0, output.lastIndexOf(closing)), closing };
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
    isolation: options.together ? "none" : "process",
    // One more than there are processors: a quarter of the time tests wait, for a process to start or a timer.
    ...(!options.together && { concurrency: availableParallelism() + 1 }),
    ...(!options.together && { execArgv: imports }),
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
