/** What a model made of a chunk's records, in numbers: what metrics are made of. */
export type Scored = ScoredClasses | ScoredValues;

/** How much of a classifier's scores is looked at. */
export const scoreKinds = ["none", "binary", "per_class", "true_class"] as const;
export type ScoreKind = (typeof scoreKinds)[number];

export interface ScoredClasses {
  readonly task: "classification";
  /** As text; the second of two is the positive one. */
  readonly classes: readonly string[];
  /**
   * - `none`: the model gives no scores.
   * - `binary`: one column, the score of the positive class.
   * - `per_class`: a column per class.
   * - `true_class`: one column, the probability given to the class the record has; for very many classes.
   */
  readonly scores: ScoreKind;
  /** Place of the record's own class; `unlabelled` or `unknownLabel` when it has none. */
  readonly labels: Float64Array;
  /** Place of the class the model says; -1 for one that is not among the classes. */
  readonly predicted: Float64Array;
  readonly columns: readonly Float64Array[];
}

export interface ScoredValues {
  readonly task: "regression";
  /** NaN: the record has none. */
  readonly labels: Float64Array;
  readonly predicted: Float64Array;
}

export const unlabelled = -1;
/** Its label is none of the model's classes. */
export const unknownLabel = -2;

/** Up to so many classes each has a curve of its own; each may take 150 KB of every checkpoint. */
export const maxCurveClasses = 10;

export function scoreKindOf(classCount: number, hasScores: boolean): ScoreKind {
  if (!hasScores || classCount < 2) return "none";
  if (classCount === 2) return "binary";
  return classCount <= maxCurveClasses ? "per_class" : "true_class";
}

export function onlyRows(scored: Scored, isKept: (row: number) => boolean): Scored {
  const some = (values: Float64Array) => values.filter((_, row) => isKept(row));
  const both = { labels: some(scored.labels), predicted: some(scored.predicted) };
  return scored.task === "regression"
    ? { ...scored, ...both }
    : { ...scored, ...both, columns: scored.columns.map(some) };
}
