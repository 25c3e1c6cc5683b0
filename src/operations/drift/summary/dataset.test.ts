import assert from "node:assert/strict";
import { test } from "node:test";
import { Dataset, type DatasetOptions, maxFeatures } from "./dataset.ts";
import { maxCategories } from "./feature.ts";
import { timeOf } from "./time.ts";

const plain: DatasetOptions = {
  features: [],
  ignore: [],
  categorical: [],
  timestampField: null,
  period: null,
};

function datasetOf(records: readonly object[], options: Partial<DatasetOptions> = {}): Dataset {
  const dataset = new Dataset({ ...plain, ...options });
  for (const record of records) dataset.add(record);
  return dataset;
}

function namesOf(records: readonly object[], options: Partial<DatasetOptions> = {}): string[] {
  return [...datasetOf(records, options).features.keys()];
}

test("fields are found by their dotted paths, whether they are nested or written so", () => {
  const dataset = datasetOf([{ a: { b: 1, c: { d: "x" } } }, { "a.b": 2, list: [1] }]);
  assert.deepEqual([...dataset.features.keys()], ["a.b", "a.c.d", "list"]);
  assert.deepEqual(Array.from(dataset.features.get("a.b")?.sketch.weighted().values ?? []), [1, 2]);
  assert.deepEqual(dataset.features.get("list")?.type, "array");
});

test("only what is asked for is looked at", () => {
  const record = { id: "x", a: { b: 1, c: 2 }, at: 1 };
  assert.deepEqual(namesOf([record], { ignore: ["id", "a.c"] }), ["a.b", "at"]);
  assert.deepEqual(namesOf([record], { ignore: ["a"] }), ["id", "at"]);
  assert.deepEqual(namesOf([record], { features: ["a"], timestampField: "at" }), ["a.b", "a.c"]);
});

test("null is no value, a number out of range is none, and a number can be a name", () => {
  const records = [{ a: 1, zip: 10115 }, { a: null, zip: 10115 }, { a: JSON.parse("1e999"), zip: 20095 }, {}];
  const dataset = datasetOf(records, { categorical: ["zip"] });
  const [a, zip] = [dataset.features.get("a"), dataset.features.get("zip")];
  assert.deepEqual([dataset.rows, a?.present, a?.mean, zip?.present], [4, 1, 1, 3]);
  assert.deepEqual(
    [...(zip?.categories ?? [])],
    [
      ["10115", 2],
      ["20095", 1],
    ],
  );
});

test("keys that mean something to JavaScript are keys", () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2, "toString": "x"}') as object;
  assert.deepEqual(namesOf([hostile]), ["__proto__.polluted", "constructor", "toString"]);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test("memory does not grow with fields, categories or depth, and what is left out is counted", () => {
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`f${n}`, n]));
  const dataset = datasetOf([wide, wide]);
  assert.equal(dataset.features.size, maxFeatures);
  assert.ok(dataset.omitted > 2_000, String(dataset.omitted));
  const ids = datasetOf(Array.from({ length: maxCategories + 1 }, (_, n) => ({ id: `i${n}` })));
  assert.deepEqual(
    [ids.features.get("id")?.categories, ids.features.get("id")?.present],
    [null, maxCategories + 1],
  );
  let deep: object = { end: 1 };
  for (let n = 0; n < 1_000; n++) deep = { a: deep };
  assert.deepEqual(namesOf([deep]), [Array(8).fill("a").join(".")]);
});

test("records count by their time, which is ISO, seconds or milliseconds; without a zone it is UTC", () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  for (const written of [
    "2026-01-01T12:00:00Z",
    "2026-01-01 12:00",
    "2026-01-01T13:00:00.000+01:00",
    noon,
    noon / 1_000,
  ])
    assert.equal(timeOf(written), noon, String(written));
  assert.equal(timeOf("2026-01-01"), Date.UTC(2026, 0, 1));
  for (const written of ["yesterday", "12:00", "2026-13-01", "", null, undefined, Number.NaN, {}])
    assert.equal(timeOf(written), null, String(written));
  const period = { fromMs: noon - 3_600_000, untilMs: noon };
  const records = [
    { ts: noon, v: 1 },
    { ts: "2026-01-01T10:59Z", v: 2 },
    { ts: noon + 1, v: 3 },
    { ts: "?", v: 4 },
  ];
  const dataset = datasetOf(records, { period });
  assert.deepEqual([dataset.rows, dataset.outside, dataset.undated], [1, 2, 1]);
  assert.deepEqual([dataset.timestampField, [...dataset.features.keys()]], ["ts", ["v"]]);
  const nested = datasetOf([{ meta: { at: noon }, v: 1 }], { period, timestampField: "meta.at" });
  assert.deepEqual([nested.rows, [...nested.features.keys()]], [1, ["v"]]);
});

test("what was kept and read again says the same", () => {
  const records = Array.from({ length: 500 }, (_, n) => ({
    n,
    word: `w${n % 7}`,
    maybe: n % 3 === 0 ? null : true,
  }));
  const dataset = datasetOf(records);
  const again = Dataset.from(JSON.parse(JSON.stringify(dataset.state())) as never, plain);
  assert.deepEqual(again.state(), dataset.state());
  assert.deepEqual([again.rows, again.features.get("n")?.mean], [500, 249.5]);
});
