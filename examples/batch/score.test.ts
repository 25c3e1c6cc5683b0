import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { processorCall, rowsOf } from "../../src/operations/batch/port/processor.cases.ts";
import { custom } from "../../src/operations/batch/processors/custom/custom.ts";
import { pythonOnly } from "../../src/operations/batch/processors/harness.cases.ts";

const folder = import.meta.dirname;
const lines = readFileSync(join(folder, "transactions.jsonl"));

for (const [language, config, skip] of [
  ["TypeScript", { function: "./score.ts:score" }, false],
  ["Python", { function: "score:score_all", mode: "chunk" }, pythonOnly],
] as const) {
  test(`payments are scored by the function in ${language}, and the one without an amount is an error`, {
    skip,
  }, async (t) => {
    const { call } = processorCall(folder);
    const processor = await custom.open(config, call);
    t.after(() => processor.close());
    const { results, errors } = rowsOf(await processor.run({ firstLine: 1, lineCount: 4, lines }));
    assert.deepEqual(results, [
      { record_id: "t1", output: { risk: 0.012 } },
      { record_id: "t2", output: { risk: 0.8 } },
      { record_id: "t4", output: { risk: 1 } },
    ]);
    assert.deepEqual(
      errors.map(({ record_id, line }) => [record_id, line]),
      [["t3", 3]],
    );
  });
}
