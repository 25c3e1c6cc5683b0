// Runs the swarm's control plane under simulation: `npm run sim -- --help`.
import { parseArgs } from "node:util";
import { type Breaking, breakings } from "../test/sim/breaking.ts";
import { findShortest, type Simulated, simulate } from "../test/sim/simulation.ts";

const help = `Usage: npm run sim -- [options]

Runs the real swarm on a real store with a clock, agents, people, processes and failures that random numbers choose,
and looks after every step whether everything is in order. The same seed takes the same steps and has the same log.

Options:
  --seed N        the first seed; default 1
  --seeds N       how many seeds, one after the other; default 1
  --steps N       steps of each; default 500
  --shortest      of all seeds finds the one that needs the fewest steps to go wrong
  --breaking X    breaks the swarm on purpose: ${breakings.join(", ")}
  --log           prints the log of each seed as well
  --json          prints a line of JSON for each seed
  --help          prints this

Examples:
  npm run sim -- --seed 7 --steps 20000 --log
  npm run sim -- --seeds 2000 --steps 2000
  npm run sim -- --breaking epoch --seeds 100 --shortest

It exits with 1 when something went wrong, and prints how to do it again.
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    steps: { type: "string", default: "500" },
    shortest: { type: "boolean", default: false },
    breaking: { type: "string" },
    log: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(help);
else await run();

async function run(): Promise<void> {
  const [first, seeds, steps] = [whole("seed", 0), whole("seeds", 1), whole("steps", 1)];
  const breaking = breakings.find((one) => one === values.breaking) ?? null;
  if (values.breaking !== undefined && breaking === null)
    fail(`--breaking ${values.breaking}: expected one of ${breakings.join(", ")}`);
  const options = { steps, breaking };
  if (values.shortest) {
    const shortest = await findShortest(first, seeds, options);
    if (shortest !== null) print(shortest, breaking);
    else process.stdout.write(`nothing goes wrong in ${seeds} seeds\n`);
    return;
  }
  for (let seed = first; seed < first + seeds; seed++) print(await simulate({ ...options, seed }), breaking);
}

function print(simulated: Simulated, breaking: Breaking | null): void {
  const { log, ...told } = simulated;
  const { seed, steps, violation, digest, rows, states } = told;
  if (values.log) process.stdout.write(`${log.join("\n")}\n`);
  if (violation !== null) process.exitCode = 1;
  if (values.json) {
    process.stdout.write(`${JSON.stringify(told)}\n`);
    return;
  }
  const tasks = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  const again = `npm run sim -- --seed ${seed} --steps ${steps}${breaking === null ? "" : ` --breaking ${breaking}`} --log`;
  const how = violation === null ? "in order" : `✖ ${violation}\n  again: ${again}`;
  process.stdout.write(
    `seed ${seed}, ${steps} steps, ${rows} rows, tasks: ${tasks.join(", ")}; log ${digest.slice(0, 16)}; ${how}\n`,
  );
}

function whole(name: "seed" | "seeds" | "steps", least: number): number {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < least)
    fail(`--${name} ${values[name]}: expected a whole number from ${least}`);
  return number;
}

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(64);
}
