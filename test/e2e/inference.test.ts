import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, suite, type TestContext, test } from "node:test";
import {
  type Models,
  makeModels,
  python,
  withoutSklearn,
} from "../../src/operations/batch/processors/inference/joblib/models.cases.ts";
import { logisticClassifier } from "../../src/operations/batch/processors/inference/onnx/models.cases.ts";
import {
  runtimeEnv,
  withoutRuntime,
} from "../../src/operations/batch/processors/inference/onnx/runtime.cases.ts";
import { Place } from "./harness.ts";

const models: Models | null = withoutSklearn === false ? makeModels() : null;
after(() => models?.remove());

/** Seed 000's command, word for word. */
const seed = [
  ...["batch", "submit", "--input", "transactions_20260415.jsonl", "--processor", "inference"],
  ...["--config", '{"model_path": "models/fraud_v3.joblib"}', "--concurrency", "8"],
];

const records = Array.from({ length: 300 }, (_, index) => ({
  record_id: `r${index + 1}`,
  amount: ((index * 7919) % 1000) / 1000,
  hour: (index % 24) / 24,
  customer: { age: ((index * 31) % 80) / 80 },
  is_fraud: Number(((index * 7919) % 1000) / 1000 > 0.5),
}));

function place(t: TestContext): Place {
  const made = new Place(t);
  made.env.PATH = [dirname(python ?? ""), process.env.PATH].join(delimiter);
  mkdirSync(join(made.project, "models"));
  copyFileSync(join(models?.folder ?? "", "fraud_v3.joblib"), join(made.project, "models/fraud_v3.joblib"));
  made.write("transactions_20260415.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return made;
}

interface Output {
  readonly record_id: string;
  readonly output: { readonly prediction: number; readonly probabilities: readonly number[] };
}
interface Stats {
  readonly counts: object;
  readonly metrics: { readonly model: { readonly sha256: string }; readonly [name: string]: unknown };
}
interface Status {
  readonly run_id: string;
  readonly state: string;
  readonly output: string;
}

const rowsIn = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Output);

async function walk(made: Place): Promise<void> {
  const refused = await made.swarm(...seed);
  assert.equal(refused.status, 65);
  assert.match(
    refused.stderr,
    /fraud_v3\.joblib runs code when it is loaded and is not approved \(sha256 [0-9a-f]{64}\): swarm trust --file \S+fraud_v3\.joblib/,
  );
  const { items } = await made.json<{ items: object[] }>("batch", "list");
  assert.deepEqual(items, [], "nothing is left of it");

  assert.equal((await made.swarm("trust", "--file", "models/fraud_v3.joblib", "--yes")).status, 0);
  const ended = await made.json<Status>(...seed);
  assert.equal(ended.state, "completed");
  const rows = rowsIn(join(ended.output, "results.jsonl"));
  assert.deepEqual(
    rows.map(({ record_id }) => record_id),
    records.map(({ record_id }) => record_id),
  );
  for (const { output } of rows)
    assert.equal(output.prediction, Number((output.probabilities[1] ?? 0) > 0.5));

  const config = { model_path: "models/fraud_v3.joblib", label_field: "is_fraud" };
  const labelled = await made.json<Status>(...seed.with(7, JSON.stringify(config)));
  const { stats } = await made.json<{ stats: Stats }>("batch", "report", labelled.run_id);
  assert.deepEqual([stats.metrics.labelled, stats.metrics.positive_class], [300, "1"]);
  assert.ok(Number(stats.metrics.roc_auc) > 0.8);
  assert.match(stats.metrics.model.sha256, /^[0-9a-f]{64}$/);

  const html = await made.swarm("batch", "report", labelled.run_id, "--html", "report.html");
  assert.deepEqual([html.status, html.stderr], [0, ""]);
  const page = readFileSync(join(made.project, "report.html"), "utf8");
  for (const part of ["ROC", "Precision", "Calibration", "Scores", "Throughput"])
    assert.match(page, new RegExp(part));
  assert.doesNotMatch(page, /<script|https?:\/\/(?!www\.w3\.org)/);
}

suite("swarm batch with a trained model", { skip: withoutSklearn }, () => {
  test("does seed 000's command once the model is approved, without a daemon", async (t) => walk(place(t)));

  test("does the same with a daemon", async (t) => {
    const made = place(t);
    await made.up();
    await walk(made);
  });

  test("does not load a model whose approval was taken back, nor one that has changed", async (t) => {
    const made = place(t);
    const path = join(made.project, "models/fraud_v3.joblib");
    await made.swarm("trust", "--file", path, "--yes");
    await made.swarm("trust", "--file", path, "--revoke");
    assert.match((await made.swarm(...seed)).stderr, /is not approved/);
    await made.swarm("trust", "--file", path, "--yes");
    copyFileSync(join(models?.folder ?? "", "marks.joblib"), path);
    assert.match((await made.swarm(...seed)).stderr, /is not what was approved/);
    assert.equal(existsSync(join(made.project, "loaded")), false);
  });
});

test("a record that ends the model's worker fails alone, and all others are answered", {
  skip: withoutSklearn,
}, async (t) => {
  const made = place(t);
  const model = join(made.project, "obeys.joblib");
  copyFileSync(join(models?.folder ?? "", "obeys.joblib"), model);
  assert.equal((await made.swarm("trust", "--file", model, "--yes")).status, 0);
  const lines = Array.from({ length: 40 }, (_, n) => JSON.stringify({ n, ...(n === 13 && { do: "crash" }) }));
  made.write("in.jsonl", `${lines.join("\n")}\n`);
  const config = { model_path: "obeys.joblib", features: ["n", "do"], missing: "default" };
  const submit = ["batch", "submit", "--input", "in.jsonl", "--processor", "inference", "--concurrency", "2"];
  const ended = await made.json<Status>(...submit, "--config", JSON.stringify(config));
  const numbers = rowsIn(join(ended.output, "results.jsonl")).map(({ output }) => output.prediction);
  assert.deepEqual(
    numbers,
    Array.from({ length: 40 }, (_, n) => n).filter((n) => n !== 13),
  );
  const { stats } = await made.json<{ stats: Stats & { error_classes: object } }>(
    "batch",
    "report",
    ended.run_id,
  );
  assert.deepEqual([stats.error_classes, stats.metrics.unlabelled], [{ crash: 1 }, 39]);
});

test("swarm batch with an ONNX model", { skip: withoutRuntime }, async (t) => {
  const made = new Place(t);
  Object.assign(made.env, runtimeEnv);
  writeFileSync(join(made.project, "fraud.onnx"), logisticClassifier([4, -1], -1.5));
  made.write("in.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const config = { model_path: "fraud.onnx", features: ["amount", "hour"], label_field: "is_fraud" };
  const submit = ["batch", "submit", "--input", "in.jsonl", "--processor", "inference"];
  const ended = await made.json<Status>(...submit, "--config", JSON.stringify(config));
  assert.equal(ended.state, "completed");
  const { stats } = await made.json<{ stats: Stats }>("batch", "report", ended.run_id);
  assert.ok(Number(stats.metrics.accuracy) > 0.8);
});
