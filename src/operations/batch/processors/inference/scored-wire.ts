import type { JsonObject } from "../../../../engine/events/schema.ts";
import { type Scored, scoreKinds } from "./metrics/scored.ts";

/**
 * Scores as a worker tells them, in whatever language it is written: numbers as base64 of their little-endian bytes,
 * labels and answers of a classifier in two bytes each, all else in eight. 8,192 records of ten classes are 900 KB.
 */
export function packScored(scored: Scored): JsonObject {
  if (scored.task === "regression")
    return { task: scored.task, labels: packed(scored.labels), predicted: packed(scored.predicted) };
  const { task, classes, scores, labels, predicted, columns } = scored;
  return {
    task,
    classes,
    scores,
    labels: packed(Int16Array.from(labels)),
    predicted: packed(Int16Array.from(predicted)),
    columns: columns.map(packed),
  };
}

/** Throws at what is none: a model is code, and may have written to the worker's pipe. */
export function unpackScored(told: JsonObject): Scored {
  if (told.task === "regression") {
    const scored = {
      task: "regression",
      labels: doubles(told.labels),
      predicted: doubles(told.predicted),
    } as const;
    checkLengths(scored.labels, [scored.predicted]);
    return scored;
  }
  const { classes, scores } = told;
  const isGood =
    Array.isArray(classes) &&
    classes.every((one) => typeof one === "string") &&
    scoreKinds.includes(scores as never);
  if (!isGood || !Array.isArray(told.columns)) throw new Error("scores that are none");
  const labels = Float64Array.from(shorts(told.labels));
  const predicted = Float64Array.from(shorts(told.predicted));
  const columns = told.columns.map(doubles);
  checkLengths(labels, [predicted, ...columns]);
  for (const places of [labels, predicted])
    if (places.some((place) => place >= classes.length)) throw new Error("a class that is none");
  return { task: "classification", classes, scores: scores as never, labels, predicted, columns };
}

function checkLengths(labels: Float64Array, others: readonly Float64Array[]): void {
  if (others.some(({ length }) => length !== labels.length)) throw new Error("scores of different lengths");
}

function packed(values: Int16Array | Float64Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}

function doubles(text: unknown): Float64Array {
  return new Float64Array(bytesOf(text, 8));
}

function shorts(text: unknown): Int16Array {
  return new Int16Array(bytesOf(text, 2));
}

function bytesOf(text: unknown, size: number): ArrayBuffer {
  if (typeof text !== "string") throw new Error("scores that are none");
  const bytes = Buffer.from(text, "base64");
  if (bytes.length % size !== 0) throw new Error("scores that are none");
  // A copy: what Buffer gives may begin anywhere.
  return new Uint8Array(bytes).buffer;
}
