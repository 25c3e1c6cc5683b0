// Runs every check of the project and closes with one line: N passed, N failed, N skipped. Tests that start no daemon share a
// process for each processor, so that each source is loaded once in it: that is all `--fast` runs, without format, lint and types.
// `--slowest N` names the files that took longest. Files that are named are run alone, with `--together` in one process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { fastFiles } from "./fast-files.ts";
import { leftBehind, temporaryFolder } from "./temporary-folder.ts";
import { TestOutput } from "./test-output.ts";

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
/** What has failed, said again at the end: of some thousand lines it is what is looked for. */
const failures: string[] = [];
const closing = /\n*(?<passed>\d+) passed, (?<failed>\d+) failed, (?<skipped>\d+) skipped\s*$/;
const print = (text: string): void => void process.stdout.write(text);

if (only.length > 0) await runTests(only);
else {
  const { files, leftOut } = fastFiles();
  if (!options.fast) await runChecks();
  await runShared(files);
  if (options.fast) sayLeftOut(leftOut, files.length);
  else await runTests([...leftOut.values()].flat().sort(byLength));
}
if (failures.length > 0) print(`\n✖ failing tests:\n${failures.join("")}`);
print(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;

/** The longest first: one that is begun last is waited for alone. */
function byLength(one: string, other: string): number {
  const size = (file: string): number => statSync(join(root, file)).size;
  return size(other) - size(one);
}

async function runChecks(): Promise<void> {
  await Promise.all([
    check("format", "biome", ["format", "."]),
    check("lint", "biome", ["lint", "--error-on-warnings", "."]),
    check("types", "tsc", ["--noEmit"]),
    check("types of the dashboard", "tsc", ["--noEmit", "-p", "dashboard"]),
    check("types of the engine, without Node's", "tsc", ["--noEmit", "-p", "packages/engine"]),
  ]);
}

async function check(name: string, command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const status = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      said += `${error.message}\n`;
      resolve(null);
    });
    child.once("close", resolve);
  });
  const isPassed = status === 0;
  tally[isPassed ? "passed" : "failed"]++;
  print(`${isPassed ? "✔" : "✖"} ${name}\n`);
  if (!isPassed) failures.push(`\n✖ ${name}\n${said}\n`);
}

/** A process for each processor. Its tests share it, and what one of them leaves behind is a defect of that test. */
async function runShared(files: readonly string[]): Promise<void> {
  const count = availableParallelism();
  print(`${files.length} files that start no daemon, in ${count} processes\n`);
  const dealt = files.toSorted(byLength);
  await Promise.all(
    Array.from({ length: count }, (_, own) => runTogether(dealt.filter((_file, at) => at % count === own))),
  );
}

async function runTogether(files: readonly string[]): Promise<void> {
  const startedAtMs = performance.now();
  const guard = ["--import", join(root, "test/no-daemons.ts")];
  const script = join(import.meta.dirname, "test.ts");
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [...imports, ...guard, script, "--together", ...files], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: folder },
  });
  let last = "";
  const output = new TestOutput((text) => {
    last = text;
    print(text.replace(closing, ""));
  });
  const ended = once(child, "close");
  await pipeline(child.stdout, output);
  const [status, signal] = await ended;
  const counts = closing.exec(output.failures === "" ? last : output.failures)?.groups;
  for (const name of ["passed", "failed", "skipped"] as const) tally[name] += Number(counts?.[name] ?? 0);
  if (output.failures !== "") failures.push(output.failures.replace(closing, ""));
  if (counts === undefined)
    fail(`a process of ${files.length} files ended before its tests did: ${signal ?? status}`);
  for (const name of leftBehind(folder))
    fail(`a test has left ${name} behind in the folder for temporary files`);
  const s = ((performance.now() - startedAtMs) / 1e3).toFixed(0);
  print(`${files.length} files are over after ${s} s\n`);
}

function fail(what: string): void {
  tally.failed++;
  failures.push(`\n✖ ${what}\n`);
}

function sayLeftOut(leftOut: ReadonlyMap<string, readonly string[]>, taken: number): void {
  const all = [...leftOut.values()].flat().length;
  print(`\nof ${taken + all} files ${all} are left out, npm test runs them:\n`);
  for (const [reason, files] of leftOut) print(`  ${files.length} (${shown(files)}): ${reason}\n`);
}

function shown(files: readonly string[]): string {
  const rest = files.length - 3;
  return files.slice(0, 3).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

async function runTests(files: readonly string[]): Promise<void> {
  if (only.length === 0) print(`${files.length} files, each in a process of its own\n`);
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
    if (isSkipped) print(`skipped: ${name} (${String(skip ?? todo)})\n`);
  });
  stream.on("test:fail", ({ details }) => {
    if (details.type !== "suite") tally.failed++;
  });
  const tookMs = new Map<string, number>();
  // Files are printed in their order, so that a slow one keeps back what others have printed.
  const progress = { over: 0, last: "", printed: 0 };
  const sayProgress = setInterval(() => {
    if (!options.together && progress.over > progress.printed)
      print(`… ${progress.over} tests are over, the last in ${progress.last}\n`);
    progress.printed = progress.over;
  }, 10_000).unref(); // tests in this process are over when nothing else keeps it
  stream.on("test:complete", ({ file, nesting, details }) => {
    if (details.type !== "suite") progress.over++;
    progress.last = relative(root, file ?? "");
    if (file !== undefined && nesting === 0) tookMs.set(file, (tookMs.get(file) ?? 0) + details.duration_ms);
  });
  const output = new TestOutput(print);
  await pipeline(stream.compose(spec), output);
  clearInterval(sayProgress);
  if (output.failures !== "") failures.push(output.failures);
  const slowest = [...tookMs].sort(([, a], [, b]) => b - a).slice(0, Number(options.slowest));
  for (const [file, ms] of slowest)
    print(`${(ms / 1e3).toFixed(1).padStart(6)} s  ${relative(root, file)}\n`);
}
