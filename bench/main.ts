import { type Arguments, readArguments, UsageError, usage } from "./arguments.ts";
import { compare, type Row } from "./compare.ts";
import { runInProcesses } from "./processes.ts";
import { asMarkdown, asTable, writeReadme } from "./report.ts";
import { scenes } from "./scenes.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const read = readArguments(args);
    if (read.format === "help") process.stdout.write(usage);
    else print(read, await runScenes(read));
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUsage = error instanceof UsageError;
    process.stderr.write(`bench: ${error.message}${isUsage ? " (see --help)" : ""}\n`);
    return isUsage ? 64 : 1;
  }
}

async function runScenes({ suite, rounds }: Arguments): Promise<Row[]> {
  const chosen = [...scenes.entries()].filter(([, scene]) => suite === null || scene.suite === suite);
  const rows: Row[] = [];
  for (const [done, [index, scene]] of chosen.entries()) {
    tell(`bench: ${scene.suite}, ${done + 1} of ${chosen.length}, ${rounds} rounds`);
    rows.push(...compare(scene, await runInProcesses(index, rounds, scene.isMadeOnce && 1)));
  }
  tell("");
  return rows;
}

function print({ suite, format, rounds }: Arguments, rows: readonly Row[]): void {
  const command = ["npm run -s bench --", suite, `--${format}`, `--rounds ${rounds}`]
    .filter(Boolean)
    .join(" ");
  if (format === "json") process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (format === "markdown") process.stdout.write(asMarkdown(rows, command));
  else if (format === "write") writeReadme(asMarkdown(rows, command));
  else process.stdout.write(asTable(rows));
}

/** One line that is replaced on a terminal and appended elsewhere. */
function tell(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progress}`);
  else if (progress !== "") process.stderr.write(`${progress}\n`);
}
