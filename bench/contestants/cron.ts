import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Cron } from "../../src/operations/cron/cron.ts";
import { Outcome } from "../../src/engine/events/outcome.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { manualClock } from "../../src/engine/testing/manual-clock.ts";
import type { ToolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";
import { jobsStartMs } from "./cron-jobs.ts";

const fill = fileURLToPath(new URL("cron-jobs.ts", import.meta.url));

/** One look of the scheduler at a store with so many jobs, of which none is due, or one more each time. */
export function tick(jobs: number, due: "none" | "one"): Contestant {
  const { cron, clock } = open(jobs);
  const ready = cron.start();
  return {
    name: tickName(jobs, due),
    isSync: false,
    async run(call) {
      await ready;
      if (due === "one") clock.setWall(1_000);
      await cron.tick();
      return call;
    },
    read: (result) => result as ToolCall | null,
  };
}

export function tickName(jobs: number, due: "none" | "one"): string {
  return `a look at ${jobs.toLocaleString("en")} jobs, ${due} due`;
}

/** A thousand looks, each of which finds one that is due. */
export function ticks(jobs: number): Contestant {
  const one = tick(jobs, "one");
  return {
    ...one,
    name: ticksName(jobs),
    async run(call) {
      for (let count = 0; count < 1_000; count++) await one.run(call);
      return call;
    },
  };
}

export function ticksName(jobs: number): string {
  return `a thousand looks at ${jobs.toLocaleString("en")} jobs`;
}

/** A scheduler on a store that another process has filled: what that took is not what is measured. */
function open(jobs: number) {
  const home = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));
  const file = join(home, "swarm.db");
  const { status, stderr } = spawnSync(process.execPath, [fill, file, String(jobs)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const clock = manualClock(jobsStartMs + 1); // late, by a millisecond
  const log = { warn: (message: string) => void process.stderr.write(`${message}\n`) };
  const settings = { declarations: [] };
  const nobody = (): never => {
    throw new Error("nothing is recorded here");
  };
  const cron = new Cron({
    home,
    store: openSqliteStore(file).cron,
    audit: { record: nobody, intent: nobody },
    emit: async ({ event, data }) => new Outcome(event as "cron.fired", data as never),
    clock,
    log,
    kinds: {},
    mayRun: async () => ({ verdict: "allow" }),
    isOn: () => true,
    declared: { settings: () => settings, forget: () => undefined },
    keptDays: () => 90,
    deniedNow: async () => null,
  });
  return { cron, clock };
}
