import { parseArgs } from "node:util";
import { suggest } from "../src/base/suggest.ts";
import { suiteNames } from "./scenes.ts";

export const usage = `Measures what an event costs, as a ratio to the least code that does the same and to other libraries.

usage: npm run -s bench -- [suite] [--json | --markdown | --write] [--rounds N]

suites: ${suiteNames.join(", ")} (default: all of them)

  --json       print one JSON array and nothing else
  --markdown   print the table for README.md, with the machine it was measured on
  --write      put that table into bench/README.md
  --rounds N   samples per comparison (default 60)
  --help       print this

SWARM_BENCH_BASELINE=DIR times the daemon of another checkout, which is built, in the same run (suite client).

examples:
  npm run -s bench
  npm run -s bench -- sync
  npm run -s bench -- async --json --rounds 30

A missed target is reported as "over" and does not fail the run: on a busy machine it may be the machine.
`;

export interface Arguments {
  readonly suite: string | null;
  readonly format: "help" | "table" | "json" | "markdown" | "write";
  readonly rounds: number;
}

/** A mistake of the caller's, told in one line. */
export class UsageError extends Error {}

export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const [suite = null, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`expected one suite, got ${positionals.join(" and ")}`);
  if (suite !== null && !suiteNames.includes(suite)) throw new UsageError(unknownSuite(suite));
  const rounds = Number(values.rounds);
  // A median of one is legal, to try things out; 10,000 rounds take most of an hour.
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 10_000) {
    throw new UsageError(`--rounds ${values.rounds}: expected a whole number from 1 to 10000`);
  }
  if (values.help) return { suite, format: "help", rounds };
  const formats = (["json", "markdown", "write"] as const).filter((name) => values[name]);
  if (formats.length > 1) throw new UsageError(`--${formats.join(" and --")} exclude each other`);
  if (values.write && suite !== null)
    throw new UsageError("--write needs all suites: the table has them all");
  return { suite, format: formats[0] ?? "table", rounds };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        markdown: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        rounds: { type: "string", default: "60" },
      },
    });
  } catch (error) {
    // Node's own sentence, without the advice that follows it.
    const [problem] = error instanceof Error ? error.message.split(/\. |\n/) : [];
    throw new UsageError(problem ?? String(error));
  }
}

function unknownSuite(suite: string): string {
  const meant = suggest(suite, suiteNames);
  const hint = meant === undefined ? `expected ${suiteNames.join(", ")}` : `did you mean ${meant}?`;
  return `unknown suite ${JSON.stringify(suite)}, ${hint}`;
}
