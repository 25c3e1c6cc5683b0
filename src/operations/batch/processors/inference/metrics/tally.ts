import type { JsonObject } from "../../../../../engine/events/schema.ts";
import type { ProcessorTally } from "../../../port/processor.ts";
import { type ClassTally, mergeClasses, summarizeClasses, tallyClasses } from "./classification.ts";
import { mergeValues, summarizeValues, tallyValues, type ValueTally } from "./regression.ts";
import type { Scored } from "./scored.ts";

/** What a chunk adds to a run's statistics. */
export interface InferenceTally {
  /** Which model it was, as its worker tells it. */
  readonly model: JsonObject;
  /** What whoever reads the results should know: other versions, fewer workers. No text twice. */
  readonly warnings: readonly string[];
  /** Null when the model's answers are nothing that can be counted. */
  readonly scored: ClassTally | ValueTally | null;
}

export function tallyOf(model: JsonObject, warnings: readonly string[], scored: Scored | null): JsonObject {
  return { model, warnings, scored: scored === null ? null : sumsOf(scored) };
}

export const inferenceTally: ProcessorTally = {
  merge(sum, tally) {
    if (sum === null) return tally;
    const [a, b] = [sum, tally] as unknown as [InferenceTally, InferenceTally];
    const isSame = a.model.sha256 === b.model.sha256;
    const changed = isSame ? [] : ["the model's file has changed since the run began"];
    const warnings = [...new Set([...a.warnings, ...b.warnings, ...changed])].slice(0, maxWarnings);
    return { model: b.model, warnings, scored: merged(a.scored, b.scored) };
  },
  summary(sum) {
    const { model, warnings, scored } = sum as unknown as InferenceTally;
    return { model, warnings, ...(scored === null ? {} : summarized(scored)) };
  },
};

const maxWarnings = 20;

function sumsOf(scored: Scored): ClassTally | ValueTally {
  return scored.task === "classification" ? tallyClasses(scored) : tallyValues(scored);
}

/** A model is one thing or the other for a whole run: its file is the same in every worker. */
function merged(a: InferenceTally["scored"], b: InferenceTally["scored"]): InferenceTally["scored"] {
  if (a === null || b === null) return a ?? b;
  if (a.task === "classification" && b.task === "classification") return mergeClasses(a, b);
  return a.task === "regression" && b.task === "regression" ? mergeValues(a, b) : a;
}

function summarized(scored: ClassTally | ValueTally): JsonObject {
  return scored.task === "classification" ? summarizeClasses(scored) : summarizeValues(scored);
}
