import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { binOf, scoreAt } from "./score-points.ts";
import { type Scored, scoreKindOf, unknownLabel, unlabelled } from "./scored.ts";
import { inferenceTally, tallyOf } from "./tally.ts";

interface Recorded {
  readonly labels: number[];
  readonly predicted: number[];
  readonly expected: Record<string, unknown>;
}
interface RecordedBinary extends Recorded {
  readonly scores: number[];
  readonly expected: Record<string, unknown> & {
    readonly calibration: { readonly positive_share: number[]; readonly mean_score: number[] };
  };
}
interface RecordedClasses extends Recorded {
  readonly scores: number[][];
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures", "scikit-learn.json"), "utf8"),
) as {
  binary: Record<string, RecordedBinary>;
  multiclass: Record<string, RecordedClasses>;
  regression: Record<string, Recorded>;
};

suite("binary metrics are scikit-learn's", () => {
  for (const [name, { expected, ...given }] of Object.entries(recorded.binary)) {
    test(name, () => {
      const metrics = metricsOf(binary(given.labels, given.predicted, given.scores));
      const { calibration, confusion, ...numbers } = expected;
      assertClose(metrics, { ...numbers, roc_auc_error: 0, pr_auc_error: 0 });
      assert.deepEqual((metrics.confusion_matrix as { rows: unknown }).rows, confusion);
      const { bins } = metrics.calibration as { bins: { mean_score: number; positive_share: number }[] };
      assert.equal(bins.length, calibration.mean_score.length);
      bins.forEach(({ mean_score, positive_share }, bin) => {
        assertClose(
          { mean_score, positive_share },
          {
            mean_score: calibration.mean_score[bin],
            positive_share: calibration.positive_share[bin],
          },
        );
      });
    });
  }
});

suite("metrics over several classes are scikit-learn's", () => {
  for (const [name, { expected, ...given }] of Object.entries(recorded.multiclass)) {
    test(name, () => {
      const metrics = metricsOf(multiclass(given.labels, given.predicted, given.scores));
      const { confusion, ...numbers } = expected;
      assertClose(metrics, numbers);
      assert.deepEqual((metrics.confusion_matrix as { rows: unknown }).rows, confusion);
    });
  }
});

suite("metrics of numbers are scikit-learn's", () => {
  for (const [name, { expected, labels, predicted }] of Object.entries(recorded.regression)) {
    test(name, () => {
      assertClose(metricsOf(regression(labels, predicted)), expected);
    });
  }
});

suite("however a run was cut into chunks, and in whatever order they were merged", () => {
  const { labels, predicted, scores } = recorded.binary["a rare class"] as RecordedBinary;
  const cuts = fc.array(fc.nat(labels.length), { maxLength: 12 });
  const shuffled = fc.infiniteStream(fc.nat());

  test("the metrics of classes are the same", () => {
    const whole = metricsOf(binary(labels, predicted, scores));
    fc.assert(
      fc.property(cuts, shuffled, (at, keys) => {
        const chunks = pieces(at, labels.length).map(([from, to]) =>
          binary(labels.slice(from, to), predicted.slice(from, to), scores.slice(from, to)),
        );
        assertSame(metricsOf(...shuffle(chunks, keys)), whole);
      }),
      { numRuns: 20 },
    );
  });

  test("the metrics of numbers are the same", () => {
    const { labels, predicted } = recorded.regression["large values close together"] as Recorded;
    const whole = metricsOf(regression(labels, predicted));
    fc.assert(
      fc.property(cuts, shuffled, (at, keys) => {
        const chunks = pieces(at, labels.length).map(([from, to]) =>
          regression(labels.slice(from, to), predicted.slice(from, to)),
        );
        assertSame(metricsOf(...shuffle(chunks, keys)), whole);
      }),
      { numRuns: 20 },
    );
  });
});

