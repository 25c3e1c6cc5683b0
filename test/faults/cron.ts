import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { storedRecord } from "../../src/record/audit/stored-record.ts";
import { verifyRecord } from "../../src/record/audit/verify.ts";
import type { StoredRun } from "../../src/operations/cron/port/cron-job.ts";
import { openRuntime, type Runtime } from "../../src/daemon/runtime/runtime.ts";
import { randomFrom } from "./random.ts";

export interface CronKillReport {
  readonly slots: number;
  readonly kills: number;
  readonly completed: number;
  /** Begun by a daemon that was killed. */
  readonly interrupted: number;
  /** Tried again after that; only with retries. */
  readonly retried: number;
  /** Slots whose every attempt was interrupted: no retry is left. */
  readonly exhausted: number;
}

const log = { warn: () => undefined };

export interface CronKillOptions {
  readonly jobs: number;
  readonly slotsPerJob: number;
  readonly retries: number;
  readonly seed: number;
}

const program = join(import.meta.dirname, "cron-daemon.ts");

/**
 * Two daemons on one store, killed at moments the seed decides and started again, while jobs are due every second. Every
 * slot must be claimed once, and without retries its effect must happen at most once; with them it is tried until it
 * completes, or until every retry was interrupted, too.
 */
export async function killCronDaemons(options: CronKillOptions): Promise<CronKillReport> {
  const { jobs, slotsPerJob, retries, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), "swarm-cron-kill-"));
  const home = join(folder, "home");
  const effects = join(folder, "effects");
  try {
    const ids = await createJobs(home, effects, jobs, retries);
    const kills = await killAtRandom(home, ids, slotsPerJob, randomFrom(seed));
    return await inspectRuns(home, effects, ids, retries, kills);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createJobs(home: string, effects: string, jobs: number, retries: number): Promise<string[]> {
  const runtime = await openRuntime({ home, cwd: home, env: process.env, log });
  const cron = await runtime.cron.open();
  const ids: string[] = [];
  for (let count = 0; count < jobs; count++) {
    const { job_id } = await cron.jobs.create(
      {
        name: `job${count}`,
        schedule: "every 1s",
        task: "custom",
        // One write of less than a page, appended: no two of them mix.
        config: {
          command: `echo "$SWARM_CRON_JOB_ID $SWARM_CRON_SCHEDULED_AT $SWARM_CRON_ATTEMPT" >> '${effects}'`,
        },
        overlap: "queue",
        misfire: "all",
        misfire_cap: 1_000,
        retries,
        backoff_s: 1,
      },
      "human:test",
    );
    ids.push(job_id);
  }
  await runtime.close();
  return ids;
}

/** Until every job has had so many slots; then everything is left to end in peace. */
async function killAtRandom(
  home: string,
  ids: readonly string[],
  slotsPerJob: number,
  random: () => number,
): Promise<number> {
  const runtime = await openRuntime({ home, cwd: home, env: process.env, log });
  const { cron } = runtime.store;
  const daemons = [startDaemon(home), startDaemon(home)];
  // On a busy machine a start takes seconds: killed before it has claimed anything, a daemon proves nothing.
  const up = daemons.map(isUp);
  let kills = 0;
  try {
    for (;;) {
      await pause(100 + random() * 1_400);
      const slots = await Promise.all(
        ids.map(async (id) => (await cron.listRuns(id, { limit: 10_000 })).filter(isFirst).length),
      );
      if (Math.min(...slots) >= slotsPerJob) break;
      const which = Math.floor(random() * daemons.length);
      // Sometimes both at once, and nobody is there for a while.
      for (const at of random() < 0.2 ? [0, 1] : [which]) {
        await up[at];
        await kill(daemons[at]);
        kills++;
        daemons[at] = startDaemon(home);
        up[at] = isUp(daemons[at]);
      }
    }
    await stopJobs(runtime, ids);
    for (;;) {
      const open = (await Promise.all(ids.map((id) => cron.listRuns(id, { limit: 10_000 })))).flat();
      if (open.every(({ ended_at }) => ended_at !== null)) return kills;
      await pause(200);
    }
  } finally {
    for (const daemon of daemons) await kill(daemon);
    await runtime.close();
  }
}

/** No more slots, without skipping those that are queued. */
async function stopJobs(runtime: Runtime, ids: readonly string[]): Promise<void> {
  const { jobs } = await runtime.cron.open();
  for (const id of ids) await jobs.change(id, { schedule: "2030-01-01T00:00Z" }, "human:test");
}

function startDaemon(home: string): ChildProcess {
  return spawn(process.execPath, [program, home], { stdio: ["ignore", "pipe", "inherit"] });
}

/** It says so on its standard output; one that could not start has ended instead. */
async function isUp(daemon: ChildProcess): Promise<void> {
  await Promise.race([once(daemon.stdout ?? daemon, "data"), once(daemon, "exit")]);
}

async function kill(daemon: ChildProcess | undefined): Promise<void> {
  if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  daemon.kill("SIGKILL");
  await once(daemon, "exit");
}

const isFirst = ({ attempt }: StoredRun): boolean => attempt === 1;

async function inspectRuns(
  home: string,
  effects: string,
  ids: readonly string[],
  retries: number,
  kills: number,
): Promise<CronKillReport> {
  const runtime = await openRuntime({ home, cwd: home, env: process.env, log });
  try {
    const runs = (
      await Promise.all(ids.map((id) => runtime.store.cron.listRuns(id, { limit: 10_000 })))
    ).flat();
    const claims = runs.filter(isFirst).map(({ job_id, slot }) => `${job_id} ${slot}`);
    assert.equal(new Set(claims).size, claims.length, "a slot was claimed twice");
    assert.deepEqual(
      runs.filter(({ status }) => status === "missed" || status === "skipped"),
      [],
      "a slot was left out",
    );
    for (const id of ids) assertNoGaps(runs.filter((run) => run.job_id === id && isFirst(run)));
    const lines = existsSync(effects) ? readFileSync(effects, "utf8").trim().split("\n") : [];
    assert.equal(new Set(lines).size, lines.length, "an attempt had its effect twice");
    const perSlot = new Set(lines.map((line) => line.split(" ").slice(0, 2).join(" ")));
    if (retries === 0) assert.equal(perSlot.size, lines.length, "a slot had its effect twice");
    const completed = runs.filter(({ status }) => status === "completed");
    for (const { job_id, slot } of completed)
      assert.ok(perSlot.has(`${job_id} ${slot}`), "completed without an effect");
    const fired = await countFired(runtime);
    assert.equal(new Set(fired).size, fired.length, "cron.fired was told twice of a run");
    const { is_intact, open_intents } = await verifyRecord(
      await storedRecord(runtime.store, runtime.key.publicKey),
    );
    assert.deepEqual([is_intact, open_intents], [true, []]);
    const interrupted = runs.filter(({ status }) => status === "interrupted").length;
    const others = runs.length - completed.length - interrupted;
    assert.equal(others, 0, "runs that neither completed nor were interrupted");
    const ends = Map.groupBy(runs, ({ job_id, slot }) => `${job_id} ${slot}`);
    for (const attempts of ends.values()) assertTriedEnough(attempts, retries);
    return {
      slots: claims.length,
      kills,
      completed: completed.length,
      interrupted,
      retried: runs.length - claims.length,
      exhausted: claims.length - completed.length,
    };
  } finally {
    await runtime.close();
  }
}

/** One attempt after the other; the last has completed, once, unless it was the last that the job allows. */
function assertTriedEnough(runs: readonly StoredRun[], retries: number): void {
  const attempts = runs.toSorted((a, b) => a.attempt - b.attempt);
  const told = JSON.stringify(attempts);
  assert.deepEqual(
    attempts.map(({ attempt }) => attempt),
    attempts.map((_, at) => at + 1),
    `attempts that are missing or there twice: ${told}`,
  );
  assert.ok(attempts.length <= retries + 1, `more attempts than the job allows: ${told}`);
  const isCompleted = attempts.map(({ status }) => status === "completed");
  assert.ok(!isCompleted.slice(0, -1).includes(true), `tried again after it had completed: ${told}`);
  assert.ok(isCompleted.at(-1) || attempts.length === retries + 1, `given up with retries left: ${told}`);
}

/** Slot after slot, a second apart. */
function assertNoGaps(runs: readonly StoredRun[]): void {
  const times = runs.map(({ scheduled_at }) => Date.parse(scheduled_at)).sort((a, b) => a - b);
  const gaps = times.slice(1).filter((time, at) => time - (times[at] ?? 0) !== 1_000);
  assert.deepEqual(gaps, [], "a slot is missing");
}

/** The runs cron.fired was told of. */
async function countFired({ store }: Runtime): Promise<string[]> {
  const fired: string[] = [];
  for (let page = await store.readRunEvents(0, 1_000); page.length > 0; ) {
    for (const { seq, kind, event } of page) {
      if (kind !== "emit" || event !== "cron.fired") continue;
      const payload = await store.findPayload(seq);
      fired.push((JSON.parse(payload?.before ?? "{}") as { run_id: string }).run_id);
    }
    page = await store.readRunEvents(page.at(-1)?.seq ?? 0, 1_000);
  }
  return fired;
}
