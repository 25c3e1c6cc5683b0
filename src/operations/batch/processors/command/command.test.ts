import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../../../../handlers/process/harness.cases.ts";
import { chunkOf, processorCall, processorCases, rowsOf } from "../../port/processor.cases.ts";
import { command } from "./command.ts";

/** Answers each line with its `n`, and does what a line's `do` says. */
const program = `
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const record = JSON.parse(line);
  if (record.do === "throw") console.log("no JSON");
  else if (record.do === "twice") console.log("1\\n2");
  else if (record.do === "late") console.log("1"), setTimeout(() => console.log("2"), 50);
  else if (record.do === "skip") continue;
  else if (record.do === "stay") for (;;);
  else if (record.do === "other") console.log('{"record_id":"another"}');
  else if (record.do === "crash") process.kill(process.pid, "SIGKILL");
  else if (record.do === "exit") process.exit(3);
  else {
    if (record.do === "print") console.error("hello");
    console.log(JSON.stringify({ n: record.n }));
  }
}`;

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "swarm-command-")));
  writeFileSync(join(made, "answer.mjs"), program);
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

const obeys = { command: [process.execPath, "answer.mjs"] };

processorCases({
  name: "command",
  kind: () => command,
  folder,
  works: { command: "exec cat" },
  obeys,
  refused: [
    [{ command: "" }, "command"],
    [{ command: [] }, "command"],
    [{ command: ["", "x"] }, "command"],
    [{ command: ["cat", 1] }, "command"],
    [{ command: { cat: true } }, "command"],
    [{ command: "a\0b" }, "command"],
    [{ command: "x".repeat(40_000) }, "command"],
  ],
  unusable: [
    [{ command: ["./nowhere"] }, "SWARM_BATCH_START_FAILED"],
    [{ command: "cat (" }, "SWARM_BATCH_START_FAILED"],
  ],
});

async function opened(t: TestContext, config = obeys, recordTimeoutMs = 600_000) {
  const { call, printed } = processorCall(folder(t), { recordTimeoutMs });
  const processor = await command.open(config, call);
  t.after(() => processor.close());
  return { processor, printed };
}

test("a program that ends before it was given anything is told with what it said", async (t) => {
  await assert.rejects(opened(t, { command: ["sh", "-c", "echo usage >&2; exit 64"] }), {
    code: "SWARM_BATCH_START_FAILED",
    message:
      'no worker of processor "command" can be used: the program ended with exit code 64 before it was given a record: usage',
  });
});

for (const [what, how] of [
  ["twice", "more lines than it was given records"],
  ["other", 'its answer to record "r1" is that to another'],
  ["exit", "ended with exit code 3"],
] as const) {
  test(`a program whose answers cannot be trusted any more is started anew: ${what}`, async (t) => {
    const { processor } = await opened(t);
    await assert.rejects(processor.run(chunkOf([`{"record_id":"r1","do":"${what}"}`])), (error: Error) => {
      assert.equal((error as Error & { code: string }).code, "SWARM_BATCH_WORKER_LOST");
      assert.ok(error.message.includes(how), error.message);
      return true;
    });
    const { results } = rowsOf(await processor.run(chunkOf(['{"record_id":"r2","n":7}'])));
    assert.deepEqual(results, [{ record_id: "r2", output: { n: 7 } }]);
  });
}

test("answers that may have been other records' fail the run, not one of them", async (t) => {
  const { processor, printed } = await opened(t);
  await processor.run(chunkOf(['{"record_id":"r1","do":"late"}']));
  await eventually(() => (printed().includes("more lines") ? true : null), "the second line never came");
  await assert.rejects(processor.run(chunkOf(['{"record_id":"r2","n":1}'])), {
    code: "SWARM_BATCH_START_FAILED",
    message: /not to be trusted/,
  });
});

test("a program that leaves a line out never answers one record with another's", async (t) => {
  const { processor } = await opened(t, obeys, 1_000);
  const lines = [1, 2, 3, 4].map((n) => JSON.stringify({ record_id: n, n, ...(n === 2 && { do: "skip" }) }));
  const { results, errors } = rowsOf(await processor.run(chunkOf(lines)));
  assert.deepEqual(
    results,
    [1, 3, 4].map((n) => ({ record_id: n, output: { n } })),
  );
  assert.deepEqual(errors, [
    { record_id: 2, line: 2, error: { class: "timeout", message: "it took longer than 1 s" } },
  ]);
});

test("what is no JSON fails its record, and the next answer is the next record's", async (t) => {
  const { processor } = await opened(t);
  const lines = ['{"record_id":"a","do":"throw"}', '{"record_id":"b","n":2}'];
  const { results, errors } = rowsOf(await processor.run(chunkOf(lines)));
  assert.deepEqual(results, [{ record_id: "b", output: { n: 2 } }]);
  const message = '"no JSON", expected a line of JSON';
  assert.deepEqual(errors, [{ record_id: "a", line: 1, error: { class: "invalid_output", message } }]);
});

test("answers are taken over as they are written", async (t) => {
  const line = `while read -r line; do echo '{"b":1.0,"a":12345678901234567890}'; echo; done`;
  const { processor } = await opened(t, { command: line as unknown as string[] });
  const { results } = await processor.run(chunkOf(['{"record_id":"a"}', '{"record_id":"b"}']));
  assert.equal(
    String(results),
    ["a", "b"].map((id) => `{"record_id":"${id}","output":{"b":1.0,"a":12345678901234567890}}\n`).join(""),
  );
});

test("one chunk takes more than a pipe holds, both ways", async (t) => {
  const { processor } = await opened(t, { command: ["cat"] });
  const pad = "x".repeat(1_000);
  const lines = Array.from({ length: 5_000 }, (_, n) => JSON.stringify({ record_id: n, pad }));
  assert.equal((await processor.run(chunkOf(lines))).doneCount, 5_000);
});
