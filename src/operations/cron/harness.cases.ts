import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { emitEntry } from "../../record/audit/entry.ts";
import { Recorder } from "../../record/audit/recorder.ts";
import { SigningKey } from "../../record/audit/signing-key.ts";
import { required, text } from "../../engine/events/schema.ts";
import { createHooks, type Hooks } from "../../engine/hooks/create-hooks.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { StoredRun } from "./port/cron-job.ts";
import type { MayRun } from "../port/may-run.ts";
import type { RunEvent } from "../../record/port/run-event.ts";
import type { Store } from "../../store/port/store.ts";
import type { TaskCall, TaskEnd, TaskKind } from "./port/task.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { type ManualClock, manualClock } from "../../engine/testing/manual-clock.ts";
import { Cron } from "./cron.ts";
import type { Declarations } from "./declared.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import { iso } from "./slots.ts";

// Loaded when it is first needed, which is no part of any test.
await import("croner");

export const start = Date.UTC(2026, 0, 1);
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const at = (ms: number): string => iso(start + ms);

/** A task that was started, and how to end it. */
export interface StartedTask {
  readonly call: TaskCall;
  end(given?: Partial<TaskEnd>): void;
}

/** Scheduled work with a clock in hand, on a store of its own; what it starts does what the test says. */
export class CronPlace {
  readonly home = mkdtempSync(join(tmpdir(), "swarm-cron-"));
  readonly clock: ManualClock = manualClock(start);
  readonly hooks: Hooks;
  readonly store: Store;
  readonly audit: Recorder;
  readonly warnings: string[] = [];
  /** Events in the order they were told. */
  readonly told: [event: string, data: Record<string, unknown>][] = [];
  readonly started: StartedTask[] = [];
  /** Of tasks. */
  readonly kinds: Record<string, TaskKind> = { probe: this.#probe() };
  isOn = true;
  settings: Declarations = { declarations: [] };
  /** Rules that have nothing against anything, and nobody there to ask. */
  mayRun: MayRun = async ({ asked }) =>
    asked === null ? { verdict: "allow" } : { verdict: "deny", reason: `nobody is there: ${asked.reason}` };
  readonly #opened: Cron[] = [];
  #inFlight = 0;

  constructor(t: TestContext) {
    this.hooks = createHooks({ clock: this.clock, trace: true, log: { warn: () => undefined } });
    this.store = openSqliteStore(join(this.home, "swarm.db"));
    const key = new SigningKey(join(this.home, "audit-key.pem"));
    this.audit = new Recorder({ store: this.store, key, clock: this.clock, durability: "process" });
    t.after(async () => {
      for (const cron of this.#opened) cron.abort();
      for (const task of this.started) task.end();
      await Promise.all(this.#opened.map((cron) => cron.stop()));
      await this.audit.close();
      await this.store.close();
      rmSync(this.home, { recursive: true });
    });
  }

  /** Another daemon on the same store. */
  open(): Cron {
    const cron = new Cron({
      home: this.home,
      store: this.store.cron,
      audit: this.#audit,
      emit: (request) => this.#count(this.#emit(request)),
      clock: this.clock,
      log: { warn: (message) => void this.warnings.push(message) },
      kinds: this.kinds,
      mayRun: (request) => this.mayRun(request),
      deniedNow: async () => null,
      isOn: () => this.isOn,
      declared: { settings: () => this.settings, forget: () => undefined },
      keptDays: () => 90,
    });
    this.#opened.push(cron);
    return cron;
  }

  /** As after `kill -9`: nobody ends what it began, and its process is not there any more. */
  async kill(cron: Cron): Promise<void> {
    const before = await this.store.cron.listDaemons();
    await cron.pause();
    assert.equal(before.length, 1, "which one is meant");
    for (const { daemon_id } of before) await this.store.cron.forgetDaemon(daemon_id);
  }

  /** Moves time on in steps, and waits for what each brings to be written. */
  async advance(ms: number, stepMs = ms): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await this.clock.advance(Math.min(stepMs, left));
      await this.settled();
    }
  }

  /** Waits for rows, which are fsynced by threads of their own, and for all that follows from them. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 30; quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#inFlight > 0) quiet = 0;
    }
  }

  async runs(jobId: string): Promise<StoredRun[]> {
    return (await this.store.cron.listRuns(jobId, { limit: 1_000 })).reverse();
  }

  /** `schedule completed 00:10` */
  async story(jobId: string): Promise<string[]> {
    const runs = await this.runs(jobId);
    return runs.map(
      ({ trigger, status, scheduled_at }) => `${trigger} ${status} ${scheduled_at.slice(11, 16)}`,
    );
  }

  async rows(): Promise<RunEvent[]> {
    return this.store.readRunEvents(0, 100_000);
  }

  events(): string[] {
    return this.told.map(([event]) => event);
  }

  readonly #audit: Audit = {
    record: (...given) => this.#count(this.audit.record(...given)),
    intent: async (...given) => {
      const report = await this.#count(this.audit.intent(...given));
      return (...end) => this.#count(report(...end));
    },
  };

  #count<T>(work: Promise<T>): Promise<T> {
    this.#inFlight++;
    return work.finally(() => this.#inFlight--);
  }

  readonly #emit: Emit = async ({ event, data, origin = {} }) => {
    const outcome = await this.hooks.emit(event as "cron.missed", data as never, origin);
    await this.audit.record(emitEntry(outcome, data, origin, "swarm", 0, () => undefined));
    this.told.push([event, data as Record<string, unknown>]);
    return outcome;
  };

  #probe(): TaskKind {
    return {
      doc: "Does what the test says.",
      fields: { say: required(text("What it prints.")) },
      run: (config, call) =>
        new Promise((resolve) => {
          call.print(`${String(config.say)}\n`);
          const end = (given: Partial<TaskEnd> = {}): void =>
            resolve({ exitCode: 0, problem: null, ...given });
          if (config.say === "stubborn") this.started.push({ call, end });
          else {
            call.signal.addEventListener("abort", () => end({ problem: "aborted" }));
            this.started.push({ call, end });
          }
        }),
    };
  }
}

export function jobsFile(home: string): { jobs: Record<string, unknown>[] } | null {
  const file = join(home, "cron", "jobs.json");
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { jobs: Record<string, unknown>[] })
    : null;
}

/** Settings of a job that prints and is in everybody's way for as long as the test wants. */
export const probe = (changes: object = {}) => ({
  name: "probe",
  schedule: "*/10 * * * *",
  tz: "UTC",
  task: "probe",
  config: { say: "hello" },
  ...changes,
});
