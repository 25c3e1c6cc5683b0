import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { unknownLabel, unlabelled } from "../metrics/scored.ts";
import type { ModelConfig } from "../model-config.ts";
import { ModelMismatch } from "./inputs.ts";
import { OnnxModel } from "./model.ts";
import {
  fixedBatch,
  linearRegression,
  logisticClassifier,
  namedInputs,
  perceptron,
  softmaxClassifier,
} from "./models.cases.ts";
import { onnxFile } from "./onnx-file.cases.ts";
import { loadRuntime, withoutRuntime } from "./runtime.cases.ts";

const load = (bytes: Buffer, config: Partial<ModelConfig> = {}) =>
  OnnxModel.load(loadRuntime(), bytes, { model_path: "m.onnx", ...config });

async function answers(bytes: Buffer, config: Partial<ModelConfig>, records: JsonObject[]) {
  const { rows, scored } = await (await load(bytes, config)).predict(records);
  return {
    outputs: rows.map((row) => (typeof row === "string" ? JSON.parse(row) : row) as JsonObject),
    scored,
  };
}

suite("a model's input is filled", { skip: withoutRuntime }, () => {
  const sum = linearRegression([1, 10, 100], 0.5);
  const features = ["a", "b", "c.d"];

  test("from named fields, in the order of the names, by a path where there is no such field", async () => {
    const records = [
      { a: 1, b: 2, c: { d: 3 } },
      { "c.d": 1, b: true, a: 0, c: { d: 9 } },
    ];
    const { outputs } = await answers(sum, { features }, records);
    assert.deepEqual(outputs, [{ variable: 321.5 }, { variable: 110.5 }]);
  });

  test("from one field that holds all", async () => {
    const { outputs } = await answers(sum, { vector_field: "v" }, [
      { v: [1, 2, 3] },
      { v: [1, 2] },
      { v: 7 },
      {},
      { v: [1, null, 3] },
    ]);
    assert.deepEqual(outputs, [
      { variable: 321.5 },
      { class: "invalid_feature", message: 'field "v" has 2 values, expected 3' },
      { class: "invalid_feature", message: 'field "v" is 7, expected an array of 3' },
      { class: "missing_feature", message: 'field "v" is missing, expected an array of 3' },
      { class: "missing_feature", message: 'feature "v[1]" is missing' },
    ]);
  });

  test("a record without a feature, or with a wrong one, fails alone", async () => {
    const { outputs } = await answers(sum, { features }, [
      { a: 1, b: 2, c: { d: 3 } },
      { a: 1, b: null, c: { d: 3 } },
      { a: 1, b: "2", c: { d: 3 } },
      { a: 0, b: 0, c: { d: 0 } },
    ]);
    assert.deepEqual(outputs, [
      { variable: 321.5 },
      { class: "missing_feature", message: 'feature "b" is missing' },
      { class: "invalid_feature", message: 'feature "b" is "2", expected a number' },
      { variable: 0.5 },
    ]);
  });

  test("names that every object inherits are none of a record", async () => {
    const { outputs } = await answers(
      linearRegression([1, 1], 0),
      { features: ["constructor", "__proto__"] },
      [{}, JSON.parse('{"constructor": 1, "__proto__": 2}') as JsonObject],
    );
    assert.deepEqual(outputs, [
      { class: "missing_feature", message: 'feature "constructor" is missing' },
      { variable: 3 },
    ]);
  });

  test("missing features are what the policy says: a default of their own, 0, or NaN", async () => {
    const records = [{ a: 1 }, {}];
    const config = { features: ["a", "b", "c"], defaults: { b: 2 } };
    const filled = await answers(sum, { ...config, missing: "default" }, records);
    assert.deepEqual(filled.outputs, [{ variable: 21.5 }, { variable: 20.5 }]);
    const nan = await answers(sum, { ...config, missing: "nan" }, [...records, { a: 1, b: 1, c: 1 }]);
    assert.deepEqual(nan.outputs, [
      { class: "invalid_output", message: "output variable is no finite number" },
      { class: "invalid_output", message: "output variable is no finite number" },
      { variable: 111.5 },
    ]);
    assert.deepEqual(
      nan.scored.map(({ predicted }) => [...predicted]),
      [[111.5]],
      "what failed does not count",
    );
  });

  test("categories are numbers in their order; an unknown one is missing", async () => {
    const categories = { a: ["low", "high"] };
    const records = [
      { a: "high", b: 0, c: 0 },
      { a: "none", b: 0, c: 0 },
      { a: 5, b: 0, c: 0 },
    ];
    const config = { features: ["a", "b", "c"], categories };
    assert.deepEqual((await answers(sum, config, records)).outputs, [
      { variable: 1.5 },
      { class: "missing_feature", message: 'feature "a" is "none", which is no known category' },
      { variable: 5.5 },
    ]);
    const lenient = await answers(sum, { ...config, missing: "default" }, records);
    assert.deepEqual(lenient.outputs[1], { variable: 0.5 });
  });

  test("by an input for each feature, texts and whole numbers among them", async () => {
    const { outputs } = await answers(namedInputs(), {}, [
      { country: "DE", visits: 3, amount: 1.5 },
      { country: 'a\n"b', visits: 9_007_199_254_740_991, amount: -0 },
      { country: "FR", visits: 1.5, amount: 1 },
      { country: "FR", amount: 1 },
      { country: ["FR"], visits: 1, amount: 1 },
    ]);
    assert.deepEqual(outputs, [
      { country_again: "DE", visits_again: 3, amount_again: 1.5 },
      { country_again: 'a\n"b', visits_again: 9_007_199_254_740_991, amount_again: 0 },
      {
        class: "invalid_feature",
        message:
          'feature "visits" is 1.5, expected a whole number from -9007199254740991 to 9007199254740991',
      },
      { class: "missing_feature", message: 'feature "visits" is missing' },
      { class: "invalid_feature", message: 'feature "country" is an array of 1, expected a text' },
    ]);
  });

  test("from other fields than its inputs are called, where that is said", async () => {
    const features = { country: ["geo.country"], visits: ["n"] };
    const { outputs } = await answers(namedInputs(), { features }, [
      { geo: { country: "DE" }, n: 2, amount: 1 },
    ]);
    assert.deepEqual(outputs, [{ country_again: "DE", visits_again: 2, amount_again: 1 }]);
  });

  test("one record at a time where it takes no more, whole or in rows", async () => {
    const { outputs } = await answers(fixedBatch(), { vector_field: "image" }, [
      { image: [1, 2, 3, 4, 5, 6] },
      {
        image: [
          [1, 1, 1],
          [2, 2, 2],
        ],
      },
    ]);
    assert.deepEqual(outputs, [{ sums: [2, 5] }, { sums: [1, 2] }]);
    assert.equal((await load(fixedBatch(), { vector_field: "image" })).fixedRows, 1);
  });
});

