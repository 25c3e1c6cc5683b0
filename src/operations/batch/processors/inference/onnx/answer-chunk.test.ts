import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { type Frame, FrameReader } from "../../frames.ts";
import { PartTeller } from "../../part-teller.ts";
import { readPart } from "../../read-part.ts";
import { inferenceTally, tallyOf } from "../metrics/tally.ts";
import type { ModelConfig } from "../model-config.ts";
import { unpackScored } from "../scored-wire.ts";
import { workOf } from "./answer-chunk.ts";
import { OnnxModel } from "./model.ts";
import { logisticClassifier } from "./models.cases.ts";
import { onnxFile } from "./onnx-file.cases.ts";
import { loadRuntime, withoutRuntime } from "./runtime.cases.ts";

const config: ModelConfig = { model_path: "m.onnx", features: ["a", "b"], label_field: "y" };

/** What is told of a chunk, all parts together. `tellMs` 0: one record after the other. */
async function told(bytes: Buffer, given: ModelConfig, lines: readonly string[], tellMs: number) {
  const model = await OnnxModel.load(loadRuntime(), bytes, given);
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => frames.push(frame));
  const chunk = { firstLine: 11, lineCount: lines.length, lines: Buffer.from(lines.join("\n")) };
  const teller = new PartTeller(chunk, "id", tellMs, (said) => reader.add(said));
  await workOf(model, "id", given)(teller);
  teller.finish();
  const parts = frames.map(readPart);
  const ends = parts.map(({ end }) => end);
  const scored = ends.flatMap(({ tally }) => (tally?.parts ?? []) as JsonObject[]).map(unpackScored);
  const sums = scored.map((one) => tallyOf({}, [], one)).reduce(inferenceTally.merge, tallyOf({}, [], null));
  return {
    results: ends.map(({ results }) => results.toString()).join(""),
    errors: ends.map(({ errors }) => errors.toString()).join(""),
    ids: ends.flatMap(({ idHashes }) => [...idHashes]),
    latencies: ends.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0),
    lines: parts.reduce((sum, part) => sum + part.lines, 0),
    metrics: inferenceTally.summary(sums),
  };
}

const plain = '{"id":"r1","a":1,"b":2,"y":1}';
const odd = [
  '{"id":"r2","a":-1,"b":2,"y":0}',
  '{"b":2,"a":1,"id":"turned"}',
  '{"id":17,"a":0.1,"b":1e-3,"y":true}',
  '{"id":"ü","a":1,"b":2,"y":"1"}',
  '{"id":"none","a":1,"y":1}',
  '{"id":"text","a":"1","b":2,"y":1}',
  '{"id":"","a":1,"b":2,"y":null}',
  '{"id":"nested","a":1,"b":2,"y":{"is":1}}',
  "",
  "  ",
  "no JSON",
  "[]",
];

suite("a chunk is answered as its records are one by one", { skip: withoutRuntime }, () => {
  const classifier = logisticClassifier([1, -1], 0);

  test("with lines that are alike, and others between them", async () => {
    const lines = [plain, ...odd, plain];
    const whole = await told(classifier, config, lines, 60_000);
    assert.deepEqual(whole, await told(classifier, config, lines, 0));
    assert.deepEqual([whole.lines, whole.latencies], [lines.length, 10]);
    assert.deepEqual(
      [whole.metrics.labelled, whole.metrics.unlabelled, whole.metrics.unknown_labels],
      [5, 2, 1],
    );
  });

  test("by a model that takes a fixed number at a time", async () => {
    const fixed = onnxFile({
      inputs: [{ name: "given", type: "float", shape: [4, 2] }],
      outputs: [{ name: "same", type: "float", shape: [4, 2] }],
      nodes: [{ op: "Identity", inputs: ["given"], outputs: ["same"] }],
    });
    const lines = [plain, plain, plain, ...odd, plain, plain];
    assert.deepEqual(await told(fixed, config, lines, 60_000), await told(fixed, config, lines, 0));
  });

  test("whatever the lines are", async () => {
    const line = fc.oneof(
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.float(), fc.double(), fc.boolean())
          .map(([a, b, y]) => JSON.stringify({ id: "x", a, b, y })),
      },
      fc.constantFrom(plain, ...odd),
      fc.json().map((text) => text.replaceAll("\n", " ")),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
        assert.deepEqual(
          await told(classifier, config, lines, 60_000),
          await told(classifier, config, lines, 0),
        );
      }),
      { numRuns: 100 },
    );
  });
});
