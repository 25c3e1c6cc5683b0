import { integer, type JsonObject } from "../../../engine/events/schema.ts";
import type { TaskKind } from "../port/task.ts";

export interface RetentionOptions {
  /** Forgets payloads older than so many days; null: than the user's configuration says. Tells how many. */
  readonly expirePayloads: (days: number | null) => Promise<number>;
  /** The same for runs of jobs that have ended, with their output. */
  readonly forgetRuns: (days: number | null) => Promise<number>;
  /** Batch runs, pipeline runs and drift checks with their files; a kind without days: as the user's configuration says. */
  readonly work: {
    forget(days: WorkDays): Promise<Readonly<Required<WorkDays>>>;
    /** What would be, a line each. */
    due(days: WorkDays): Promise<readonly string[]>;
  };
}

interface WorkDays {
  readonly batch?: number;
  readonly pipeline?: number;
  readonly drift?: number;
}

const maxDays = 36_500;

/** Expires what is only kept for a time. Rows of the record and their hashes stay, so that it still verifies. */
export function retentionTask({ expirePayloads, forgetRuns, work }: RetentionOptions): TaskKind {
  const byPolicy = "default: audit.payload_retention_days of the user's configuration.";
  const bySection = (key: string) => `default: retention.${key} of the user's configuration.`;
  return {
    doc: "Forgets payloads of the record, and runs of jobs, batches and pipelines and drift checks, that are older than they are kept.",
    fields: {
      payload_days: integer(`Days payloads are kept; ${byPolicy}`),
      run_days: integer(`Days runs of jobs and their output are kept; ${byPolicy}`),
      batch_days: integer(`Days batch runs are kept; ${bySection("batch_days")}`),
      pipeline_days: integer(`Days pipeline runs are kept; ${bySection("pipeline_days")}`),
      drift_days: integer(`Days drift checks are kept; ${bySection("drift_days")}`),
    },
    check(config) {
      const option = Object.keys(config).find((key) => !isDays(config[key]));
      return option === undefined ? null : { option, expected: `a whole number from 0 to ${maxDays}` };
    },
    async plan(config) {
      const kept = (days: unknown) =>
        days === undefined ? "older than they are kept" : `over ${days} days old`;
      const due = await work.due(workDays(config));
      const old = [`payloads ${kept(config.payload_days)}`, `runs of jobs ${kept(config.run_days)}`];
      return [...old, ...due].map((line) => `would forget ${line}`);
    },
    async run(config, { print, signal }) {
      const { payload_days, run_days } = config;
      const payloads = await expirePayloads((payload_days as number | undefined) ?? null);
      print(`${payloads} payloads forgotten; their rows and hashes stay in the record\n`);
      if (signal.aborted) return { exitCode: null, problem: "it was ended" };
      const runs = await forgetRuns((run_days as number | undefined) ?? null);
      print(`${runs} runs of jobs forgotten\n`);
      if (signal.aborted) return { exitCode: null, problem: "it was ended" };
      const { batch, pipeline, drift } = await work.forget(workDays(config));
      print(`batch runs forgotten: ${batch}; pipeline runs: ${pipeline}; drift checks: ${drift}\n`);
      return { exitCode: null, problem: null };
    },
  };
}

function workDays({ batch_days, pipeline_days, drift_days }: JsonObject): WorkDays {
  const told = { batch: batch_days, pipeline: pipeline_days, drift: drift_days };
  return Object.fromEntries(Object.entries(told).filter(([, days]) => days !== undefined));
}

function isDays(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxDays;
}