suite("what a model answers", { skip: withoutRuntime }, () => {
  const records = [
    { x: 2, y: 0, is_fraud: 1 },
    { x: -2, y: 0, is_fraud: true },
    { x: 0, y: 2, is_fraud: "0" },
    { x: 0, y: 3 },
    { x: 0, y: 3, is_fraud: 7 },
  ];
  const features = ["x", "y"];

  test("is every output by its name, and the label and the scores for metrics", async () => {
    const { outputs, scored } = await answers(
      logisticClassifier([1, -1], 0),
      { features, label_field: "is_fraud" },
      records,
    );
    assert.deepEqual(
      outputs.map(({ label }) => label),
      [1, 0, 0, 0, 0],
    );
    const [one] = scored;
    assert.ok(one?.task === "classification" && scored.length === 1);
    const { classes, scores, labels, predicted, columns } = one;
    assert.deepEqual([classes, scores], [["0", "1"], "binary"]);
    assert.deepEqual([...labels], [1, 1, 0, unlabelled, unknownLabel]);
    assert.deepEqual([...predicted], [1, 0, 0, 0, 0]);
    const [first] = outputs as { probabilities: number[] }[];
    assert.equal(columns[0]?.[0], first?.probabilities[1]);
  });

  test("is turned around when the other class is the positive one", async () => {
    const config = { features, label_field: "is_fraud", positive_class: 0 };
    const { scored } = await answers(logisticClassifier([1, -1], 0), config, records.slice(0, 1));
    const [one] = scored;
    assert.ok(one?.task === "classification");
    assert.deepEqual([one.classes, [...one.labels], [...one.predicted]], [["1", "0"], [0], [0]]);
    assert.ok((one.columns[0]?.[0] ?? 1) < 0.5);
  });

  test("may be texts, whose order has to be told for metrics", async () => {
    const model = logisticClassifier([1, -1], 0, { classlabels_strings: { texts: ["ok", "fraud"] } });
    const { outputs } = await answers(model, { features }, records.slice(0, 2));
    assert.deepEqual(
      outputs.map(({ label }) => label),
      ["fraud", "ok"],
    );
    await assert.rejects(load(model, { features, label_field: "is" }), {
      message: /^classes: the model's are texts/,
    });
    const config = { features, label_field: "is", classes: ["ok", "fraud"] };
    const { scored } = await answers(model, config, [{ x: 2, y: 0, is: "fraud" }]);
    assert.deepEqual([...(scored[0]?.labels ?? [])], [1]);
  });

  test("is the class with the highest score, where there is no label", async () => {
    const model = softmaxClassifier([
      [5, 0, 0],
      [0, 5, 0],
    ]);
    const { scored } = await answers(model, { features }, [
      { x: 1, y: 0 },
      { x: 0, y: 1 },
    ]);
    const [one] = scored;
    assert.ok(one?.task === "classification");
    assert.deepEqual([one.scores, one.columns.length, [...one.predicted]], ["per_class", 3, [0, 1]]);
  });

  test("is a value where it is one number, and the score of a class where that is said", async () => {
    const model = perceptron([2, 3, 1], () => 0.75);
    const value = await answers(model, { features, label_field: "y" }, [{ x: 1, y: 2 }]);
    assert.deepEqual([value.scored[0]?.task, value.scored[0]?.labels[0]], ["regression", 2]);
    const score = await answers(model, { features, task: "classification" }, [{ x: 1, y: 2 }]);
    assert.ok(score.scored[0]?.task === "classification" && score.scored[0].scores === "binary");
  });

  test("is only what was asked for", async () => {
    const config = { features, outputs: ["label"] };
    const { outputs } = await answers(logisticClassifier([1, -1], 0), config, records.slice(0, 1));
    assert.deepEqual(outputs, [{ label: 1 }]);
  });

  test("comes in calls of a bounded size, however many records there are", async () => {
    const many = Array.from({ length: 9_000 }, (_, index) => ({ x: index, y: 0 }));
    const { outputs, scored } = await answers(linearRegression([1, 1], 0), { features }, many);
    assert.deepEqual([outputs.length, outputs[8_999], scored.length], [9_000, { variable: 8_999 }, 3]);
  });
});

