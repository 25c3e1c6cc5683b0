import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { histogramOf } from "./curves.ts";
import { groups, mergePoints, pointsOf, type ScorePoints } from "./score-points.ts";
import type { ScoredValues } from "./scored.ts";

/** Sums over records of a model that answers numbers. */
export interface ValueTally {
  readonly task: "regression";
  readonly unlabelled: number;
  readonly labelled: number;
  /** Of the records' own values: the mean, and the squared distances from it. Sums of squares would lose all digits. */
  readonly mean: number;
  readonly spread: number;
  readonly squared_error: number;
  readonly absolute_error: number;
  readonly error: number;
  readonly max_error: number;
  readonly points: ScorePoints;
}

const maxPoints = 4096;

export function tallyValues({ labels, predicted }: ScoredValues): ValueTally {
  const sums = { squared_error: 0, absolute_error: 0, error: 0, max_error: 0 };
  let [labelled, mean, spread] = [0, 0, 0];
  for (let index = 0; index < labels.length; index++) {
    const label = labels[index] as number;
    if (Number.isNaN(label)) continue;
    const off = (predicted[index] as number) - label;
    labelled++;
    const from = label - mean;
    mean += from / labelled;
    spread += from * (label - mean);
    sums.squared_error += off * off;
    sums.absolute_error += Math.abs(off);
    sums.error += off;
    sums.max_error = Math.max(sums.max_error, Math.abs(off));
  }
  const unlabelled = labels.length - labelled;
  const points = pointsOf(predicted, () => groups.unlabelled, maxPoints);
  return { task: "regression", labelled, unlabelled, mean, spread, ...sums, points };
}

export function mergeValues(a: ValueTally, b: ValueTally): ValueTally {
  const labelled = a.labelled + b.labelled;
  const apart = b.mean - a.mean;
  const share = labelled === 0 ? 0 : b.labelled / labelled;
  return {
    task: a.task,
    labelled,
    unlabelled: a.unlabelled + b.unlabelled,
    mean: a.mean + apart * share,
    spread: a.spread + b.spread + apart * apart * a.labelled * share,
    squared_error: a.squared_error + b.squared_error,
    absolute_error: a.absolute_error + b.absolute_error,
    error: a.error + b.error,
    max_error: Math.max(a.max_error, b.max_error),
    points: mergePoints(a.points, b.points, maxPoints),
  };
}

export function summarizeValues(tally: ValueTally): JsonObject {
  const { labelled, unlabelled, squared_error, absolute_error, error, max_error, points } = tally;
  const shown = { task: "regression", labelled, unlabelled, score_histogram: histogramOf(points) };
  if (labelled === 0) return shown;
  return {
    ...shown,
    rmse: Math.sqrt(squared_error / labelled),
    mae: absolute_error / labelled,
    r2: determination(tally),
    mean_error: error / labelled,
    max_error,
  };
}

/** Of values that are all the same, 1 when every one was met and 0 otherwise; of fewer than two, none. */
function determination({ labelled, squared_error, spread }: ValueTally): number | null {
  if (labelled < 2) return null;
  if (spread === 0) return squared_error === 0 ? 1 : 0;
  return 1 - squared_error / spread;
}
