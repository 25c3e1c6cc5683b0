import { show } from "../../../../../base/show.ts";
import type { ModelConfig } from "../model-config.ts";
import { ModelMismatch } from "./inputs.ts";
import type { OnnxTensor, OnnxValue, TensorData } from "./runtime.ts";

/** Which outputs of a model are kept, and what they mean. */
export interface OutputPlan {
  readonly kept: readonly string[];
  /** Those that are asked of the model: what is kept, and what metrics need. */
  readonly fetched: readonly string[];
  /** The output with the class. */
  readonly label: string | null;
  /** The output with the probabilities, or the value. */
  readonly score: string | null;
  readonly task: "classification" | "regression" | null;
}

const fractions = ["float32", "float64"];
const wholes = ["int64", "int32", "int8", "uint8", "string", "bool"];

export function planOutputs(outputs: readonly OnnxValue[], config: ModelConfig): OutputPlan {
  const { label_output, score_output, task } = config;
  const kept = config.outputs ?? outputs.map(({ name }) => name);
  for (const [option, name] of [
    ...kept.map((one) => ["outputs", one] as const),
    ["label_output", label_output] as const,
    ["score_output", score_output] as const,
  ]) {
    const output = outputs.find((one) => one.name === name);
    if (name === undefined) continue;
    if (output === undefined)
      throw new ModelMismatch(`${option}: the model has no output ${show(name)}, ${those(outputs)}`);
    if (!output.isTensor)
      throw new ModelMismatch(
        `outputs: ${show(name)} is a sequence of maps, expected tensors: convert the model with options={"zipmap": False}, or name the others in outputs`,
      );
  }
  const among = outputs.filter(({ name, isTensor }) => isTensor && kept.includes(name));
  const label =
    task === "regression"
      ? null
      : (label_output ??
        among.find(({ type, shape }) => wholes.includes(type) && isSingle(shape))?.name ??
        null);
  const score = score_output ?? among.find(({ type }) => fractions.includes(type))?.name ?? null;
  const fetched = [...new Set([...kept, ...[label ?? [], score ?? []].flat()])];
  return { kept, fetched, label, score, task: task ?? guessed(label, outputs, score) };
}

/** One number for each record is a value, unless there is a class beside it. */
function guessed(label: string | null, outputs: readonly OnnxValue[], score: string | null) {
  if (label !== null) return "classification";
  const shape = outputs.find(({ name }) => name === score)?.shape;
  if (shape === undefined) return null;
  return isSingle(shape) ? "regression" : shape.length === 2 ? "classification" : null;
}

function isSingle(shape: OnnxValue["shape"]): boolean {
  return shape.slice(1).every((size) => size === 1);
}

function those(outputs: readonly OnnxValue[]): string {
  return `expected ${outputs.map(({ name }) => show(name)).join(", ")}`;
}

export interface OutputProblem {
  readonly class: "invalid_output";
  readonly message: string;
}

/** The JSON of every row, with the outputs that are kept by their names; a number that JSON cannot say is a problem. */
export function outputRows(
  kept: readonly string[],
  answers: Readonly<Record<string, OnnxTensor>>,
  count: number,
): (string | OutputProblem)[] {
  const outputs = kept.map((name, index) => {
    const { data, dims } = answers[name] as OnnxTensor;
    return {
      name,
      data,
      size: data.length / (dims[0] ?? 1),
      before: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    };
  });
  const rows: (string | OutputProblem)[] = [];
  for (let row = 0; row < count; row++) {
    let text: string | null = "";
    for (const { name, data, size, before } of outputs) {
      const value: string | null =
        size === 1 ? valueText(data[row]) : arrayText(data, row * size, (row + 1) * size);
      if (value === null) {
        text = null;
        rows.push({ class: "invalid_output", message: `output ${name} is no finite number` });
        break;
      }
      text += before + value;
    }
    if (text !== null) rows.push(`${text}}`);
  }
  return rows;
}

function arrayText(data: TensorData, from: number, to: number): string | null {
  let text = "[";
  for (let place = from; place < to; place++) {
    const value = valueText(data[place]);
    if (value === null) return null;
    text += place === from ? value : `,${value}`;
  }
  return `${text}]`;
}

function valueText(value: unknown): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? `${value}` : null;
  return typeof value === "bigint" ? `${value}` : JSON.stringify(value);
}
