import type { Clock, Timer } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { StoredJob } from "./port/cron-job.ts";
import type { CronStore, SlotClaim } from "./port/cron-store.ts";
import type { Daemons } from "./daemons.ts";
import { claimOf, newRun } from "./due.ts";
import type { CronEvents } from "./events.ts";
import { reseat } from "./reseat.ts";
import type { Runner } from "./runner.ts";
import { iso, timetableOf } from "./slots.ts";

export interface SchedulerOptions {
  readonly store: CronStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: CronEvents;
  readonly runner: Runner;
  readonly daemons: Daemons;
  /** Whether jobs are run by their schedules. */
  readonly isOn: () => boolean;
  /** Takes over what configuration files declare, if they have changed. */
  readonly syncDeclared: () => Promise<void>;
  /** Sees whether somebody has edited the file that only mirrors the jobs. */
  readonly checkMirror: () => void;
}

/** The clock is looked at this often at least: a machine that slept or whose clock was set tells nobody. */
const tickMs = 60_000;
/** After a pass that failed. */
const retryMs = 5_000;
/** A clock that went back by more than this was set. */
const setBackMs = 60_000;
/** Programs of this daemon at once; more are queued, and start as others end. */
const maxAtWork = 64;
const maxClaimed = 50;

/**
 * Claims what is due and has it run: at the time of the next due job by a timer, and every minute whatever happens. It
 * holds no jobs: what is due is one look into an index, however many there are.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  #timer: Timer | null = null;
  #passing: Promise<void> | null = null;
  #isWoken = false;
  #isStopped = true;
  /** Between the wall clock and the one nobody sets. */
  #offsetMs: number;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#offsetMs = options.clock.now() - options.clock.monotonicMs();
  }

  /** Resolves when what was left over has been seen to and what was due has been claimed. */
  async start(): Promise<void> {
    this.#isStopped = false;
    const newest = await this.#options.store.newestRun();
    // Made in the future: the clock was set back while nobody was here.
    const aheadMs = newest === null ? 0 : Date.parse(newest.created_at) - this.#options.clock.now();
    if (aheadMs > setBackMs) this.#offsetMs += aheadMs;
    await this.wake();
  }

  /** Something may be due: looks now, or once more when the look under way is over. */
  readonly wake = (): Promise<void> => {
    if (this.#isStopped) return Promise.resolve();
    this.#isWoken = true;
    this.#passing ??= this.#passes().finally(() => {
      this.#passing = null;
    });
    return this.#passing;
  };

  /** Claims nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.close();
    await this.#passing;
  }

  async #passes(): Promise<void> {
    this.#timer?.close();
    let delayMs = tickMs;
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      delayMs = await this.#pass();
    }
    if (!this.#isStopped) this.#timer = this.#options.clock.setTimer(() => void this.wake(), delayMs);
  }

  /** Never throws: a ticker that dies does so in silence. Returns when to look again. */
  async #pass(): Promise<number> {
    const { store, clock, log, daemons, syncDeclared, checkMirror, isOn } = this.#options;
    try {
      const isTimeToLookAround = await daemons.beat();
      if (isTimeToLookAround) await this.#seeToLeftOvers();
      await syncDeclared();
      // Not waited for: no job is to be late because of a file.
      checkMirror();
      await this.#noticeSetClock();
      if (isOn()) await this.#claimDue();
      await this.#beginQueued();
      const dueAt = isOn() ? await store.nextDueAt(iso(clock.now())) : null;
      return dueAt === null ? tickMs : Math.min(tickMs, Math.max(0, Date.parse(dueAt) - clock.now()));
    } catch (error) {
      const { message, stack } = error as Error;
      log.warn(`scheduled work: ${error instanceof SwarmError ? message : stack}`, {});
      return retryMs;
    }
  }

  async #claimDue(): Promise<void> {
    const { store, clock } = this.#options;
    for (;;) {
      const jobs = await store.dueJobs(iso(clock.now()), maxClaimed);
      for (const job of jobs) if (!this.#isStopped) await this.#claim(job);
      if (jobs.length < maxClaimed || this.#isStopped) return;
    }
  }

  async #claim(job: StoredJob): Promise<void> {
    const { store, events, runner } = this.#options;
    const made = await store.claim(await this.#claimFor(job));
    for (const run of made ?? []) if (run.ended_at !== null) runner.tell(events.missed(job, run));
  }

  /** A job whose schedule cannot be read stands in nobody's way: it is told of, and due no more. */
  async #claimFor(job: StoredJob): Promise<SlotClaim> {
    const nowMs = this.#options.clock.now();
    try {
      return claimOf(job, await timetableOf(job), nowMs);
    } catch (error) {
      const { job_id, revision, next_at } = job;
      const [slot, now] = [next_at ?? iso(nowMs), iso(nowMs)];
      const times = { slot, scheduled_at: slot, due_at: slot, created_at: now, ended_at: now };
      const run = newRun(job, {
        ...times,
        trigger: "schedule",
        status: "missed",
        reason: (error as Error).message,
      });
      return {
        job_id,
        revision,
        from: slot,
        next_at: null,
        due_at: null,
        runs: [run],
        ifBusy: null,
        time: now,
      };
    }
  }

  async #beginQueued(): Promise<void> {
    const { store, clock, runner } = this.#options;
    const room = maxAtWork - runner.atWork;
    if (room <= 0 || this.#isStopped) return;
    for (const run of await store.startableRuns(iso(clock.now()), room)) await runner.begin(run);
  }

  /** Runs of daemons that are gone. */
  async #seeToLeftOvers(): Promise<void> {
    const { store, runner, daemons } = this.#options;
    const open = await store.openRuns();
    const gone = await daemons.gone(new Set(open.flatMap(({ owner }) => owner ?? [])));
    for (const run of open) {
      const { owner, status } = run;
      if (owner === null || !gone.has(owner)) continue;
      if (status === "waiting") await runner.resume(run, owner);
      else await runner.interrupt(run, owner);
    }
    for (const daemon of gone) await store.forgetDaemon(daemon);
  }

  /** After a clock was set back, jobs stand at slots that are far in the future. */
  async #noticeSetClock(): Promise<void> {
    const { store, clock } = this.#options;
    const offsetMs = clock.now() - clock.monotonicMs();
    const isSetBack = offsetMs < this.#offsetMs - setBackMs;
    this.#offsetMs = offsetMs;
    if (isSetBack) await reseat(store, clock.now());
  }
}
