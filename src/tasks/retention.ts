import { integer } from "../events/schema.ts";
import type { TaskKind } from "../ports/task.ts";

export interface RetentionOptions {
  /** Forgets payloads older than so many days; null: than the user's configuration says. Tells how many. */
  readonly expirePayloads: (days: number | null) => Promise<number>;
  /** The same for runs of jobs that have ended, with their output. */
  readonly forgetRuns: (days: number | null) => Promise<number>;
}

const maxDays = 36_500;

/** Expires what is only kept for a time. Rows of the record and their hashes stay, so that it still verifies. */
export function retentionTask({ expirePayloads, forgetRuns }: RetentionOptions): TaskKind {
  const byPolicy = "default: audit.payload_retention_days of the user's configuration.";
  return {
    doc: "Forgets payloads of the record and runs of jobs that are older than they are kept.",
    fields: {
      payload_days: integer(`Days payloads are kept; ${byPolicy}`),
      run_days: integer(`Days runs of jobs and their output are kept; ${byPolicy}`),
    },
    check(config) {
      const option = Object.keys(config).find((key) => !isDays(config[key]));
      return option === undefined ? null : { option, expected: `a whole number from 0 to ${maxDays}` };
    },
    async run({ payload_days, run_days }, { print, signal }) {
      const payloads = await expirePayloads((payload_days as number | undefined) ?? null);
      print(`${payloads} payloads forgotten; their rows and hashes stay in the record\n`);
      if (signal.aborted) return { exitCode: null, problem: "it was ended" };
      const runs = await forgetRuns((run_days as number | undefined) ?? null);
      print(`${runs} runs of jobs forgotten\n`);
      return { exitCode: null, problem: null };
    },
  };
}

function isDays(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxDays;
}
