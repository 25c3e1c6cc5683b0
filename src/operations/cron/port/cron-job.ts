import { type SettingsOf, settings } from "../../port/setting.ts";

/** What a slot does that comes while an earlier run is under way. */
export const overlapPolicies = ["skip", "queue", "allow"] as const;
/** What becomes of slots that were due while nobody could run them. */
export const misfirePolicies = ["skip", "once", "all"] as const;

const day = 86_400;

/** What a job says, wherever it is said: configuration files, REST, the command line and `jobs.json` follow this table. */
export const jobFields = settings({
  name: {
    type: "string",
    isRequired: true,
    placeholder: "NAME",
    pattern: /^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]{1,128}$/u,
    expected: "a text of 1 to 128 characters on one line",
    about: "Unique among all jobs.",
  },
  schedule: {
    type: "string",
    isRequired: true,
    about: "When it runs: 30m, every 2h, in 30m, @daily, a cron expression of 5 or 6 fields, or an ISO time.",
  },
  tz: {
    type: "string",
    placeholder: "ZONE",
    otherwise: "the machine's when the job is made",
    about: "Time zone of the schedule, as Europe/Berlin.",
  },
  task: {
    type: "string",
    isRequired: true,
    placeholder: "KIND",
    about: "Kind of task: custom, retention, retrain, drift_check, audit_pdf.",
  },
  config: { type: "object", default: {}, about: "What the kind of task needs to know." },
  enabled: {
    type: "boolean",
    default: true,
    placeholder: null,
    about: "False: not due until it is resumed.",
  },
  overlap: {
    type: "string",
    values: overlapPolicies,
    default: "skip",
    about: "When an earlier run is under way: skip the slot, queue it, or allow both.",
  },
  misfire: {
    type: "string",
    values: misfirePolicies,
    default: "once",
    about:
      "Slots that were due while nothing ran: skip them, run once for the last of them, or run all up to misfire_cap.",
  },
  misfire_cap: {
    type: "integer",
    min: 1,
    max: 1_000,
    default: 10,
    about: "With misfire all: the last so many slots run.",
  },
  grace_s: {
    type: "integer",
    min: 0,
    max: 7 * day,
    default: 120,
    about: "A slot no later than this is not missed.",
  },
  jitter_s: {
    type: "integer",
    min: 0,
    max: day,
    default: 0,
    about: "Each slot runs up to this later, by an amount that is its own.",
  },
  timeout_s: { type: "integer", min: 1, max: 14 * day, default: 3_600, about: "A run is ended after this." },
  retries: {
    type: "integer",
    min: 0,
    max: 100,
    default: 0,
    about: "How often a run that failed is tried again.",
  },
  backoff_s: {
    type: "integer",
    min: 1,
    max: day,
    default: 60,
    about: "Pause before the first retry, twice as long before each further one, an hour at most.",
  },
  alert_after: {
    type: "integer",
    min: 0,
    max: 1_000,
    default: 3,
    about: "So many runs in a row that fail or are denied raise alert.raised; 0: none does.",
  },
  pause_after: {
    type: "integer",
    min: 0,
    max: 1_000,
    default: 0,
    about: "So many runs in a row that fail or are denied pause the job; 0: it goes on.",
  },
  approval_required: {
    type: "boolean",
    default: false,
    about: "Every run waits until somebody has approved it.",
  },
  cwd: {
    type: "string",
    placeholder: "FOLDER",
    isPath: true,
    otherwise: "SWARM_HOME",
    about: "Folder it runs in and whose hooks see it.",
  },
});

/** What a job says, every default filled in. */
export type JobSettings = SettingsOf<typeof jobFields>;

/** A job as it is kept. Times are ISO 8601 in UTC with milliseconds, so that they sort as text. */
export interface CronJob extends JobSettings {
  readonly job_id: string;
  /** The configuration file that declares it; null when it was made by a command or a call. */
  readonly declared_in: string | null;
  /** Of its declaration: as long as it is the same, what was changed since by pausing stays. */
  readonly declared_digest: string | null;
  /** From when intervals are counted. */
  readonly anchor_at: string;
  /** The next slot, and when it is due with its jitter; null when there is none or the job is paused. */
  readonly next_at: string | null;
  readonly due_at: string | null;
  /** 1 when it is made, one more with every change of what it says. */
  readonly revision: number;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
}

/** A job with its place in the list. */
export interface StoredJob extends CronJob {
  readonly seq: number;
}

/** Why a run came to be. */
export const runTriggers = ["schedule", "manual", "catch-up", "retry"] as const;

/**
 *     queued ──▶ running ──▶ completed · failed · timed_out · denied · interrupted
 *                  ▲  │ an approval is needed
 *                  │  ▼
 *                waiting
 *
 * Whoever makes a run `running` owns it. A slot that does not run is `skipped` (its policy, a pause) or `missed` (nobody
 * was there) from the start. `interrupted`: its daemon ended first; what it had done by then is not known.
 */
export const runStatuses = [
  "queued",
  "waiting",
  "running",
  "completed",
  "failed",
  "timed_out",
  "denied",
  "interrupted",
  "skipped",
  "missed",
] as const;
export type RunStatus = (typeof runStatuses)[number];

export interface CronRun {
  readonly run_id: string;
  readonly job_id: string;
  readonly job_name: string;
  readonly task: string;
  /** What is claimed: no two runs have job, slot and attempt in common. The slot's time, or a word of a manual run's own. */
  readonly slot: string;
  readonly attempt: number;
  readonly trigger: (typeof runTriggers)[number];
  readonly status: RunStatus;
  readonly scheduled_at: string;
  /** Not started before this. */
  readonly due_at: string;
  readonly owner: string | null;
  /** The row of the record that announces its effect. */
  readonly intent_id: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** From when it was scheduled to when it started. */
  readonly lateness_ms: number | null;
  readonly exit_code: number | null;
  readonly reason: string | null;
  readonly output_path: string | null;
  /** How many slots this row tells of: 1, or for `missed` as many as nobody ran. */
  readonly slot_count: number;
}

export interface StoredRun extends CronRun {
  readonly seq: number;
}
