import { Labels, valueLabelOf } from "../labels.ts";
import { type Scored, scoreKindOf } from "../metrics/scored.ts";
import type { ModelConfig } from "../model-config.ts";
import { ModelMismatch } from "./inputs.ts";
import type { OutputPlan } from "./outputs.ts";
import type { NumericData, OnnxTensor, OnnxValue } from "./runtime.ts";

/** Makes of a model's answers what metrics are made of; `given` is what each record's label field has. */
export type Score = (
  given: readonly unknown[],
  answers: Readonly<Record<string, OnnxTensor>>,
) => Scored | null;

export function scoreWith(plan: OutputPlan, outputs: readonly OnnxValue[], config: ModelConfig): Score {
  const { task, label, score } = plan;
  if (task === "regression" && score !== null)
    return (given, answers) => {
      const tensor = answers[score] as OnnxTensor;
      if (tensor.data.length !== given.length) return null;
      return { task, labels: labelsOf(given), predicted: numbersOf(tensor.data as NumericData) };
    };
  const classes = task === "classification" ? classesOf(plan, outputs, config) : null;
  if (classes === null) {
    if (config.label_field === undefined) return () => null;
    throw new ModelMismatch("classes: the model does not name them, expected them, for label_field");
  }
  const labels = new Labels(classes, config.positive_class);
  const size = classes.length;
  return (given, answers) => {
    const columns = score === null ? [] : columnsOf(answers[score] as OnnxTensor, given.length, size);
    if (columns === null) return null;
    const predicted =
      label === null
        ? highest(columns, given.length)
        : Float64Array.from(answers[label]?.data as string[], (one) => labels.placeOf(one));
    const scores = scoreKindOf(size, columns.length > 0);
    const own = Float64Array.from(given, (value) => labels.labelOf(value));
    if (labels.isTurned && label === null) turn(predicted);
    return {
      task: "classification",
      classes: labels.classes,
      scores,
      labels: own,
      predicted,
      columns:
        scores === "binary"
          ? [columns[labels.isTurned ? 0 : 1] as Float64Array]
          : scores === "true_class"
            ? [trueColumn(columns, own)]
            : scores === "none"
              ? []
              : columns,
    };
  };
}

function labelsOf(given: readonly unknown[]): Float64Array {
  const labels = new Float64Array(given.length);
  for (let row = 0; row < given.length; row++) labels[row] = valueLabelOf(given[row]);
  return labels;
}

/** Copied natively where that can be: a tenth of the time. */
function numbersOf(data: NumericData): Float64Array {
  const isBig = data instanceof BigInt64Array || data instanceof BigUint64Array;
  return isBig ? Float64Array.from(data as Iterable<bigint>, Number) : new Float64Array(data);
}

/** Those of the configuration, or as many as there are probabilities, counted from 0. */
function classesOf(
  { label, score }: OutputPlan,
  outputs: readonly OnnxValue[],
  { classes, label_field }: ModelConfig,
): readonly unknown[] | null {
  if (classes !== undefined) return classes;
  const isText = outputs.find(({ name }) => name === label)?.type === "string";
  if (isText && label_field !== undefined)
    throw new ModelMismatch(
      "classes: the model's are texts, expected them in the order of its probabilities, for label_field",
    );
  const width = outputs.find(({ name }) => name === score)?.shape.at(-1);
  if (isText || score === null || typeof width !== "number" || width < 1) return null;
  return Array.from({ length: Math.max(width, 2) }, (_, place) => place);
}

/** A column per class; one column alone is the score of the second. Null when they are not what they seemed to be. */
function columnsOf({ data }: OnnxTensor, rows: number, classCount: number): Float64Array[] | null {
  const values = data as Float32Array;
  if (values.length === rows && classCount === 2) {
    const second = Float64Array.from(values);
    return [second.map((score) => 1 - score), second];
  }
  if (values.length !== rows * classCount) return null;
  return Array.from({ length: classCount }, (_, column) =>
    Float64Array.from({ length: rows }, (_, row) => values[row * classCount + column] as number),
  );
}

function highest(columns: readonly Float64Array[], rows: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    let best = 0;
    for (let column = 1; column < columns.length; column++)
      if ((columns[column]?.[row] as number) > (columns[best]?.[row] as number)) best = column;
    return best;
  });
}

function turn(places: Float64Array): void {
  for (let index = 0; index < places.length; index++) places[index] = 1 - (places[index] as number);
}

/** What was given to the class a record has, of all that was given. */
function trueColumn(columns: readonly Float64Array[], own: Float64Array): Float64Array {
  return own.map((label, row) => {
    if (label < 0) return Number.NaN;
    const whole = columns.reduce((sum, column) => sum + (column[row] as number), 0);
    return (columns[label]?.[row] as number) / whole;
  });
}