test("with more scores than are kept, the areas are wrong by no more than they say, and by little", () => {
  const count = 20_000;
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const labels = Array.from({ length: count }, () => Number(random() < 0.03));
  const scores = labels.map((label) => 1 / (1 + Math.exp(6 - 4 * label - 8 * (random() - 0.5))));
  const chunks = pieces([1000, 7000, 7001], count).map(([from, to]) =>
    binary(labels.slice(from, to), labels.slice(from, to), scores.slice(from, to)),
  );
  const metrics = metricsOf(...chunks) as Record<string, number>;
  const exact = exactAreas(labels, scores);
  for (const area of ["roc_auc", "pr_auc"] as const) {
    const error = metrics[`${area}_error`] ?? Number.NaN;
    const off = Math.abs((metrics[area] ?? Number.NaN) - exact[area]);
    assert.ok(off > 0 && off <= error, `${area} is off by ${off}, and says ${error}`);
    assert.ok(error < 0.005, `${area} may be off by ${error}`);
    assert.ok(off < 0.001, `${area} is off by ${off}`);
  }
});

test("a bin is of the scores that are in it, in their order, wherever they are", () => {
  const anywhere = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(anywhere, anywhere, (a, b) => {
      assert.ok(Math.sign(binOf(a) - binOf(b)) * Math.sign(a - b) >= 0, `${a} and ${b} are turned around`);
      const binned = { is_exact: false, points: [binOf(a), 0, 0, 0] };
      if (Math.abs(a) < 2 ** 30)
        assert.equal(binOf(scoreAt(binned, 0)), binOf(a), `the middle of ${a}'s is elsewhere`);
    }),
    { numRuns: 2_000 },
  );
});

test("records without a label, or with one the model does not know, count apart", () => {
  const scored = binary([1, unlabelled, unknownLabel, 0], [1, 1, 0, 0], [0.9, 0.8, 0.1, 0.2]);
  const { labelled, unlabelled: none, unknown_labels, accuracy, predictions } = metricsOf(scored);
  assert.deepEqual([labelled, none, unknown_labels, accuracy], [2, 1, 1, 1]);
  assert.deepEqual(predictions, [
    { class: "no", count: 2 },
    { class: "yes", count: 2 },
  ]);
});

test("without any label there are counts and a histogram, and no metrics", () => {
  const metrics = metricsOf(binary([unlabelled, unlabelled], [1, 0], [0.99, 0.01]));
  assert.deepEqual(Object.keys(metrics), [
    "task",
    "classes",
    "labelled",
    "unlabelled",
    "unknown_labels",
    "predictions",
    "score_histogram",
  ]);
});

test("scores that are no probabilities have areas, and neither log loss nor calibration", () => {
  const metrics = metricsOf(binary([0, 1, 1], [0, 1, 1], [-3, 0.2, 5]), binary([0, 1], [0, 1], [0.1, 0.7]));
  assert.deepEqual(
    [metrics.roc_auc, metrics.log_loss, metrics.brier, metrics.calibration],
    [1, null, null, null],
  );
});

test("a score that is no number has no place on a curve", () => {
  const metrics = metricsOf(binary([0, 1, 1], [0, 1, 1], [0.1, Number.NaN, 0.9]));
  assert.deepEqual([metrics.roc_auc, metrics.log_loss], [1, null]);
});

test("with one class only there is no area", () => {
  const metrics = metricsOf(binary([0, 0], [0, 1], [0.1, 0.9]));
  assert.deepEqual([metrics.roc_auc, metrics.pr_auc], [null, null]);
});

test("for very many classes there is no matrix, and the log loss comes from the true class alone", () => {
  const classes = Array.from({ length: 60 }, (_, index) => `c${index}`);
  const scored: Scored = {
    task: "classification",
    classes,
    scores: scoreKindOf(classes.length, true),
    labels: Float64Array.of(3, 59),
    predicted: Float64Array.of(3, 0),
    columns: [Float64Array.of(0.5, 0.25)],
  };
  const metrics = metricsOf(scored, scored);
  assert.equal(metrics.confusion_matrix, null);
  assertClose(metrics, { accuracy: 0.5, log_loss: (Math.log(2) + Math.log(4)) / 2 });
  assert.equal(metrics.roc_auc, null);
});