test("a record that fails within the model fails alone", { skip: withoutRuntime }, async () => {
  // A category the encoder has never seen is an error of the whole call.
  const model = onnxFile({
    inputs: [{ name: "country", type: "string", shape: ["N", 1] }],
    outputs: [{ name: "encoded", type: "float", shape: ["N", 1, 2] }],
    nodes: [
      {
        op: "OneHotEncoder",
        domain: "ai.onnx.ml",
        inputs: ["country"],
        outputs: ["encoded"],
        attributes: { cats_strings: { texts: ["DE", "FR"] }, zeros: { int: 0 } },
      },
    ],
  });
  const { outputs } = await answers(model, {}, [{ country: "DE" }, { country: "??" }, { country: "FR" }]);
  assert.deepEqual(
    outputs.map(({ encoded, class: failed }) => encoded ?? failed),
    [[1, 0], "thrown", [0, 1]],
  );
});

suite("a configuration that does not fit the model is refused with what would", {
  skip: withoutRuntime,
}, () => {
  const sum = linearRegression([1, 1, 1], 0);
  const wrong: Record<string, [Buffer, Partial<ModelConfig>, RegExp]> = {
    "too few features": [sum, { features: ["a"] }, /^features: 1 are named for "X", expected the 3/],
    "no features": [sum, {}, /^features: the model takes 3 numbers as "X" and does not name them/],
    "an input there is not": [
      namedInputs(),
      { features: { nobody: ["a"] } },
      /^features: the model has no input "nobody", but "country", "visits", "amount"/,
    ],
    "an output there is not": [
      sum,
      { features: ["a", "b", "c"], outputs: ["y"] },
      /no output "y", expected "variable"/,
    ],
    "NaN for what cannot be": [
      namedInputs(),
      { missing: "nan" },
      /^missing: input "country" is of type string/,
    ],
  };
  for (const [what, [bytes, config, message]] of Object.entries(wrong)) {
    test(what, async () => {
      await assert.rejects(load(bytes, config), (error: Error) => {
        assert.ok(error instanceof ModelMismatch);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  test("a file that is no model", async () => {
    await assert.rejects(load(Buffer.from("hello")), /protobuf/);
  });
});
