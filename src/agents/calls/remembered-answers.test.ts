import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Judged, RememberedAnswers } from "./native-calls.ts";

const answer = { stdout: "", stderr: "", exitCode: 0 };

/** Answers, with how often calls were judged so far. */
function opened() {
  const answers = new RememberedAnswers();
  let judged = 0;
  const judge = async (): Promise<Judged> => ({ ...answer, exitCode: judged++ });
  const others = async (count: number) => {
    for (let other = 0; other < count; other++) await answers.once(`other ${judged}`, judge);
  };
  const ask = async () => ((await answers.once("call", judge)) as typeof answer).exitCode;
  return { answers, others, ask };
}

suite("an answer that is remembered", () => {
  test("is known after 9,999 other calls, and no longer after 20,000", async () => {
    const { others, ask } = opened();
    await others(5_000);
    const first = await ask();
    await others(9_999);
    assert.equal(await ask(), first);
    await others(10_001);
    assert.notEqual(await ask(), first);
  });

  test("is known for a minute, whenever the generations turn", async (t) => {
    let nowMs = 1_000;
    t.mock.method(performance, "now", () => nowMs);
    const { others, ask } = opened();
    nowMs += 50_000;
    const first = await ask();
    nowMs += 59_000;
    await others(3);
    assert.equal(await ask(), first);
    nowMs += 1_001;
    const second = await ask();
    assert.notEqual(second, first);
    nowMs += 59_999;
    await others(3);
    assert.equal(await ask(), second);
  });

  test("is not kept where a person is asked, however many calls came meanwhile", async () => {
    const { answers, others, ask } = opened();
    const { promise, resolve } = Promise.withResolvers<Judged>();
    const asked = answers.once("call", () => promise);
    await others(10_001);
    resolve({ ...answer, exitCode: -1, isProvisional: true });
    assert.deepEqual(await asked, { ...answer, exitCode: -1, isProvisional: true });
    assert.notEqual(await ask(), -1);
  });
});