test("warnings are told once, whoever gave them", () => {
  const sum = [
    ["a", "b"],
    ["b", "c"],
  ]
    .map((warnings) => tallyOf({ path: "m" }, warnings, null))
    .reduce<JsonObject | null>((so, tally) => inferenceTally.merge(so, tally), null);
  assert.deepEqual(inferenceTally.summary(sum ?? {}), {
    model: { path: "m" },
    warnings: ["a", "b", "c"],
  });
});

test("a model that is another one after a resume is told of", () => {
  const sum = inferenceTally.merge(tallyOf({ sha256: "a" }, [], null), tallyOf({ sha256: "b" }, [], null));
  const { warnings } = inferenceTally.summary(sum);
  assert.deepEqual(warnings, ["the model's file has changed since the run began"]);
});

/** Through JSON at every step: sums are kept in checkpoints. */
function metricsOf(...chunks: Scored[]): JsonObject {
  const json = (value: JsonObject) => JSON.parse(JSON.stringify(value)) as JsonObject;
  const sum = chunks
    .map((scored) => json(tallyOf({}, [], scored)))
    .reduce<JsonObject | null>((so, tally) => json(inferenceTally.merge(so, tally)), null);
  const { model, warnings, ...metrics } = inferenceTally.summary(sum ?? {});
  return metrics;
}

function binary(labels: number[], predicted: number[], scores: number[]): Scored {
  return {
    task: "classification",
    classes: ["no", "yes"],
    scores: "binary",
    labels: Float64Array.from(labels),
    predicted: Float64Array.from(predicted),
    columns: [Float64Array.from(scores)],
  };
}

function multiclass(labels: number[], predicted: number[], rows: number[][]): Scored {
  const classes = (rows[0] ?? []).map((_, of) => `class ${of}`);
  return {
    task: "classification",
    classes,
    scores: scoreKindOf(classes.length, true),
    labels: Float64Array.from(labels),
    predicted: Float64Array.from(predicted),
    columns: classes.map((_, of) => Float64Array.from(rows.map((row) => row[of] ?? Number.NaN))),
  };
}

function regression(labels: number[], predicted: number[]): Scored {
  return {
    task: "regression",
    labels: Float64Array.from(labels),
    predicted: Float64Array.from(predicted),
  };
}

/** By their definitions: pairs in the right order, and the mean precision at each positive. No score occurs twice. */
function exactAreas(labels: number[], scores: number[]) {
  const order = labels.map((label, index) => ({ label, score: scores[index] ?? Number.NaN }));
  order.sort((a, b) => b.score - a.score);
  let [positives, pairs, precision] = [0, 0, 0];
  order.forEach(({ label }, index) => {
    if (label === 0) pairs += positives;
    else precision += ++positives / (index + 1);
  });
  return {
    roc_auc: pairs / (positives * (labels.length - positives)),
    pr_auc: precision / positives,
  };
}

function pieces(at: readonly number[], length: number): [number, number][] {
  const edges = [0, ...at.toSorted((a, b) => a - b), length];
  return edges.slice(1).map((to, index) => [edges[index] ?? 0, to]);
}

function shuffle<T>(items: readonly T[], keys: fc.Stream<number>): T[] {
  const sorted = [...keys.take(items.length)].map((key, index) => ({ key, item: items[index] as T }));
  return sorted.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

function assertClose(actual: JsonObject, expected: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(expected)) {
    const got = actual[name];
    const isClose =
      typeof got === "number" && Math.abs(got - Number(value)) <= 1e-9 * Math.max(1, Math.abs(Number(value)));
    assert.ok(isClose, `${name}: ${String(got)} is not ${String(value)}`);
  }
}

/** But for the last digits of sums, which depend on the order of additions. */
function assertSame(actual: JsonObject, expected: JsonObject): void {
  const rounded = (value: JsonObject) =>
    JSON.stringify(value, (_, one) => (typeof one === "number" ? Number(one.toPrecision(9)) : one));
  assert.equal(rounded(actual), rounded(expected));
}
