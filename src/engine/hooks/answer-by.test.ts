import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { manualClock } from "../testing/manual-clock.ts";
import { createHooks } from "./create-hooks.ts";

const call = { tool_name: "Bash", tool_input: {} };
const never = () => new Promise<undefined>(() => undefined);

suite("an event that must be answered by a moment", () => {
  test("is answered by then with the failure policy of whoever is still at work", async () => {
    const clock = manualClock();
    const hooks = createHooks({ clock, trace: true, log: { warn: () => undefined } });
    hooks.on("tool.before", { name: "slow", mode: "guard", onFailure: "deny", timeoutMs: 600_000 }, never);
    const outcome = hooks.emit("tool.before", call, { answerByMs: clock.monotonicMs() + 1_000 });
    await clock.advance(2_000);
    const { decision, handlers } = await outcome;
    assert.deepEqual([decision.verdict, handlers[0]?.status], ["deny", "timed_out"]);
    assert.match(decision.reason ?? "", /slow did not answer within 1000 ms/);
  });

  test("leaves hooks in series what the ones before have left of it", async () => {
    const clock = manualClock();
    const hooks = createHooks({ clock, trace: true, log: { warn: () => undefined } });
    hooks.on("tool.before", { name: "first", timeoutMs: 600 }, never);
    hooks.on("tool.before", { name: "second", timeoutMs: 600_000 }, never);
    const outcome = hooks.emit("tool.before", call, { answerByMs: clock.monotonicMs() + 1_000 });
    await clock.advance(2_000);
    const { handlers } = await outcome;
    assert.deepEqual(
      handlers.map(({ status }) => status),
      ["timed_out", "timed_out"],
    );
    assert.match(handlers[1]?.reason ?? "", /within [1-4]\d\d ms/);
  });

  test("keeps the shorter deadline of a hook", async () => {
    const clock = manualClock();
    const hooks = createHooks({ clock, trace: true, log: { warn: () => undefined } });
    hooks.on("tool.before", { name: "quick", timeoutMs: 200 }, never);
    const outcome = hooks.emit("tool.before", call, { answerByMs: clock.monotonicMs() + 60_000 });
    await clock.advance(1_000);
    assert.match((await outcome).handlers[0]?.reason ?? "", /within 200 ms/);
  });
});
