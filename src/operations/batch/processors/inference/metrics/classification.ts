import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { curvesOf, histogramOf } from "./curves.ts";
import { type Group, groups, mergePoints, noPoints, pointsOf, type ScorePoints } from "./score-points.ts";
import { type ScoredClasses, type ScoreKind, unknownLabel } from "./scored.ts";

/** Sums over records of a classifier; each can be added to another's. */
export interface ClassTally {
  readonly task: "classification";
  readonly classes: readonly string[];
  readonly scores: ScoreKind;
  readonly labelled: number;
  readonly unlabelled: number;
  readonly unknown_labels: number;
  /** Rows are the records' classes, columns the model's, one after the other; null for more than 50 classes. */
  readonly confusion: readonly number[] | null;
  readonly actual: readonly number[];
  /** Of labelled records. */
  readonly predicted: readonly number[];
  readonly correct: readonly number[];
  /** Of all records. */
  readonly answers: readonly number[];
  readonly log_loss: Sum;
  /** Squared distance of the positive class' probability from 0 or 1. */
  readonly brier: Sum;
  /** Three numbers for each of ten equal bins: records, sum of scores, positives. */
  readonly calibration: readonly number[];
  /** Of the positive class, or of each. */
  readonly points: readonly ScorePoints[];
}

/** Null once a score was no probability. */
type Sum = { readonly sum: number; readonly count: number } | null;

const maxPoints = 4096;
const maxConfusionClasses = 50;
const calibrationBins = 10;
/** What a probability of 0 or 1 counts as, so that one sure mistake is not an infinite loss; scikit-learn has the same. */
const epsilon = Number.EPSILON;

export function tallyClasses(scored: ScoredClasses): ClassTally {
  const { classes, scores, labels, predicted, columns } = scored;
  const size = classes.length;
  const counts = {
    labelled: 0,
    unlabelled: 0,
    unknown_labels: 0,
    confusion: size <= maxConfusionClasses ? zeros(size * size) : null,
    actual: zeros(size),
    predicted: zeros(size),
    correct: zeros(size),
    answers: zeros(size),
  };
  for (let index = 0; index < labels.length; index++) {
    const label = labels[index] as number;
    const answer = predicted[index] as number;
    if (answer >= 0) add(counts.answers, answer);
    if (label < 0) counts[label === unknownLabel ? "unknown_labels" : "unlabelled"]++;
    else {
      counts.labelled++;
      add(counts.actual, label);
      if (answer >= 0) add(counts.predicted, answer);
      if (answer === label) add(counts.correct, label);
      if (answer >= 0 && counts.confusion !== null) add(counts.confusion, label * size + answer);
    }
  }
  const curves = scores === "binary" ? [1] : scores === "per_class" ? classes.map((_, of) => of) : [];
  return {
    task: "classification",
    classes,
    scores,
    ...counts,
    ...lossesOf(scored),
    points: curves.map((of, place) => classPoints(columns[place] ?? new Float64Array(), labels, of)),
  };
}

export function mergeClasses(a: ClassTally, b: ClassTally): ClassTally {
  return {
    task: a.task,
    classes: a.classes,
    scores: a.scores,
    labelled: a.labelled + b.labelled,
    unlabelled: a.unlabelled + b.unlabelled,
    unknown_labels: a.unknown_labels + b.unknown_labels,
    confusion: a.confusion === null || b.confusion === null ? null : added(a.confusion, b.confusion),
    actual: added(a.actual, b.actual),
    predicted: added(a.predicted, b.predicted),
    correct: added(a.correct, b.correct),
    answers: added(a.answers, b.answers),
    log_loss: addedSum(a.log_loss, b.log_loss),
    brier: addedSum(a.brier, b.brier),
    calibration: added(a.calibration, b.calibration),
    points: a.points.map((points, of) => mergePoints(points, b.points[of] ?? noPoints, maxPoints)),
  };
}

export function summarizeClasses(tally: ClassTally): JsonObject {
  const { classes, scores, labelled, unlabelled, unknown_labels, confusion, answers } = tally;
  const counts = { labelled, unlabelled, unknown_labels };
  const predictions = classes.map((name, of) => ({ class: name, count: at(answers, of) }));
  const [points = noPoints] = tally.points;
  const scoreHistogram = scores === "binary" ? histogramOf(points) : null;
  const shown = { task: "classification", classes, ...counts, predictions, score_histogram: scoreHistogram };
  if (labelled === 0) return shown;
  const perClass = classes.map((name, of) => ({ class: name, ...ratiosOf(tally, of) }));
  const [, positive] = perClass;
  const isBinary = classes.length === 2;
  return {
    ...shown,
    accuracy: tally.correct.reduce(plus, 0) / labelled,
    ...(isBinary && positive !== undefined
      ? { positive_class: positive.class, ...pick(positive) }
      : { average: "macro", ...macroOf(perClass) }),
    ...areasOf(tally),
    log_loss: meanOf(tally.log_loss),
    ...(scores === "binary" ? calibrationOf(tally) : {}),
    per_class: perClass,
    confusion_matrix: confusion === null ? null : { classes, rows: rowsOf(confusion, classes.length) },
    ...(scores === "binary" ? { curves: curvePlots(points) } : {}),
  };
}

