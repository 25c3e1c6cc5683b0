import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Bench } from "../../../../handlers/process/harness.cases.ts";
import { chunkOf, processorCall, rowsOf } from "../../port/processor.cases.ts";
import { pythonOnly } from "../harness.cases.ts";
import { customCases } from "./custom.cases.ts";
import { custom } from "./custom.ts";

const skip = pythonOnly;
customCases("python", "work.py", skip);

async function ran(t: TestContext, source: string, lines: readonly string[], config = {}) {
  const here = new Bench(t);
  here.script("f.py", source);
  here.script("neighbour.py", "value = 7\n");
  const { call, printed } = processorCall(here.folder);
  const processor = await custom.open({ function: "f:f", ...config }, call);
  t.after(() => processor.close());
  const { results, errors } = rowsOf(await processor.run(chunkOf(lines)));
  const outputs = results.map(({ record_id, output }) => [record_id, output]);
  return { outputs, errors: errors.map(({ record_id, error }) => [record_id, error]), printed };
}

const lines = ["a", "b", "c", "d"].map((record_id) => JSON.stringify({ record_id }));

test("outputs that are no JSON fail their records, with the reason; numbers of other libraries are plain", {
  skip,
}, async (t) => {
  const source = `
class Scalar:
    def item(self): return 1.5
class Array:
    def tolist(self): return [1, 2]
def f(record):
    return {"a": float("nan"), "b": {1, 2}, "c": [Scalar(), Array()], "d": "\\ud800 \u00e9"}[record["record_id"]]
`;
  const { outputs, errors } = await ran(t, source, lines);
  assert.deepEqual(outputs, [
    ["c", [1.5, [1, 2]]],
    ["d", "\ud800 é"],
  ]);
  assert.deepEqual(
    errors.map(([id, error]) => [id, (error as { class: string }).class]),
    [
      ["a", "invalid_output"],
      ["b", "invalid_output"],
    ],
  );
});

test("a module finds its neighbours, by name or by path", { skip }, async (t) => {
  const source = "import neighbour\ndef f(record): return neighbour.value\n";
  for (const name of ["f:f", "./f.py:f"]) {
    assert.deepEqual((await ran(t, source, lines.slice(0, 1), { function: name })).outputs, [["a", 7]]);
  }
});

test("a module of the installation is found without a file", { skip }, async (t) => {
  const { outputs } = await ran(t, "", ['{"x": 1}'], { function: "json:dumps" });
  assert.deepEqual(outputs, [[1, '{"x": 1}']]);
});

test("a call for many that fails is made again for fewer, with the records as they were", {
  skip,
}, async (t) => {
  const source = `
def f(records):
    for record in records:
        if record.get("seen"): raise ValueError("seen before")
        record["seen"] = True
        if record["record_id"] == "c": raise ValueError("not c")
    return [record["record_id"] for record in records]
`;
  const { outputs, errors } = await ran(t, source, ["{", ...lines, "[]"], { mode: "chunk" });
  assert.deepEqual(
    outputs,
    ["a", "b", "d"].map((id) => [id, id]),
  );
  assert.deepEqual(errors[1], ["c", { class: "thrown", message: "ValueError: not c" }]);
});

test("a list of the wrong length, and what is no list, fail the records they were for", {
  skip,
}, async (t) => {
  for (const [output, message] of [
    ["[1, 2]", "2 outputs for 1 records"],
    ["'x'", "a value of type str for 1 records"],
    ["None", "a value of type NoneType for 1 records"],
  ]) {
    const { errors } = await ran(t, `def f(records): return ${output}`, lines.slice(0, 1), { mode: "chunk" });
    assert.deepEqual(errors, [["a", { class: "invalid_output", message }]]);
  }
});

test("numbers and nesting that JSON has no room for fail as text does", { skip }, async (t) => {
  const given = ['{"x":NaN}', `{"x":${"[".repeat(100_000)}`, '{"x":Infinity}', '{"x":1}'];
  const { outputs, errors } = await ran(t, "def f(record): return 1", given);
  assert.deepEqual([outputs, errors.map(([id]) => id)], [[[4, 1]], [1, 2, 3]]);
});

test("nothing is written beside our own programs", { skip }, async (t) => {
  await ran(t, "def f(record): return 1", lines);
  const folder = join(import.meta.dirname, "..", "..", "..", "..", "..", "python");
  assert.deepEqual(
    readdirSync(folder).filter((name) => !name.endsWith(".py")),
    [],
  );
});
