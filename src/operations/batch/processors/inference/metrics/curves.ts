import { groups, pointWidth, type ScorePoints, scoreAt } from "./score-points.ts";

/** A number that bins may have made inexact, and by how much at most: 0 for exact ones. */
export interface Bounded {
  readonly value: number;
  readonly error: number;
}

export interface Curves {
  readonly roc_auc: Bounded | null;
  readonly pr_auc: Bounded | null;
  /** [false positive rate, true positive rate], from (0, 0) to (1, 1). */
  readonly roc: readonly (readonly [number, number])[];
  /** [recall, precision], from the highest threshold down. */
  readonly pr: readonly (readonly [number, number])[];
}

/** As many points of a curve are kept; more than a plot can show. */
const maxCurvePoints = 200;

/**
 * Walks down the thresholds once. Without both labels there is no curve.
 *
 * The area under the ROC curve is the share of pairs of a positive and a negative that are in the right order, ties
 * counting half. Two in one bin count as tied: whichever way they really are, that is wrong by a half at most.
 *
 * The area under the precision-recall curve is the average precision, a step per threshold. The precision at a
 * threshold within a bin lies between all its negatives before the first positive, and all its positives before the
 * first negative.
 */
export function curvesOf(scores: ScorePoints): Curves {
  const { points, is_exact } = scores;
  const negatives = total(points, groups.negative);
  const positives = total(points, groups.positive);
  const roc: [number, number][] = [[0, 0]];
  const pr: [number, number][] = [];
  if (negatives === 0 || positives === 0) return { roc_auc: null, pr_auc: null, roc: [], pr: [] };
  let [tp, fp] = [0, 0];
  const sums = { pairs: 0, unsure: 0, precision: 0, lowest: 0, highest: 0 };
  for (let place = points.length - pointWidth; place >= 0; place -= pointWidth) {
    const [negative, positive] = [points[place + 2] as number, points[place + 3] as number];
    if (negative + positive === 0) continue;
    sums.pairs += positive * (negatives - fp - negative) + (positive * negative) / 2;
    sums.unsure += (positive * negative) / 2;
    sums.lowest += (positive * (tp + 1)) / (tp + fp + negative + 1);
    sums.highest += (positive * (tp + positive)) / (tp + fp + positive);
    tp += positive;
    fp += negative;
    sums.precision += (positive * tp) / (tp + fp);
    roc.push([fp / negatives, tp / positives]);
    pr.push([tp / positives, tp / (tp + fp)]);
  }
  const pairs = positives * negatives;
  const precisionError = Math.max(sums.precision - sums.lowest, sums.highest - sums.precision) / positives;
  return {
    roc_auc: { value: sums.pairs / pairs, error: is_exact ? 0 : sums.unsure / pairs },
    pr_auc: { value: sums.precision / positives, error: is_exact ? 0 : precisionError },
    roc: thinned(roc),
    pr: thinned(pr),
  };
}

export interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly unlabelled: number;
  readonly negative: number;
  readonly positive: number;
}

const barCount = 20;

/** Bars of equal width over all scores, or from 0 to 1 where all are in there. */
export function histogramOf(scores: ScorePoints): HistogramBar[] {
  const { points } = scores;
  if (points.length === 0) return [];
  const lowest = scoreAt(scores, 0);
  const highest = scoreAt(scores, points.length - pointWidth);
  const [from, to] = lowest >= 0 && highest <= 1 ? [0, 1] : [lowest, highest];
  const width = (to - from) / barCount || 1;
  const bars = Array.from({ length: barCount }, (_, index) => ({
    from: from + index * width,
    to: from + (index + 1) * width,
    unlabelled: 0,
    negative: 0,
    positive: 0,
  }));
  for (let place = 0; place < points.length; place += pointWidth) {
    const index = Math.floor((scoreAt(scores, place) - from) / width);
    const bar = bars[Math.min(Math.max(index, 0), barCount - 1)];
    if (bar === undefined) continue;
    bar.unlabelled += points[place + groups.unlabelled] as number;
    bar.negative += points[place + groups.negative] as number;
    bar.positive += points[place + groups.positive] as number;
  }
  return bars;
}

function total(points: readonly number[], group: number): number {
  let sum = 0;
  for (let place = group; place < points.length; place += pointWidth) sum += points[place] as number;
  return sum;
}

/** Both ends, and as many as fit evenly between them. */
function thinned<T>(curve: readonly T[]): T[] {
  if (curve.length <= maxCurvePoints) return [...curve];
  const stride = (curve.length - 1) / (maxCurvePoints - 1);
  return Array.from({ length: maxCurvePoints }, (_, index) => curve[Math.round(index * stride)] as T);
}
