import { show } from "../../../base/show.ts";
import type { ModelConfig } from "../model-config.ts";
import { ModelMismatch } from "./inputs.ts";
import type { OnnxTensor, OnnxValue } from "./runtime.ts";

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

/** The JSON of one row of an output; null when it has a number that JSON cannot say. */
export function rowText({ data, dims }: OnnxTensor, row: number): string | null {
  const size = data.length / (dims[0] ?? 1);
  if (size === 1) return valueText(data[row]);
  let text = "[";
  for (let column = 0; column < size; column++) {
    const value = valueText(data[row * size + column]);
    if (value === null) return null;
    text += column === 0 ? value : `,${value}`;
  }
  return `${text}]`;
}

function valueText(value: unknown): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? `${value}` : null;
  return typeof value === "bigint" ? `${value}` : JSON.stringify(value);
}
