import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Amounts } from "../measure.ts";
import { quantile } from "../statistics.ts";
import { asks, nameOf, pathOf } from "./asks.ts";
import { Daemon, makeHome } from "./daemon.ts";

export const [many, few] = [1_000_000, 100_000] as const;
export const limits = { start: "one second", list: "50 milliseconds", verify: "10 µs a row" } as const;
const limitsNs: Readonly<Record<string, number>> = {
  [limits.start]: 1e9,
  [limits.list]: 50e6,
  [limits.verify]: 10_000,
};

const sized = (what: string) => (rows: number) => `${what}, ${rows.toLocaleString("en")} rows`;
export const startName = sized("start of the daemon");
export const verifyName = sized("a row verified");
export const slowestName = "the slowest of all lists and searches";
export const listNames = asks.map((ask) => sized(nameOf(ask)));
export const decisions = {
  alone: "1 of 100 decisions, alone",
  verify: "1 of 100 decisions, while the record is verified",
  lists: "1 of 100 decisions, while lists are read without a pause",
} as const;

const maxRounds = 3;
/** Each list is asked for so many times a round; what counts is the median. */
const askedTimes = 5;
const decisionCount = 500;

/** Daemons on a long and a short record, asked in turn. */
export async function measureRecord(rounds: number): Promise<Amounts> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  try {
    const homes = [many, few].map((rows) => ({ rows, home: join(folder, String(rows)) }));
    for (const { rows, home } of homes) makeHome(home, rows);
    const amounts = new Map<string, number[]>();
    const note = (name: string, ns: number): void =>
      void amounts.set(name, [...(amounts.get(name) ?? []), ns]);
    for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
      for (const { rows, home } of homes) await measureHome(home, rows, note);
      const slowest = Math.max(...listNames.map((name) => amounts.get(name(many))?.at(-1) ?? Number.NaN));
      note(slowestName, slowest);
      for (const [name, ns] of Object.entries(limitsNs)) note(name, ns);
    }
    return amounts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureHome(
  home: string,
  rows: number,
  note: (name: string, ns: number) => void,
): Promise<void> {
  const startedAtMs = performance.now();
  const up = await Daemon.start(home);
  note(startName(rows), (performance.now() - startedAtMs) * 1e6);
  try {
    for (const [at, ask] of asks.entries()) {
      const times: number[] = [];
      for (let time = 0; time < askedTimes; time++) times.push(await timed(() => up.ask(pathOf(ask))));
      note(listNames[at]?.(rows) ?? "", quantile(times, 0.5));
    }
    const verifying = () => up.ask("/api/v1/audit/verify");
    note(verifyName(rows), (await timed(verifying)) / rows);
    if (rows !== many) return;
    await slowDecision(up); // what is compiled first
    note(decisions.alone, await slowDecision(up));
    note(decisions.verify, await slowDecision(up, verifying));
    const list = asks.filter(({ route }) => route === "listEvents" || route === "listSessions");
    note(
      decisions.lists,
      await slowDecision(up, async () => {
        for (const ask of list) await up.ask(pathOf(ask));
      }),
    );
  } finally {
    await up.stop();
  }
}

/** How long the slowest of a hundred decisions takes while something else is done again and again. */
async function slowDecision(
  daemon: Daemon,
  meanwhile: (() => Promise<unknown>) | null = null,
): Promise<number> {
  let isOver = false;
  const other = (async () => {
    while (meanwhile !== null && !isOver) await meanwhile();
  })();
  const times: number[] = [];
  while (times.length < decisionCount) times.push(await timed(() => daemon.decide()));
  isOver = true;
  await other;
  return quantile(times, 0.99);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return (performance.now() - startedAtMs) * 1e6;
}