interface Ratios {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** A ratio of nothing counts as 0, as scikit-learn has it. */
function ratiosOf({ correct, predicted, actual }: ClassTally, of: number): Ratios & { support: number } {
  const hits = at(correct, of);
  const ratio = (whole: number) => (whole === 0 ? 0 : hits / whole);
  const both = at(predicted, of) + at(actual, of);
  return {
    precision: ratio(at(predicted, of)),
    recall: ratio(at(actual, of)),
    f1: both === 0 ? 0 : (2 * hits) / both,
    support: at(actual, of),
  };
}

function pick({ precision, recall, f1 }: Ratios): Ratios {
  return { precision, recall, f1 };
}

/** Over the classes that occur, among the records or the answers. */
function macroOf(perClass: readonly (Ratios & { class: string; support: number })[]): Ratios {
  const seen = perClass.filter(({ support, precision }) => support > 0 || precision > 0);
  const mean = (of: keyof Ratios) => seen.reduce((sum, one) => sum + one[of], 0) / seen.length;
  return { precision: mean("precision"), recall: mean("recall"), f1: mean("f1") };
}

/** Of several classes the mean of one against the rest; without records of each there is none. */
function areasOf({ points }: ClassTally): JsonObject {
  const curves = points.map(curvesOf);
  const mean = (of: "roc_auc" | "pr_auc") => {
    const areas = curves.map((curve) => curve[of]);
    if (areas.length === 0 || areas.includes(null)) return { [of]: null };
    const over = (what: "value" | "error") =>
      areas.reduce((sum, area) => sum + (area?.[what] ?? 0), 0) / areas.length;
    return { [of]: over("value"), [`${of}_error`]: over("error") };
  };
  return { ...mean("roc_auc"), ...mean("pr_auc") };
}

function curvePlots(points: ScorePoints): JsonObject {
  const { roc, pr } = curvesOf(points);
  return { roc, pr };
}

function calibrationOf({ brier, calibration }: ClassTally): JsonObject {
  if (brier === null) return { brier: null, calibration: null };
  const bins = [];
  let [distance, records] = [0, 0];
  for (let place = 0; place < calibration.length; place += 3) {
    const [count, sum, positives] = [0, 1, 2].map((offset) => at(calibration, place + offset)) as [
      number,
      number,
      number,
    ];
    if (count === 0) continue;
    bins.push({ count, mean_score: sum / count, positive_share: positives / count });
    distance += Math.abs(sum - positives);
    records += count;
  }
  return { brier: meanOf(brier), calibration: { expected_error: distance / (records || 1), bins } };
}

function lossesOf({ scores, labels, columns }: ScoredClasses) {
  const calibration = zeros(3 * calibrationBins);
  let logLoss: { sum: number; count: number } | null = { sum: 0, count: 0 };
  let brier: { sum: number; count: number } | null = { sum: 0, count: 0 };
  for (let index = 0; index < labels.length && logLoss !== null && columns.length > 0; index++) {
    const label = labels[index] as number;
    if (label < 0) continue;
    const probability = trueProbability(columns, scores, label, index);
    if (Number.isNaN(probability)) {
      [logLoss, brier] = [null, null];
      break;
    }
    logLoss.sum -= Math.log(probability);
    logLoss.count++;
    if (scores !== "binary" || brier === null) continue;
    const score = (columns[0] as Float64Array)[index] as number;
    brier.sum += (score - label) ** 2;
    brier.count++;
    const bin = 3 * calibrationBin(score);
    add(calibration, bin);
    calibration[bin + 1] = at(calibration, bin + 1) + score;
    calibration[bin + 2] = at(calibration, bin + 2) + label;
  }
  const isBinary = scores === "binary";
  return { log_loss: scores === "none" ? null : logLoss, brier: isBinary ? brier : null, calibration };
}

/** NaN when one of its scores is no probability. */
function trueProbability(
  columns: readonly Float64Array[],
  scores: ScoreKind,
  label: number,
  index: number,
): number {
  const [first] = columns as [Float64Array];
  if (scores === "true_class") return clipped(first[index] as number);
  if (scores === "binary")
    return clipped(label === 1 ? (first[index] as number) : 1 - (first[index] as number));
  const whole = columns.reduce((sum, column) => sum + clipped(column[index] as number), 0);
  return clipped((columns[label] as Float64Array)[index] as number) / whole;
}

function clipped(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) return Number.NaN;
  return Math.min(Math.max(probability, epsilon), 1 - epsilon);
}

/** The edges are 0.1, 0.2 … as floating-point multiples; a score on one belongs to the bin below, as in scikit-learn. */
function calibrationBin(score: number): number {
  let bin = 0;
  while (bin < calibrationBins - 1 && score > (bin + 1) * 0.1) bin++;
  return bin;
}

/** A model that is not sure of itself may answer NaN: such a score has no place on a curve. */
function classPoints(scores: Float64Array, labels: Float64Array, of: number): ScorePoints {
  const finite = scores.every(Number.isFinite);
  const kept = finite ? labels : labels.filter((_, index) => Number.isFinite(scores[index]));
  const groupOf = (index: number): Group => {
    const label = kept[index] as number;
    if (label < 0) return groups.unlabelled;
    return label === of ? groups.positive : groups.negative;
  };
  return pointsOf(finite ? scores : scores.filter(Number.isFinite), groupOf, maxPoints);
}

function rowsOf(flat: readonly number[], size: number): number[][] {
  return Array.from({ length: size }, (_, row) => flat.slice(row * size, (row + 1) * size));
}

function addedSum(a: Sum, b: Sum): Sum {
  return a === null || b === null ? null : { sum: a.sum + b.sum, count: a.count + b.count };
}

function meanOf(sum: Sum): number | null {
  return sum === null || sum.count === 0 ? null : sum.sum / sum.count;
}

function added(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, index) => value + at(b, index));
}

function add(counts: number[], place: number): void {
  counts[place] = at(counts, place) + 1;
}

function at(values: readonly number[], place: number): number {
  return values[place] ?? 0;
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

const plus = (a: number, b: number) => a + b;
