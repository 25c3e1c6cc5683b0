import { redact } from "../../base/redact.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import { batchOrders, batchStates, canResume, type StoredBatchRun } from "./port/batch-run.ts";
import { driftMarkSchema } from "../drift/describe-drift-mark.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { count, string, stringOrNull, time, timeOrNull } from "../../daemon/rest/shapes.ts";

interface Spec {
  readonly input: string;
  readonly output: string;
  readonly order: (typeof batchOrders)[number];
  readonly concurrency: number;
  readonly config: JsonObject;
}

/** A run as it is shown: what it does, how far it has come and how long it will take. */
export function describeBatch(run: StoredBatchRun) {
  const { run_id, name, processor, state, reason, leg, created_at, created_by, started_at, ended_at } = run;
  const { done_count, failed_count, input_bytes, input_size, results_bytes, errors_bytes } = run;
  // Written by us, and checked before that.
  const { input, output, order, concurrency, config } = run.spec as unknown as Spec;
  const duration_s = Math.round(run.duration_ms) / 1_000;
  const records = done_count + failed_count;
  return {
    ...{ run_id, name, processor, state, reason, input, output, order, concurrency },
    config: redact(config) as JsonObject,
    ...{ leg, created_at, created_by, started_at, ended_at },
    ...{ done_count, failed_count, input_bytes, input_size, results_bytes, errors_bytes, duration_s },
    rate_per_s: duration_s === 0 ? null : Math.round((records / duration_s) * 10) / 10,
    eta_s: state === "running" ? etaOf(input_bytes, input_size, duration_s) : null,
    can_resume: canResume(run),
  };
}

export type BatchDescription = ReturnType<typeof describeBatch>;

/** By the bytes of the input: how many records there are nobody knows before the end. */
function etaOf(input_bytes: number, input_size: number | null, duration_s: number): number | null {
  if (input_size === null || input_bytes === 0) return null;
  return Math.round((Math.max(0, input_size - input_bytes) / input_bytes) * duration_s * 10) / 10;
}

const batch = {
  run_id: string,
  name: stringOrNull,
  processor: string,
  state: { enum: batchStates },
  reason: { ...stringOrNull, description: "Why it waits, failed or was ended, or how many records failed." },
  input: string,
  output: { ...string, description: "The folder of its files." },
  order: { enum: batchOrders },
  concurrency: { type: "integer", minimum: 1 },
  config: { type: "object" },
  leg: { ...count, description: "1, and one more for each time it was taken up again; 0: it never ran." },
  created_at: time,
  created_by: string,
  started_at: { ...timeOrNull, description: "When its last leg began." },
  ended_at: timeOrNull,
  done_count: { ...count, description: "Records with a result." },
  failed_count: { ...count, description: "Records with an error." },
  input_bytes: { ...count, description: "How far it has come in the input." },
  input_size: { type: ["integer", "null"], minimum: 0 },
  results_bytes: { ...count, description: "How much of results.jsonl is durable." },
  errors_bytes: { ...count, description: "How much of errors.jsonl is durable." },
  duration_s: { type: "number", minimum: 0, description: "Of all legs." },
  rate_per_s: { type: ["number", "null"], minimum: 0, description: "Records a second." },
  eta_s: { type: ["number", "null"], minimum: 0, description: "Seconds until it is done, if it goes on so." },
  can_resume: {
    type: "boolean",
    description:
      "Whether it can be taken up again and would come further: records that failed are not tried again.",
  },
  drift: driftMarkSchema,
} as const;

export const batchSchema = closed(batch);

export const batchReportSchema = closed({
  ...batch,
  stats: { type: ["object", "null"], description: "What stats.json says; null before it is completed." },
});
