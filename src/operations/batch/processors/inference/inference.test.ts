import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../../../engine/events/schema.ts";
import { offlineNamespace } from "../../../../handlers/process/process-namespace.ts";
import { chunkOf, processorCall, processorCases, rowsOf } from "../../port/processor.cases.ts";
import type { ProcessorCall } from "../../port/processor.ts";
import { inference, inferenceWith } from "./inference.ts";
import {
  joblibConfig,
  type Models,
  makeModels,
  python,
  trusting,
  withoutSklearn,
} from "./joblib/models.cases.ts";
import { inferenceTally } from "./metrics/tally.ts";
import { logisticClassifier } from "./onnx/models.cases.ts";
import { onnxFile } from "./onnx/onnx-file.cases.ts";
import { runtimeEnv, withoutRuntime } from "./onnx/runtime.cases.ts";

const names = [
  "forest",
  "names",
  "three",
  "linear",
  "margin",
  "words",
  "old",
  "obeys",
  "marks",
  "calls",
  "looks",
];

const models: Models | null = withoutSklearn === false ? makeModels() : null;
after(() => models?.remove());
const joblibFolder = models?.folder ?? "";
const copies =
  models === null ? {} : trusting(joblibFolder, ...names.map((name) => `${name}.joblib`), "logistic.pkl");

function temporary(t: TestContext, files: Readonly<Record<string, Buffer>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-inference-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
}

const same = onnxFile({
  inputs: [{ name: "given", type: "float", shape: ["N", 1] }],
  outputs: [{ name: "n", type: "float", shape: ["N", 1] }],
  nodes: [{ op: "Identity", inputs: ["given"], outputs: ["n"] }],
});

const refused = [
  [{ model_path: " " }, "model_path"],
  [{ model_path: "m.bin" }, "format"],
  [{ model_path: "m.onnx", features: ["a"], vector_field: "v" }, "vector_field"],
  [{ model_path: "m.onnx", features: [1] }, "features"],
  [{ model_path: "m.onnx", features: { x: 1 } }, "features"],
  [{ model_path: "m.onnx", categories: { a: "b" } }, "categories"],
  [{ model_path: "m.onnx", classes: [{}] }, "classes"],
  [{ model_path: "m.onnx", classes: [1, "1"] }, "classes"],
  [{ model_path: "m.onnx", threads: 0 }, "threads"],
] as const;

processorCases({
  name: "inference, ONNX",
  skip: withoutRuntime,
  kind: () => inference,
  folder: (t) => temporary(t, { "n.onnx": same, "no.onnx": Buffer.from("no") }),
  call: () => ({ env: { ...process.env, ...runtimeEnv } }),
  works: { model_path: "n.onnx", features: { given: ["n"] }, missing: "default" },
  obeys: null,
  refused,
  unusable: [
    [{ model_path: "gone.onnx" }, "SWARM_FILE_UNREADABLE"],
    [{ model_path: "no.onnx", features: ["n"] }, "SWARM_BATCH_START_FAILED"],
    [{ model_path: "n.onnx", features: ["n", "m"] }, "SWARM_BATCH_START_FAILED"],
  ],
});

processorCases({
  name: "inference, joblib",
  skip: withoutSklearn,
  kind: () => inference,
  folder: () => joblibFolder,
  call: () => ({ copies }),
  answer: "prediction",
  works: joblibConfig("obeys.joblib", { features: ["n", "do"], missing: "default", task: "regression" }),
  obeys: joblibConfig("obeys.joblib", { features: ["n", "do"], missing: "default", task: "regression" }),
  refused,
  unusable: [
    [joblibConfig("gone.joblib"), "SWARM_FILE_UNREADABLE"],
    [joblibConfig("expected.json", { format: "joblib" }), "SWARM_FILE_UNTRUSTED"],
    [joblibConfig("forest.joblib", { features: ["a"] }), "SWARM_BATCH_START_FAILED"],
    [joblibConfig("forest.joblib", { python: "no-such-python" }), "SWARM_SKLEARN_MISSING"],
  ],
});

/** What a model makes of records, and what it comes to. */
async function answers(
  t: TestContext,
  config: JsonObject,
  records: readonly object[],
  changes: Partial<ProcessorCall> = {},
  kind = inference,
) {
  const { call, printed } = processorCall(joblibFolder, { copies, ...changes });
  const processor = await kind.open(config, call);
  t.after(() => processor.close());
  const end = await processor.run(chunkOf(records.map((record) => JSON.stringify(record))));
  const { results, errors } = rowsOf(end);
  const stats = inferenceTally.summary(end.tally ?? {}) as Record<string, unknown> & {
    readonly model: Record<string, unknown>;
    readonly warnings: readonly string[];
  };
  return { outputs: results.map(({ output }) => output), errors, stats, printed };
}

