import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Outcome } from "../events/outcome.ts";
import { openHooks } from "./create-hooks.ts";
import type { HandlerFunction } from "./handler.ts";

/** What a handler of any kind can be told to do; a kind says how it does each. */
export interface HandlerBehaviours {
  readonly silent: HandlerFunction;
  readonly allow: HandlerFunction;
  /** Denies with the reason "no". */
  readonly deny: HandlerFunction;
  /** Replaces `tool_input` by `{ command: "true" }`. */
  readonly rewrite: HandlerFunction;
  /** Adds the context "mind the gap". */
  readonly context: HandlerFunction;
  readonly fail: HandlerFunction;
  readonly garbage: HandlerFunction;
  readonly hang: HandlerFunction;
}

const call = { tool_name: "Bash", tool_input: { command: "ls" } };

/** The suite every kind of handler runs in full: whatever does the work, the engine's promises hold. */
export function handlerCases(kind: string, make: (t: TestContext) => HandlerBehaviours): void {
  const run = async (
    t: TestContext,
    what: keyof HandlerBehaviours,
    options: object = {},
  ): Promise<Outcome> => {
    const { hooks, register } = openHooks({ trace: true, log: { warn: () => undefined } });
    t.after(() => hooks.close());
    register("tool.before", { name: "it", ...options }, make(t)[what], kind);
    return hooks.emit("tool.before", call);
  };

  suite(`a handler of kind ${kind}`, () => {
    test("that says nothing changes nothing", async (t) => {
      const { decision, data } = await run(t, "silent");
      assert.deepEqual([decision.verdict, data], ["none", call]);
    });

    test("can allow", async (t) => {
      assert.equal((await run(t, "allow")).decision.verdict, "allow");
    });

    test("can deny, with its reason", async (t) => {
      const { decision, handlers } = await run(t, "deny");
      assert.deepEqual([decision.verdict, decision.reason, decision.hook], ["deny", "no", "it"]);
      assert.deepEqual([handlers[0]?.kind, handlers[0]?.status], [kind, "denied"]);
    });

    test("can rewrite", async (t) => {
      assert.deepEqual((await run(t, "rewrite")).data, { ...call, tool_input: { command: "true" } });
    });

    test("can add context", async (t) => {
      assert.deepEqual((await run(t, "context")).decision.context, ["mind the gap"]);
    });

    test("cannot rewrite as a guard", async (t) => {
      const { data, decision } = await run(t, "rewrite", { mode: "guard", onFailure: "deny" });
      assert.deepEqual([decision.verdict, data], ["deny", call]);
    });

    for (const what of ["fail", "garbage", "hang"] as const) {
      const status = what === "hang" ? "timed_out" : "failed";
      const timeoutMs = what === "hang" ? 50 : 30_000;

      test(`lets the action pass when it ends in ${what} and says nothing else`, async (t) => {
        const { decision, handlers } = await run(t, what, { timeoutMs });
        assert.deepEqual([decision.verdict, handlers[0]?.status], ["none", status]);
      });

      test(`denies when it ends in ${what} and was asked to deny then`, async (t) => {
        const { decision, handlers } = await run(t, what, { timeoutMs, mode: "guard", onFailure: "deny" });
        assert.deepEqual([decision.verdict, handlers[0]?.status], ["deny", status]);
        assert.match(decision.reason ?? "", /; this hook denies when it fails$/);
      });
    }
  });
}
