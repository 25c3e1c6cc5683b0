import type { JsonSchema } from "../../engine/events/json-schema.ts";
import type { CheckedRun } from "./port/drift-mark-store.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";
import { closed } from "../../daemon/rest/schemas.ts";

/** What the last drift check of a run's data came to; null when nobody has looked. */
export async function driftOf({ store }: Runtime, run: CheckedRun) {
  const mark = await store.driftMarks.find(run);
  if (mark === null) return null;
  const { check_id, checked_at, is_drift, message } = mark;
  return { check_id, checked_at, is_drift, message };
}

const mark = closed({
  check_id: { type: "string" },
  checked_at: { type: "string", format: "date-time" },
  is_drift: { type: "boolean", description: "Something was over its threshold." },
  message: { type: "string" },
});

export const driftMarkSchema: JsonSchema = {
  anyOf: [mark, { type: "null" }],
  description: "What the last drift check of its data came to; null when there was none.",
};
