import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Bench } from "../../../../handlers/process/harness.cases.ts";
import { chunkOf, processorCall, rowsOf } from "../../port/processor.cases.ts";
import { customCases } from "./custom.cases.ts";
import { custom } from "./custom.ts";

customCases("node", "./work.ts", false);

/** What becomes of records that a function of this source gets. */
async function ran(t: TestContext, source: string, lines: readonly string[], config = {}) {
  const here = new Bench(t);
  here.script("f.ts", source);
  const { call, printed } = processorCall(here.folder);
  const processor = await custom.open({ function: "./f.ts:f", ...config }, call);
  t.after(() => processor.close());
  const { results, errors } = rowsOf(await processor.run(chunkOf(lines)));
  const outputs = results.map(({ record_id, output }) => [record_id, output]);
  return { outputs, errors: errors.map(({ record_id, error }) => [record_id, error]), printed };
}

const lines = ["a", "b", "c", "d"].map((record_id) => JSON.stringify({ record_id }));

test("outputs that are no JSON fail their records, with the reason", async (t) => {
  const source = `export const f = ({ record_id }: { record_id: string }) =>
    ({ a: undefined, b: 1n, c: Number.NaN, d: { toJSON: () => [1] } })[record_id];`;
  const { outputs, errors } = await ran(t, source, lines);
  assert.deepEqual(outputs, [["d", [1]]]);
  assert.deepEqual(errors, [
    ["a", { class: "invalid_output", message: "undefined, expected JSON" }],
    ["b", { class: "invalid_output", message: "no JSON: TypeError: Do not know how to serialize a BigInt" }],
    ["c", { class: "invalid_output", message: "NaN, expected JSON" }],
  ]);
});

test("whatever is thrown is a reason", async (t) => {
  const source = `export async function f({ record_id }: { record_id: string }) {
    if (record_id === "a") throw new TypeError("bad a");
    if (record_id === "b") throw "only words";
    if (record_id === "c") throw { toString() { throw 1; } };
    return new Error("returned");
  }`;
  const { errors } = await ran(t, source, lines);
  assert.deepEqual(errors, [
    ["a", { class: "thrown", message: "TypeError: bad a" }],
    ["b", { class: "thrown", message: "only words" }],
    ["c", { class: "thrown", message: "it threw a value that cannot be shown" }],
    ["d", { class: "thrown", message: "Error: returned" }],
  ]);
});

test("a call for many that fails is made again for fewer, with the records as they were", async (t) => {
  const source = `export function f(records: { record_id: string; seen?: true }[]) {
    return records.map((record) => {
      if (record.seen) throw new Error("seen before");
      record.seen = true;
      if (record.record_id === "c") throw new Error("not c");
      return record.record_id;
    });
  }`;
  const { outputs, errors } = await ran(t, source, ["{", ...lines, "[]"], { mode: "chunk" });
  assert.deepEqual(
    outputs,
    ["a", "b", "d"].map((id) => [id, id]),
  );
  assert.deepEqual(
    errors.map(([id]) => id),
    [1, "c", 6],
  );
});

test("a list of the wrong length fails the records it was for", async (t) => {
  const source = "export const f = () => [1, 2];";
  const { errors } = await ran(t, source, lines.slice(0, 1), { mode: "chunk" });
  assert.deepEqual(errors, [["a", { class: "invalid_output", message: "2 outputs for 1 records" }]]);
});

test("a package, an exported default and a CommonJS module", async (t) => {
  const source = "export default () => 1;";
  assert.deepEqual((await ran(t, source, lines.slice(0, 1), { function: "./f.ts:default" })).outputs, [
    ["a", 1],
  ]);
  const here = new Bench(t);
  here.script("c.cjs", "const name = 'f'; module.exports = { [name]: () => 2 };");
  for (const [module, output] of [
    ["c.cjs", 2],
    [
      join(import.meta.dirname, "..", "..", "..", "..", "..", "node_modules", "yaml", "dist", "index.js"),
      "{ record_id: a }\n",
    ],
  ] as const) {
    const { call } = processorCall(here.folder);
    const name = output === 2 ? "f" : "stringify";
    const processor = await custom.open({ function: `${module}:${name}` }, call);
    t.after(() => processor.close());
    const { results } = rowsOf(await processor.run(chunkOf(lines.slice(0, 1))));
    assert.equal(typeof results[0]?.output, typeof output);
  }
  const { call } = processorCall(join(import.meta.dirname, "..", "..", "..", "..", ".."));
  const processor = await custom.open({ function: "yaml:stringify" }, call);
  t.after(() => processor.close());
  const { results } = rowsOf(await processor.run(chunkOf(lines.slice(0, 1))));
  assert.deepEqual(results, [{ record_id: "a", output: "record_id: a\n" }]);
});

test("a module that cannot be imported fails the opening, and its stack is in the log", async (t) => {
  const here = new Bench(t);
  here.script("f.ts", 'throw new Error("no licence");');
  const { call, printed } = processorCall(here.folder);
  await assert.rejects(custom.open({ function: "./f.ts:f" }, call), {
    code: "SWARM_BATCH_START_FAILED",
    message: 'no worker of processor "custom" can be used: no licence',
  });
  assert.match(printed(), /f\.ts:1/);
});