suite("a model of scikit-learn's", { skip: withoutSklearn }, () => {
  const records = (): JsonObject[] =>
    (models?.expected.rows ?? []).map(([a, b, c], index) => ({
      a,
      b,
      c,
      label: models?.expected.forest.predict[index],
    }));
  const features = ["a", "b", "c"];

  test("answers what it answers in Python, and is counted against the labels", async (t) => {
    const config = joblibConfig("forest.joblib", { features, label_field: "label" });
    const { outputs, stats } = await answers(t, config, records());
    const { predict, proba } = models?.expected.forest ?? assert.fail();
    assert.deepEqual(
      outputs,
      predict.map((prediction, index) => ({ prediction, probabilities: proba[index] })),
    );
    assert.deepEqual(
      [stats.task, stats.classes, stats.labelled, stats.accuracy, stats.roc_auc],
      ["classification", ["0", "1"], 50, 1, 1],
    );
    const { model } = stats;
    assert.match(String(model.runtime), /^Python 3\S+, scikit-learn \S+, numpy \S+, joblib \S+$/);
    assert.deepEqual(
      [model.estimator, model.features, model.format],
      ["RandomForestClassifier", 3, "joblib"],
    );
    assert.equal(model.sha256, copies["forest.joblib"]?.sha256);
    assert.ok(Number(model.worker_rss_bytes) > 10_000_000);
  });

  test("takes its features from one field as well", async (t) => {
    const vectors = models?.expected.rows.map((v) => ({ v })) ?? [];
    const { outputs } = await answers(t, joblibConfig("forest.joblib", { vector_field: "v" }), [
      ...vectors,
      { v: [1] },
    ]);
    assert.equal(outputs.length, vectors.length);
  });

  test("fails a record without a feature, or with a text for one, alone", async (t) => {
    const [good] = records();
    const { outputs, errors } = await answers(t, joblibConfig("logistic.pkl", { features }), [
      { ...good, a: null },
      { ...good, b: "1" },
      { ...good },
    ]);
    assert.equal(outputs.length, 1);
    assert.deepEqual(
      errors.map(({ error }) => error),
      [
        { class: "missing_feature", message: 'feature "a" is missing' },
        { class: "invalid_feature", message: 'feature "b" is "1", expected a number' },
      ],
    );
  });

  test("gets defaults and categories as they are said", async (t) => {
    const config = joblibConfig("linear.joblib", {
      features,
      missing: "default",
      defaults: { b: 2 },
      categories: { c: ["none", "one"] },
    });
    const { outputs } = await answers(t, config, [
      { a: 1, c: "one" },
      { a: 1, c: "?" },
    ]);
    const [first, second] = outputs as { prediction: number }[];
    assert.ok(Math.abs((first?.prediction ?? 0) - 121.5) < 1e-6);
    assert.ok(Math.abs((second?.prediction ?? 0) - 21.5) < 1e-6);
  });

  test("gets NaN for what is missing where that is said, and fails alone if it takes none", async (t) => {
    const config = joblibConfig("linear.joblib", { features, missing: "nan" });
    const { outputs, errors } = await answers(t, config, [
      { a: 1, b: 1 },
      { a: 1, b: 1, c: 1 },
    ]);
    assert.deepEqual([outputs.length, errors.length], [1, 1]);
    assert.match(JSON.stringify(errors[0]), /NaN/);
  });

  test("finds no modules in the working directory, nor beside our own programs", async (t) => {
    const folder = temporary(t);
    for (const name of ["beside.py", "looks.joblib"]) writeFileSync(join(folder, name), "");
    const config = joblibConfig("looks.joblib", { features });
    const { outputs } = await answers(t, config, records().slice(0, 1), { cwd: folder });
    assert.deepEqual(outputs, [{ prediction: 0 }]);
  });

  test("that is a pipeline takes texts, and one it has never seen fails alone", async (t) => {
    const config = joblibConfig("words.joblib", { features: ["country", "n"] });
    const { outputs, errors } = await answers(t, config, [
      { country: "DE", n: 1 },
      { country: "??", n: 1 },
      { country: "FR", n: 1 },
    ]);
    assert.deepEqual(
      (outputs as { prediction: number }[]).map(({ prediction }) => Math.round(prediction)),
      [10, 2],
    );
    assert.deepEqual(
      errors.map(({ error }) => (error as { class: string }).class),
      ["thrown"],
    );
  });

  test("has classes of its own, by their names", async (t) => {
    const config = joblibConfig("names.joblib", { features, label_field: "is", positive_class: "fraud" });
    const labelled = records().map((record) => ({ ...record, is: record.label === 1 ? "fraud" : "ok" }));
    const { outputs, stats } = await answers(t, config, labelled);
    assert.ok(["fraud", "ok"].includes((outputs[0] as { prediction: string }).prediction));
    assert.deepEqual([stats.classes, stats.positive_class], [["ok", "fraud"], "fraud"]);
    assert.ok(Number(stats.roc_auc) > 0.8);
  });

  test("has more than two classes, or a margin in place of probabilities, or a value", async (t) => {
    const three = await answers(
      t,
      joblibConfig("three.joblib", { features, label_field: "label" }),
      records(),
    );
    assert.deepEqual([three.stats.classes, three.stats.average], [["0", "1", "2"], "macro"]);
    const margin = await answers(
      t,
      joblibConfig("margin.joblib", { features, label_field: "label" }),
      records(),
    );
    assert.deepEqual(Object.keys(margin.outputs[0] as object), ["prediction", "score"]);
    assert.ok(Number(margin.stats.roc_auc) > 0.8);
    assert.equal(margin.stats.log_loss, null);
    const linear = await answers(
      t,
      joblibConfig("linear.joblib", { features, label_field: "sum" }),
      records().map((one) => ({
        ...one,
        sum: Number(one.a) + 10 * Number(one.b) + 100 * Number(one.c) + 0.5,
      })),
    );
    assert.deepEqual([linear.stats.task, Math.round(Number(linear.stats.r2) * 1e6)], ["regression", 1e6]);
  });

  test("of another version of scikit-learn is used, and that is told", async (t) => {
    const { outputs, stats, printed } = await answers(t, joblibConfig("old.joblib", { features }), records());
    assert.equal(outputs.length, 50);
    const told = stats.warnings.find((warning) =>
      warning.startsWith("the model was made with scikit-learn 0.99.1"),
    );
    assert.match(told ?? "", /and is used with \d\S+: what it answers may differ$/);
    assert.match(printed(), /made with scikit-learn 0\.99\.1/);
  });

  test("counts what it answered before a record that does not end", async (t) => {
    const config = joblibConfig("obeys.joblib", {
      features: ["n", "do"],
      missing: "default",
      task: "regression",
      label_field: "label",
    });
    const given = [
      { n: 1, label: 2 },
      { n: 2, label: 4 },
      { n: 3, do: "stay", label: 1 },
      { n: 4, label: 7 },
    ];
    const { errors, stats } = await answers(t, config, given, { recordTimeoutMs: 500 });
    assert.deepEqual(
      errors.map(({ line, error }) => [line, (error as { class: string }).class]),
      [[3, "timeout"]],
    );
    assert.deepEqual([stats.labelled, stats.mae, stats.max_error], [3, 2, 3]);
  });

  test("hints at ONNX where a converter is installed, and nowhere else", async (t) => {
    const config = joblibConfig("logistic.pkl", { features });
    const hint = "skl2onnx is installed: the model may be faster as ONNX, see docs/inference.md";
    const folder = temporary(t);
    mkdirSync(join(folder, "skl2onnx"));
    writeFileSync(join(folder, "skl2onnx/__init__.py"), "raise SystemExit('nobody has asked for it')\n");
    const without = await answers(t, config, records());
    assert.equal(without.stats.warnings.includes(hint), false);
    // Variables that tell Python where to look are not passed on to workers.
    const other = join(folder, "python");
    writeFileSync(other, `#!/bin/sh\nPYTHONPATH='${folder}' exec '${python}' "$@"\n`, { mode: 0o755 });
    const { stats, printed } = await answers(t, { ...config, python: other }, records());
    assert.deepEqual(
      stats.warnings.filter((warning) => warning === hint),
      [hint],
    );
    assert.match(printed(), /skl2onnx is installed/);
  });

  test("that does not name its features has to be told them", async (t) => {
    await assert.rejects(answers(t, joblibConfig("forest.joblib"), records()), {
      code: "SWARM_BATCH_START_FAILED",
      message: /features: the model takes 3 features and does not name them/,
    });
  });

  test("that nobody approved is not loaded, and neither is a copy that was changed since", async (t) => {
    const folder = temporary(t);
    const config = joblibConfig("marks.joblib", { features });
    const untrusted = { cwd: folder, copies: {} };
    writeFileSync(join(folder, "marks.joblib"), "");
    await assert.rejects(answers(t, config, records(), untrusted), { code: "SWARM_FILE_UNTRUSTED" });
    const { copy = "" } = copies["marks.joblib"] ?? {};
    const changed = { cwd: folder, copies: { "marks.joblib": { sha256: "0".repeat(64), copy } } };
    await assert.rejects(answers(t, config, records(), changed), {
      code: "SWARM_BATCH_START_FAILED",
      message: /is not what was approved/,
    });
    assert.equal(existsSync(join(folder, "loaded")), false);
    await assert.rejects(answers(t, config, records(), { cwd: folder }));
    assert.equal(existsSync(join(folder, "loaded")), true, "approved, it runs what it holds");
  });

  test("is given fewer workers than were asked for when no more fit, and that is told", async (t) => {
    const config = joblibConfig("logistic.pkl", { features });
    const small = inferenceWith(() => 1);
    const { stats, printed } = await answers(t, config, records(), { concurrency: 8 }, small);
    assert.equal(stats.model.workers, 1);
    assert.match(
      stats.warnings[0] ?? "",
      /^1 of 8 workers: each takes \d+ MiB, and no more fit into memory$/,
    );
    assert.match(printed(), /1 of 8 workers/);
  });

  test("without scikit-learn says how to have it", async (t) => {
    const folder = temporary(t);
    const bare = join(folder, "python");
    writeFileSync(bare, "#!/bin/sh\necho 'Python 3.9.1 has no module joblib, sklearn' >&2\nexit 1\n", {
      mode: 0o755,
    });
    await assert.rejects(answers(t, joblibConfig("forest.joblib", { python: bare }), records()), {
      code: "SWARM_SKLEARN_MISSING",
      message:
        /has no module joblib, sklearn; install scikit-learn for it \(python3 -m pip install scikit-learn/,
    });
  });

  const skip = offlineNamespace().problem ?? false;
  test("has no network, whoever listens", { skip }, async (t) => {
    let callers = 0;
    const server = createServer(() => callers++).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const config = joblibConfig("calls.joblib", { features: ["port"] });
    const { outputs } = await answers(t, config, [{ port }]);
    assert.notDeepEqual(outputs, [{ prediction: 0 }]);
    assert.equal(callers, 0);
  });
});

suite("an ONNX model in worker processes", { skip: withoutRuntime }, () => {
  test("answers and is counted like any other", async (t) => {
    const cwd = temporary(t, { "fraud.onnx": logisticClassifier([1, -1], 0) });
    const config = { model_path: "fraud.onnx", features: ["x", "y"], label_field: "is_fraud" };
    const records = [
      { x: 2, y: 0, is_fraud: 1 },
      { x: 0, y: 2, is_fraud: 0 },
      { x: 0, y: 1 },
    ];
    const env = { ...process.env, ...runtimeEnv };
    const { stats } = await answers(t, config, records, { cwd, env });
    const { model, labelled, unlabelled, accuracy } = stats;
    assert.deepEqual([labelled, unlabelled, accuracy], [2, 1, 1]);
    assert.match(String(model.runtime), /^onnxruntime-node \d\S+, Node \d/);
    assert.deepEqual(model.inputs, [{ name: "X", type: "float32", shape: ["N", 2] }]);
  });
});

test("a model's file that changes while it is used ends the run: no two models answer one file", {
  skip: withoutRuntime,
}, async (t) => {
  const cwd = temporary(t, { "m.onnx": logisticClassifier([1, -1], 0) });
  const env = { ...process.env, ...runtimeEnv };
  const { call } = processorCall(cwd, { env, concurrency: 2 });
  const processor = await inference.open({ model_path: "m.onnx", features: ["x", "y"] }, call);
  t.after(() => processor.close());
  writeFileSync(join(cwd, "m.onnx"), logisticClassifier([-1, 1], 0));
  const chunk = chunkOf(['{"x":1,"y":2}']);
  const untilRefused = async () => {
    // The first worker has loaded it; the second is started when there is a chunk for it, and the first goes on meanwhile.
    for (let times = 0; times < 2_000; times++) {
      await Promise.all([processor.run(chunk), processor.run(chunk)]);
      await sleep(5);
    }
  };
  await assert.rejects(untilRefused, {
    code: "SWARM_BATCH_START_FAILED",
    message: /the model's file has changed since the run began/,
  });
});

test("without onnxruntime-node an ONNX model says how to have it", async (t) => {
  const cwd = temporary(t, { "m.onnx": same });
  const { call } = processorCall(cwd, { env: { SWARM_ONNXRUNTIME: join(cwd, "nowhere") } });
  await assert.rejects(async () => inference.open({ model_path: "m.onnx" }, call), {
    code: "SWARM_ONNX_RUNTIME_MISSING",
    message: /ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node/,
  });
});
