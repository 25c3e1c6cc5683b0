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
/** Each list is asked for so many times a round, and the least counts: whatever else the machine does only adds to it. */
const askedTimes = 9;
const verifyPath = "/api/v1/audit/verify";
const decisionCount = 500;

interface Home {
  readonly rows: number;
  readonly home: string;
}

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
      await measureHomes(homes, note);
      const slowest = Math.max(...listNames.map((name) => amounts.get(name(many))?.at(-1) ?? Number.NaN));
      note(slowestName, slowest);
      for (const [name, ns] of Object.entries(limitsNs)) note(name, ns);
    }
    return amounts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Note = (name: string, ns: number) => void;

/** Each of them in turn: what else the machine does is the same for both. */
async function measureHomes(homes: readonly Home[], note: Note): Promise<void> {
  const up: (Home & { readonly daemon: Daemon })[] = [];
  try {
    for (const each of homes) {
      const startedAtMs = performance.now();
      const daemon = await Daemon.start(each.home);
      note(startName(each.rows), (performance.now() - startedAtMs) * 1e6);
      up.push({ ...each, daemon });
    }
    for (const [at, ask] of asks.entries()) {
      const times = up.map(() => [] as number[]);
      for (let time = 0; time < askedTimes; time++)
        for (const [which, { daemon }] of up.entries())
          times[which]?.push(await timed(() => daemon.ask(pathOf(ask))));
      for (const [which, { rows }] of up.entries())
        note(listNames[at]?.(rows) ?? "", Math.min(...(times[which] ?? [])));
    }
    for (const { rows, daemon } of up)
      note(verifyName(rows), (await timed(() => daemon.ask(verifyPath))) / rows);
    if (up[0] !== undefined) await measureDecisions(up[0].daemon, note);
  } finally {
    for (const { daemon } of up) await daemon.stop();
  }
}

async function measureDecisions(daemon: Daemon, note: Note): Promise<void> {
  await slowDecision(daemon); // what is compiled first
  note(decisions.alone, await slowDecision(daemon));
  note(decisions.verify, await slowDecision(daemon, () => daemon.ask(verifyPath)));
  const lists = asks.filter(({ route }) => route === "listEvents" || route === "listSessions");
  const readLists = async () => {
    for (const ask of lists) await daemon.ask(pathOf(ask));
  };
  note(decisions.lists, await slowDecision(daemon, readLists));
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
