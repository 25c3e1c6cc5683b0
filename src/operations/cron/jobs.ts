import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { idPattern, newId } from "../../base/ids.ts";
import { redact } from "../../base/redact.ts";
import { show } from "../../base/show.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { CronJob, JobSettings, StoredJob } from "./port/cron-job.ts";
import type { CronStore } from "./port/cron-store.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import { parseSchedule } from "./schedule/schedule.ts";
import { localTimeZone } from "./schedule/time-zone.ts";
import { openTimetable } from "./schedule/timetable.ts";
import { readSettings, settingsOf, type TaskKinds } from "./settings.ts";
import { iso, type Standing, standingAt, standingFrom } from "./slots.ts";

export interface JobsOptions {
  readonly store: CronStore;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly kinds: TaskKinds;
  /** The folder of jobs that name none. */
  readonly home: string;
  /** Called when jobs have changed. */
  readonly onChanged: () => void;
}

/** A change of several jobs at once, and the row that tells of it. */
export interface JobsChange {
  readonly event: RecordedChange;
  readonly reason: string;
  readonly saved: readonly CronJob[];
  readonly deleted?: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Makes, changes and deletes jobs. Every change is recorded in the transaction it is made in. */
export class Jobs {
  readonly #options: JobsOptions;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  async create(given: JsonObject, actor: string): Promise<StoredJob> {
    const settings = this.settings(given);
    const job = await this.made(settings, actor);
    const change = {
      event: "job.created",
      reason: shown(job),
      saved: [job],
      after: settingsOf(job),
    } as const;
    await this.apply(change, actor);
    return this.find(job.job_id);
  }

  /** Changes what is given and leaves the rest. */
  async change(
    jobId: string,
    given: JsonObject,
    actor: string,
    why: string | null = null,
  ): Promise<StoredJob> {
    const job = await this.find(jobId);
    const { enabled, ...others } = given;
    if (job.declared_in !== null && Object.keys(others).length > 0)
      throw new SwarmError("SWARM_CRON_JOB_DECLARED", { name: job.name, file: job.declared_in });
    const settings = readSettings(given, settingsOf(job), this.#options.kinds);
    const saved = await this.changed(job, settings);
    const reason = why === null ? shown(saved) : `${shown(saved)}: ${why}`;
    const change = { event: changeName(job, saved), reason, saved: [saved] };
    await this.apply({ ...change, before: settingsOf(job), after: settingsOf(saved) }, actor);
    return this.find(jobId);
  }

  async delete(jobId: string, actor: string): Promise<StoredJob> {
    const job = await this.find(jobId);
    if (job.declared_in !== null)
      throw new SwarmError("SWARM_CRON_JOB_DECLARED", { name: job.name, file: job.declared_in });
    const change = { event: "job.deleted", reason: shown(job), saved: [], deleted: [jobId] } as const;
    await this.apply({ ...change, before: settingsOf(job) }, actor);
    return job;
  }

  async find(jobId: string): Promise<StoredJob> {
    const found = await this.#options.store.findJob(jobId);
    if (found === null) throw new SwarmError("SWARM_CRON_JOB_UNKNOWN", { job: jobId });
    return found;
  }

  async findByName(name: string): Promise<StoredJob | null> {
    return (await this.#options.store.listJobs({ limit: 1, name }))[0] ?? null;
  }

  settings(given: JsonObject): JobSettings {
    const { kinds, home } = this.#options;
    return readSettings(given, { tz: localTimeZone(), cwd: home }, kinds);
  }

  /** A new job; `kept` is what it has from an earlier life. */
  async made(
    settings: JobSettings,
    actor: string,
    kept: { readonly job_id?: string; readonly anchor_at?: string } = {},
  ): Promise<CronJob> {
    const nowMs = this.#options.clock.now();
    const now = iso(nowMs);
    const job_id = kept.job_id ?? newId("cj", nowMs);
    if (!idPattern.test(job_id)) throw invalidId(job_id);
    const placed = { ...settings, job_id, anchor_at: kept.anchor_at ?? now };
    const standing =
      kept.anchor_at === undefined ? await standingFrom(placed, nowMs) : await resumed(placed, nowMs);
    return {
      ...placed,
      declared_in: null,
      declared_digest: null,
      ...standing,
      revision: 1,
      created_at: now,
      created_by: actor,
      updated_at: now,
    };
  }

  /** The job as it will be. A new schedule is counted from now; a job that is resumed keeps its rhythm. */
  async changed(job: CronJob, settings: JobSettings): Promise<CronJob> {
    const nowMs = this.#options.clock.now();
    const now = iso(nowMs);
    const isNewSchedule = settings.schedule !== job.schedule || settings.tz !== job.tz;
    const anchor_at = isNewSchedule ? now : job.anchor_at;
    const placed = { ...job, ...settings, anchor_at };
    const isMoved = isNewSchedule || settings.enabled !== job.enabled;
    const slotMs = job.next_at === null ? null : Date.parse(job.next_at);
    const standing = isMoved ? await moved(placed, nowMs, isNewSchedule) : standingAt(placed, slotMs);
    return { ...placed, ...standing, revision: job.revision + 1, updated_at: now };
  }

  /** All of it or nothing. */
  async apply(
    { event, reason, saved, deleted = [], before, after }: JobsChange,
    actor: string,
  ): Promise<void> {
    const { audit, clock, onChanged } = this.#options;
    const time = iso(clock.now());
    const texts = { before: recordedText(before), after: recordedText(after) };
    const change = { kind: "cron_jobs", saved, deleted, time } as const;
    await audit.record({ kind: "change", event, actor, reason, time, source: "cron", ...texts }, change);
    onChanged();
  }
}

/** Pausing needs no time to come; resuming a job whose only time has passed is a mistake somebody should hear of. */
async function moved(job: CronJob, nowMs: number, isNewSchedule: boolean): Promise<Standing> {
  return job.enabled || isNewSchedule ? standingFrom(job, nowMs) : standingAt(job, null);
}

/** Of a job from elsewhere: one that has had its only time is no mistake. */
async function resumed(
  job: JobSettings & { job_id: string; anchor_at: string },
  nowMs: number,
): Promise<Standing> {
  const { schedule, tz, anchor_at, enabled } = job;
  const { kind } = parseSchedule(schedule);
  if (kind === "cron" || kind === "interval") return standingFrom(job, nowMs);
  const timetable = await openTimetable({ schedule, tz, anchorMs: Date.parse(anchor_at) });
  return standingAt(job, enabled ? timetable.next(nowMs) : null);
}

function changeName(job: CronJob, saved: CronJob): RecordedChange {
  if (job.enabled === saved.enabled) return "job.changed";
  return saved.enabled ? "job.resumed" : "job.paused";
}

function shown({ name, job_id }: CronJob): string {
  return `${show(name)} (${job_id})`;
}

function recordedText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(redact(value));
}

function invalidId(value: string): SwarmError {
  const expected = "letters, digits, _ and -, at most 64";
  return invalidOption("job", "job_id", expected, value);
}
