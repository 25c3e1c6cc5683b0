import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  type AnyEventName,
  allow,
  ask,
  context,
  defer,
  deny,
  type Payload,
  rewrite,
  stop,
  type Verdict,
} from "../../index.ts";
import { atOnce, bash, noDecision, record, settled, startEngine, turn, written } from "./harness.cases.ts";

suite("transforms", () => {
  test("run by descending priority, first registered first among equals", (t) => {
    const { hooks } = startEngine(t);
    const ran: string[] = [];
    const add = (name: string, priority?: number) =>
      hooks.on(
        "tool.before",
        { name, ...(priority === undefined ? {} : { priority }) },
        () => void ran.push(name),
      );
    add("default 1");
    add("low", -1);
    add("high 1", 10);
    add("default 2", 0);
    add("half", 0.5);
    add("high 2", 10);
    hooks.emit("tool.before", bash);
    assert.deepEqual(ran, ["high 1", "high 2", "half", "default 1", "default 2", "low"]);
  });

  test("each sees the rewrites before it, whether they came at once or later", async (t) => {
    const { hooks } = startEngine(t);
    const seen: unknown[] = [];
    const append = (letter: string, isAsync: boolean) => {
      const answer = (data: Payload<"tool.before">) => {
        seen.push(data.tool_input.command);
        return rewrite({ tool_input: { command: `${data.tool_input.command}${letter}` } });
      };
      hooks.on("tool.before", isAsync ? async (data) => answer(data) : answer);
    };
    append("a", false);
    append("b", true);
    append("c", false);
    append("d", true);
    const outcome = await hooks.emit("tool.before", { tool_name: "bash", tool_input: { command: "" } });
    assert.deepEqual(seen, ["", "a", "ab", "abc"]);
    assert.deepEqual(outcome.data, { tool_name: "bash", tool_input: { command: "abcd" } });
  });

  test("wait for the one before", async (t) => {
    const { hooks, clock } = startEngine(t);
    const steps: string[] = [];
    for (const name of ["first", "second"]) {
      hooks.on("tool.before", { name }, async () => {
        steps.push(`${name} starts`);
        await new Promise<void>((resolve) => clock.setTimer(resolve, 10));
        steps.push(`${name} ends`);
      });
    }
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(20);
    await settled(emitted);
    assert.deepEqual(steps, ["first starts", "first ends", "second starts", "second ends"]);
  });

  test("a condition on an argument is judged on what earlier rewrites made of it", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", () => rewrite({ tool_input: { command: "rm -rf /" } }));
    hooks.on("tool.before", { name: "no-rm", when: { args: { command: "rm *" } } }, () => deny("no rm"));
    assert.equal(atOnce(hooks.emit("tool.before", bash)).decision.hook, "no-rm");
  });
});

suite("guards", () => {
  test("judge the payload after all transforms, whatever their priority", async (t) => {
    const { hooks } = startEngine(t);
    const judged: unknown[] = [];
    hooks.on("tool.before", { mode: "guard", priority: 1_000 }, (data) => void judged.push(data.tool_input));
    hooks.on("tool.before", { mode: "guard" }, async (data) => void judged.push(data.tool_input));
    hooks.on("tool.before", { priority: -1_000 }, async () => rewrite({ tool_input: { command: "final" } }));
    hooks.on("tool.before", () => rewrite({ tool_input: { command: "draft" } }));
    await hooks.emit("tool.before", bash);
    assert.deepEqual(judged, [{ command: "final" }, { command: "final" }]);
  });

  test("are all at work together", async (t) => {
    const { hooks, clock } = startEngine(t);
    let atWork = 0;
    let most = 0;
    for (let guard = 0; guard < 5; guard++) {
      hooks.on("tool.before", { mode: "guard" }, async () => {
        most = Math.max(most, ++atWork);
        await new Promise<void>((resolve) => clock.setTimer(resolve, 10));
        atWork--;
      });
    }
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(10);
    await settled(emitted);
    assert.equal(most, 5);
  });

  const rewrites = {
    "rewrite()": () => rewrite({ tool_input: { command: "rm" } }),
    "a plain rewrite": () => ({ rewrite: { tool_input: { command: "rm" } } }),
    "a mutation": () => ({ carry_on: true, mutation: { arguments: { command: "rm" } } }),
    "a late rewrite": async () => rewrite({ tool_input: { command: "rm" } }),
  };
  for (const [what, answer] of Object.entries(rewrites)) {
    test(`cannot rewrite: ${what} fails and changes nothing`, async (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      hooks.on("tool.before", { name: "judge", mode: "guard" }, answer as never);
      const outcome = await hooks.emit("tool.before", bash);
      const reason = 'hook judge rewrote "tool_input" of tool.before, expected nothing, it is a guard';
      assert.deepEqual(written(outcome), {
        event: "tool.before",
        decision: noDecision,
        data: bash,
        handlers: [record("judge", { mode: "guard", status: "failed", reason })],
      });
      assert.deepEqual(
        warnings.map(({ fields }) => fields.code),
        ["SWARM_REWRITE_ILLEGAL"],
      );
    });
  }

  test("can deny, ask and add context", async (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", { name: "asks", mode: "guard" }, async () => ask("sure?"));
    hooks.on("tool.before", { mode: "guard" }, () => context("be careful"));
    assert.deepEqual((await hooks.emit("tool.before", bash)).decision, {
      verdict: "ask",
      reason: "sure?",
      hook: "asks",
      context: ["be careful"],
      stop: null,
    });
  });
});

suite("observers", () => {
  test("run after the outcome is there, on the final payload", async (t) => {
    const { hooks } = startEngine(t);
    const seen: unknown[] = [];
    hooks.on("tool.before", { mode: "observe", priority: 9 }, (data) => void seen.push(data));
    hooks.on("tool.before", () => rewrite({ tool_input: { command: "true" } }));
    const outcome = atOnce(hooks.emit("tool.before", bash));
    assert.deepEqual(seen, []);
    await turn();
    assert.deepEqual(seen, [outcome.data]);
    assert.deepEqual(outcome.data, { tool_name: "bash", tool_input: { command: "true" } });
  });

  test("have not run yet when an awaited outcome arrives", async (t) => {
    const { hooks } = startEngine(t);
    const steps: string[] = [];
    hooks.on("tool.before", async () => allow());
    hooks.on("tool.before", { mode: "observe" }, () => void steps.push("observed"));
    await hooks.emit("tool.before", bash);
    steps.push("decided");
    await turn();
    assert.deepEqual(steps, ["decided", "observed"]);
  });

  test("do not delay the outcome, however long they take", async (t) => {
    const { hooks, clock } = startEngine(t);
    const finished: string[] = [];
    hooks.on("tool.before", { mode: "observe", timeoutMs: 500 }, async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 100));
      finished.push("observer");
    });
    atOnce(hooks.emit("tool.before", bash));
    await turn();
    assert.deepEqual(finished, []);
    await clock.advance(100);
    assert.deepEqual(finished, ["observer"]);
  });

  test("run in their order, and a broken one does not keep the next from running", async (t) => {
    const { hooks } = startEngine(t);
    const ran: string[] = [];
    hooks.on("tool.before", { name: "second", mode: "observe" }, () => {
      ran.push("second");
      throw new Error("boom");
    });
    hooks.on("tool.before", { name: "third", mode: "observe" }, () => void ran.push("third"));
    hooks.on("tool.before", { name: "first", mode: "observe", priority: 1 }, () => void ran.push("first"));
    hooks.emit("tool.before", bash);
    await turn();
    assert.deepEqual(ran, ["first", "second", "third"]);
  });

  test("are told of a denied action only with onDenied", async (t) => {
    const { hooks } = startEngine(t);
    const told: string[] = [];
    hooks.on("tool.before", { match: "bash" }, () => deny("no"));
    hooks.on("tool.before", { mode: "observe" }, (data) => void told.push(`plain ${data.tool_name}`));
    hooks.on(
      "tool.before",
      { mode: "observe", onDenied: true },
      (data) => void told.push(`onDenied ${data.tool_name}`),
    );
    hooks.emit("tool.before", bash);
    hooks.emit("tool.before", { ...bash, tool_name: "read_file" });
    await turn();
    assert.deepEqual(told, ["onDenied bash", "plain read_file", "onDenied read_file"]);
  });

  const answers = {
    "deny()": () => deny("too late"),
    "allow()": () => allow(),
    "rewrite()": () => rewrite({ tool_input: {} }),
    "context()": () => context("psst"),
    "a late deny()": async () => deny("too late"),
    "{ verdict }": () => ({ verdict: "deny" }),
    "{ carry_on }": () => ({ carry_on: false }),
    "{ rewrite }": () => ({ rewrite: { tool_input: {} } }),
    "{ mutation }": () => ({ mutation: { arguments: {} } }),
  };
  for (const [what, answer] of Object.entries(answers)) {
    test(`change nothing by answering, and are told so: ${what}`, async (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      hooks.on("tool.before", { name: "watch", mode: "observe" }, answer);
      const outcome = atOnce(hooks.emit("tool.before", bash));
      await turn();
      await turn();
      assert.deepEqual(outcome.decision, noDecision);
      assert.equal(outcome.data, bash);
      assert.deepEqual(
        outcome.handlers.map(({ name, status, verdict }) => ({ name, status, verdict })),
        [{ name: "watch", status: "failed", verdict: "none" }],
      );
      assert.equal(warnings.length, 1);
      assert.match(warnings[0]?.message ?? "", /^hook watch /);
    });
  }

  test("may return anything that is no answer", async (t) => {
    const { hooks, warnings } = startEngine(t, { trace: true });
    for (const value of [42, "x", null, [], { status: 200 }]) {
      hooks.on("tool.before", { mode: "observe" }, () => value);
    }
    const outcome = atOnce(hooks.emit("tool.before", bash));
    await turn();
    assert.deepEqual([...new Set(outcome.handlers.map(({ status }) => status))], ["completed"]);
    assert.deepEqual(warnings, []);
  });

  test("removed before they could run are not called", async (t) => {
    const { hooks } = startEngine(t, { trace: true });
    const undo = hooks.on("tool.before", { name: "watch", mode: "observe" }, () => assert.fail("removed"));
    const outcome = atOnce(hooks.emit("tool.before", bash));
    undo();
    await turn();
    assert.deepEqual(outcome.handlers, [
      record("watch", {
        mode: "observe",
        status: "skipped",
        reason: "it was removed before it could be called",
      }),
    ]);
  });
});

suite("the strictest verdict wins", () => {
  const byStrictness = ["none", "allow", "ask", "defer", "deny"] as const satisfies Verdict[];
  const answers = {
    none: () => undefined,
    allow: () => allow("allow it"),
    ask: () => ask("ask it"),
    defer: () => defer("defer it"),
    deny: () => deny("deny it"),
  };
  const pairs = byStrictness.flatMap((first) => byStrictness.map((second) => [first, second] as const));
  for (const mode of ["transform", "guard"] as const) {
    for (const timing of ["at once", "later", "later, in reverse"] as const) {
      if (mode === "transform" && timing === "later, in reverse") continue;
      test(`of two ${mode}s that answer ${timing}, in every pair`, async (t) => {
        for (const [first, second] of pairs) {
          const { hooks, clock } = startEngine(t);
          const add = (name: string, verdict: Verdict, delayMs: number) =>
            hooks.on("tool.before", { name, mode }, () => {
              if (timing === "at once") return answers[verdict]();
              return new Promise<ReturnType<(typeof answers)[Verdict]>>((resolve) => {
                clock.setTimer(() => resolve(answers[verdict]()), delayMs);
              });
            });
          add("first", first, timing === "later, in reverse" ? 2 : 1);
          add("second", second, timing === "later, in reverse" ? 1 : 2);
          const emitted = hooks.emit("tool.before", bash);
          await clock.advance(5);
          const { decision } = await settled(emitted);
          const isSecond = byStrictness.indexOf(second) > byStrictness.indexOf(first);
          const strictest = isSecond ? second : first;
          assert.equal(decision.verdict, strictest, `${first} and ${second}`);
          if (strictest === "none") assert.deepEqual(decision, noDecision);
          else {
            assert.equal(decision.reason, `${strictest} it`);
            if (first !== second) assert.equal(decision.hook, isSecond ? "second" : "first");
          }
          await settled(hooks.close());
        }
      });
    }
  }

  test("between a transform and a guard as well", async (t) => {
    for (const [transform, guard] of pairs) {
      const { hooks } = startEngine(t);
      hooks.on("tool.before", { name: "guard", mode: "guard" }, async () => answers[guard]());
      hooks.on("tool.before", { name: "transform" }, () => answers[transform]());
      const { decision } = await settled(hooks.emit("tool.before", bash));
      const strictest = byStrictness.indexOf(guard) > byStrictness.indexOf(transform) ? guard : transform;
      assert.equal(decision.verdict, strictest, `${transform} and ${guard}`);
    }
  });

  test("the first of several equal verdicts is the one that is named", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", { name: "first" }, () => ask("one"));
    hooks.on("tool.before", { name: "second" }, () => ask("two"));
    const { decision } = atOnce(hooks.emit("tool.before", bash));
    assert.deepEqual(decision, { ...noDecision, verdict: "ask", reason: "one", hook: "first" });
  });

  test("{ verdict: 'none' } is no opinion", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", () => ({ verdict: "none" }));
    assert.deepEqual(atOnce(hooks.emit("tool.before", bash)).decision, noDecision);
  });
});

suite("a denial", () => {
  test("ends the chain: no later handler is called", async (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", { name: "no" }, async () => deny("because"));
    hooks.on("tool.before", () => assert.fail("must not be called"));
    hooks.on("tool.before", { mode: "guard" }, () => assert.fail("must not be called"));
    hooks.on("tool.before", { mode: "observe" }, () => assert.fail("must not be called"));
    const outcome = await settled(hooks.emit("tool.before", bash));
    await turn();
    assert.deepEqual(written(outcome), {
      event: "tool.before",
      decision: { ...noDecision, verdict: "deny", reason: "because", hook: "no" },
      data: bash,
      result: { status: "skipped_by_hook", hook: "no", reason: "because" },
      handlers: [],
    });
  });

  test("keeps the rewrites and context of the handlers before it", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", () => ({ rewrite: { tool_input: { command: "masked" } }, context: "masked it" }));
    hooks.on("tool.before", { name: "no" }, () => deny("because"));
    const outcome = atOnce(hooks.emit("tool.before", bash));
    assert.deepEqual(outcome.data.tool_input, { command: "masked" });
    assert.deepEqual(outcome.decision.context, ["masked it"]);
  });

  test("keeps its own context and stop", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", { name: "no" }, () => ({
      verdict: "deny" as const,
      reason: "because",
      context: "read the rules",
      stop: "out of budget",
    }));
    assert.deepEqual(atOnce(hooks.emit("tool.before", bash)).decision, {
      verdict: "deny",
      reason: "because",
      hook: "no",
      context: ["read the rules"],
      stop: "out of budget",
    });
  });

  const reasons: [string, () => unknown, string][] = [
    ["an empty reason", () => deny(""), "denied by hook no"],
    ["no reason", () => ({ verdict: "deny" }), "denied by hook no"],
    ["a number as its reason", () => ({ verdict: "deny", reason: 42 }), "denied by hook no"],
    ["a number as its reason, by the helper", () => deny(42 as never), "denied by hook no"],
    ["a misspelt key beside it", () => ({ verdict: "deny", reson: "x" }), "denied by hook no"],
    ["context that is no text", () => ({ verdict: "deny", reason: "x", context: 42 }), "x"],
    ["carry_on: false", () => ({ carry_on: false }), "denied by hook no"],
    ["carry_on: false and a reason", () => ({ carry_on: false, reason: "x" }), "x"],
    ["carry_on: false and a bad mutation", () => ({ carry_on: false, mutation: 42 }), "denied by hook no"],
    ["a mutation beside the verdict", () => ({ verdict: "deny", reason: "x", mutation: {} }), "x"],
    ["carry_on: true beside the verdict", () => ({ verdict: "deny", reason: "x", carry_on: true }), "x"],
  ];
  for (const [what, answer, reason] of reasons) {
    test(`with ${what} is still a denial, and has a reason`, (t) => {
      const { hooks } = startEngine(t);
      hooks.on("tool.before", { name: "no" }, answer as never);
      const outcome = atOnce(hooks.emit("tool.before", bash));
      assert.deepEqual(
        { verdict: outcome.decision.verdict, reason: outcome.decision.reason, result: outcome.result },
        { verdict: "deny", reason, result: { status: "skipped_by_hook", hook: "no", reason } },
      );
    });
  }

  test("has a result on tool.before and on no other event", async (t) => {
    const { hooks } = startEngine(t);
    const denied: [AnyEventName, object][] = [
      ["permission.request", bash],
      ["tool.after", { tool_name: "bash", tool_output: "x" }],
      ["prompt.submit", { prompt: "hi" }],
      ["task.created", { task_id: "t1" }],
      ["cron.fired", { name: "nightly", job_id: "j1" }],
    ];
    for (const [event, data] of denied) {
      hooks.on(event, () => deny("no"));
      const outcome = await hooks.emit(event, data as never);
      assert.equal(outcome.decision.verdict, "deny", event);
      assert.equal(outcome.result, undefined, event);
      assert.ok(!("result" in outcome.toJSON()), event);
    }
  });

  test("is the only verdict that has a result", (t) => {
    const { hooks } = startEngine(t);
    for (const answer of [allow(), ask(), defer()]) {
      const undo = hooks.on("tool.before", () => answer);
      assert.equal(atOnce(hooks.emit("tool.before", bash)).result, undefined);
      undo();
    }
  });
});

suite("Continue and Abort", () => {
  const events = {
    PreToolUse: { tool_name: "read_file", tool_input: {} },
    PostToolUse: { tool_name: "read_file", tool_input: {}, tool_output: "text" },
    PostToolUseFailure: { tool_name: "read_file", tool_input: {}, error: "no such file" },
    Notification: { message: "done", level: "info" },
    SubagentStart: { agent_name: "reviewer", initial_message: null },
    SubagentStop: { agent_name: "reviewer", reason: "done" },
    PreCompact: { message_count: 12, token_count: 3_400 },
    PostCompact: { message_count: 2, token_count: 500 },
    SessionStart: { session_id: "s1", resumed: false },
    SessionEnd: { session_id: "s1", reason: "logout" },
  } as const;
  for (const [name, data] of Object.entries(events)) {
    const event = name as keyof typeof events;
    test(`allow() lets ${event} pass`, async (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      hooks.on(event, { name: "goes-on" }, async () => allow());
      const outcome = await settled(hooks.emit(event, data as never));
      assert.deepEqual(outcome.decision, { ...noDecision, verdict: "allow", hook: "goes-on" });
      assert.deepEqual(outcome.handlers, [record("goes-on", { verdict: "allow" })]);
      assert.equal(outcome.data, data);
      assert.deepEqual(warnings, []);
    });

    test(`deny() aborts ${event}, and the first abort is the one that counts`, async (t) => {
      const { hooks, warnings } = startEngine(t);
      hooks.on(event, () => allow());
      hooks.on(event, { name: "aborts" }, async () => deny("blocked"));
      hooks.on(event, () => assert.fail("must not be called"));
      const outcome = await settled(hooks.emit(event, data as never));
      assert.deepEqual(outcome.decision, {
        ...noDecision,
        verdict: "deny",
        reason: "blocked",
        hook: "aborts",
      });
      assert.deepEqual(warnings, []);
    });
  }

  test("a hook past its deadline is skipped with a warning and does not abort", async (t) => {
    const { hooks, clock, warnings } = startEngine(t);
    hooks.on("PreToolUse", { name: "late", timeoutMs: 10 }, async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 10_000));
      return deny("late abort");
    });
    const emitted = hooks.emit("PreToolUse", { tool_name: "read_file", tool_input: {} });
    await clock.advance(10_000);
    assert.deepEqual((await settled(emitted)).decision, noDecision);
    assert.deepEqual(
      warnings.map(({ message }) => message),
      ["hook late did not answer within 10 ms"],
    );
  });
});

suite("rewrites", () => {
  const output = { content: "4111111111111111", status: 200, nested: { a: 1, b: 2 } };

  test("tool_output merges one level and keeps what was not named", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.after", () => rewrite({ tool_output: { content: "masked", nested: { a: 9 } } }));
    const outcome = atOnce(hooks.emit("tool.after", { tool_name: "query", tool_output: output }));
    assert.deepEqual(outcome.data, {
      tool_name: "query",
      tool_output: { content: "masked", status: 200, nested: { a: 9 } },
    });
  });

  for (const [what, before, after] of [
    ["a text over an object", output, "masked"],
    ["a list over an object", output, ["masked"]],
    ["null over an object", output, null],
    ["an object over a text", "secret", { content: "masked" }],
    ["a list over a list", [1, 2, 3], [1]],
  ] as const) {
    test(`tool_output is replaced by ${what}`, (t) => {
      const { hooks } = startEngine(t);
      hooks.on("tool.after", () => rewrite({ tool_output: after }));
      const outcome = atOnce(hooks.emit("tool.after", { tool_name: "query", tool_output: before }));
      assert.deepEqual(outcome.data.tool_output, after);
    });
  }

  test("tool_input is replaced as a whole", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", () => rewrite({ tool_input: { command: "true" } }));
    const outcome = atOnce(
      hooks.emit("tool.before", {
        tool_name: "bash",
        tool_input: { command: "rm", cwd: "/" },
        session_id: "s1",
      }),
    );
    assert.deepEqual(outcome.data, {
      tool_name: "bash",
      tool_input: { command: "true" },
      session_id: "s1",
    });
  });

  test("each event lets the fields of its row be rewritten", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("session.start", () => rewrite({ system_prompt: "be kind" }));
    hooks.on("prompt.submit", () => rewrite({ prompt: "hello" }));
    hooks.on("compaction.before", () => rewrite({ preserve: ["the goal"] }));
    hooks.on("permission.request", () => rewrite({ tool_input: {} }));
    const data = [
      atOnce(hooks.emit("session.start", { source: "startup" })).data,
      atOnce(hooks.emit("prompt.submit", { prompt: "hi" })).data,
      atOnce(hooks.emit("compaction.before", { trigger: "auto" })).data,
      atOnce(hooks.emit("permission.request", bash)).data,
    ];
    assert.deepEqual(data, [
      { source: "startup", system_prompt: "be kind" },
      { prompt: "hello" },
      { trigger: "auto", preserve: ["the goal"] },
      { tool_name: "bash", tool_input: {} },
    ]);
  });

  test("every event lets messages and context be rewritten", (t) => {
    const { hooks } = startEngine(t);
    const events: [AnyEventName, object][] = [
      ["session.end", { reason: "logout" }],
      ["tool.before", bash],
      ["model.before", {}],
      ["compaction.after", {}],
      ["task.completed", { task_id: "t1" }],
      ["hook.failed", { name: "x", event: "y", status: "failed", code: "C", error: "e" }],
    ];
    for (const [event, data] of events) {
      hooks.on(event, () => rewrite({ messages: [], context: { topic: "hooks" } }) as never);
      const outcome = atOnce(hooks.emit(event, { ...data, messages: [{ role: "user" }] } as never));
      assert.deepEqual(outcome.data, { ...data, messages: [], context: { topic: "hooks" } }, event);
    }
  });

  test("the caller's own object is never changed", async (t) => {
    const { hooks } = startEngine(t);
    const data = Object.freeze({
      tool_name: "query",
      tool_output: Object.freeze({ ...output, nested: Object.freeze({ ...output.nested }) }),
    });
    const before = structuredClone(data);
    hooks.on("tool.after", () => rewrite({ tool_output: { content: "masked" } }));
    hooks.on("tool.after", async () => rewrite({ tool_output: { extra: true }, messages: [] }));
    const outcome = await settled(hooks.emit("tool.after", data));
    assert.deepEqual(data, before);
    assert.notEqual(outcome.data, data);
    assert.deepEqual(outcome.data, {
      tool_name: "query",
      tool_output: { ...output, content: "masked", extra: true },
      messages: [],
    });
  });

  test("what a handler was given does not change under it when a later one rewrites", (t) => {
    const { hooks } = startEngine(t);
    let given: Payload<"tool.after"> | undefined;
    hooks.on("tool.after", () => rewrite({ tool_output: { content: "first" } }));
    hooks.on("tool.after", (data) => {
      given = data;
    });
    hooks.on("tool.after", () => rewrite({ tool_output: { content: "second" } }));
    hooks.emit("tool.after", { tool_name: "query", tool_output: { content: "raw" } });
    assert.deepEqual(given?.tool_output, { content: "first" });
  });

  const illegal: [string, AnyEventName, object, unknown, string][] = [
    ["another field", "tool.before", bash, { tool_name: "sh" }, 'rewrote "tool_name"'],
    ["a legal field and another", "tool.before", bash, { tool_input: {}, cwd: "/" }, 'rewrote "cwd"'],
    ["a field of another event", "tool.before", bash, { tool_output: {} }, 'rewrote "tool_output"'],
    ["a field that does not exist", "session.end", {}, { nonsense: 1 }, 'rewrote "nonsense"'],
    ["a prototype", "tool.before", bash, JSON.parse('{"__proto__": {"x": 1}}'), 'rewrote "__proto__"'],
    ["a constructor", "tool.before", bash, { constructor: {} }, 'rewrote "constructor"'],
  ];
  for (const [what, event, data, fields, problem] of illegal) {
    test(`of ${what} fail, and nothing of the answer is applied`, (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      hooks.on(
        event,
        { name: "meddles" },
        () => ({ verdict: "allow", context: "psst", rewrite: fields }) as never,
      );
      const outcome = atOnce(hooks.emit(event, data as never));
      assert.deepEqual(outcome.decision, noDecision);
      assert.equal(outcome.data, data);
      assert.equal(outcome.handlers[0]?.status, "failed");
      assert.equal(warnings[0]?.fields.code, "SWARM_REWRITE_ILLEGAL");
      const legal = event === "tool.before" ? "tool_input, messages, context" : "messages, context";
      assert.equal(warnings[0]?.message, `hook meddles ${problem} of ${event}, expected ${legal}`);
    });
  }

  test("of the wrong type fail and say what was expected", (t) => {
    const { hooks, warnings } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "meddles" }, () => rewrite({ tool_input: "rm" }) as never);
    const outcome = atOnce(hooks.emit("tool.before", bash));
    assert.equal(outcome.data, bash);
    assert.equal(warnings[0]?.fields.code, "SWARM_PAYLOAD_INVALID");
    assert.equal(warnings[0]?.message, 'tool.before: tool_input is "rm", expected an object');
  });

  test("of keys that could reach a prototype are refused in a merged field", (t) => {
    const { hooks } = startEngine(t, { trace: true });
    const answers = ["__proto__", "constructor", "prototype"].map((key) =>
      JSON.parse(`{"rewrite": {"tool_output": {"content": "x", "${key}": {"polluted": true}}}}`),
    );
    for (const answer of answers) {
      const undo = hooks.on("tool.after", () => answer);
      const outcome = atOnce(hooks.emit("tool.after", { tool_name: "query", tool_output: output }));
      assert.equal(outcome.handlers[0]?.status, "failed");
      assert.deepEqual(outcome.data.tool_output, output);
      undo();
    }
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test("of a field that is undefined name nothing", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", () => ({ rewrite: { tool_input: undefined, messages: [1] } }) as never);
    assert.deepEqual(atOnce(hooks.emit("tool.before", bash)).data, { ...bash, messages: [1] });
  });
});

suite("the other dialect", () => {
  test("mask_pan masks the content of a result and keeps its siblings", async (t) => {
    const { hooks } = startEngine(t);
    hooks.on("POST_TOOL", { plugin: "acme-bfsi", priority: 10 }, function mask_pan(data) {
      const { content = "" } = data.tool_output as { content?: string };
      const masked = content.replaceAll(/\b\d{14,16}\b/g, "XXXX-XXXX-XXXX-XXXX");
      return { carry_on: true, mutation: { result: { content: masked } } };
    });
    const outcome = atOnce(
      hooks.emit("POST_TOOL", {
        tool_name: "query",
        tool_output: { content: "card 4111111111111111", rows: 1 },
      }),
    );
    assert.equal(hooks.list()[0]?.name, "acme-bfsi/mask_pan#1");
    assert.deepEqual(written(outcome), {
      event: "tool.after",
      decision: noDecision,
      data: { tool_name: "query", tool_output: { content: "card XXXX-XXXX-XXXX-XXXX", rows: 1 } },
      handlers: [],
    });
  });

  for (const name of ["tool_output", "result", "output"] as const) {
    test(`a mutation of ${name} rewrites tool_output and leaves no second copy`, (t) => {
      const { hooks } = startEngine(t);
      hooks.on("tool.after", () => ({ carry_on: true, mutation: { [name]: { content: "masked" } } }));
      const outcome = atOnce(
        hooks.emit("tool.after", { tool_name: "q", tool_output: { content: "raw", n: 1 } }),
      );
      assert.deepEqual(outcome.data, { tool_name: "q", tool_output: { content: "masked", n: 1 } });
    });
  }

  for (const name of ["tool_input", "arguments"] as const) {
    test(`a mutation of ${name} rewrites tool_input`, (t) => {
      const { hooks } = startEngine(t);
      hooks.on("PRE_TOOL", () => ({ carry_on: true, mutation: { [name]: { command: "true" } } }));
      assert.deepEqual(atOnce(hooks.emit("PRE_TOOL", bash)).data, {
        tool_name: "bash",
        tool_input: { command: "true" },
      });
    });
  }

  test("mutations and rewrites compose in one chain", async (t) => {
    const { hooks } = startEngine(t);
    hooks.on("PRE_TOOL", { priority: 2 }, async () => ({
      carry_on: true,
      mutation: { arguments: { steps: ["a"] } },
    }));
    hooks.on("PRE_TOOL", { priority: 1 }, (data) =>
      rewrite({ tool_input: { steps: [...(data.tool_input.steps as string[]), "b"] } }),
    );
    const outcome = await settled(hooks.emit("PRE_TOOL", bash));
    assert.deepEqual(outcome.data.tool_input, { steps: ["a", "b"] });
  });

  test("carry_on: true has no opinion, and so does a mutation alone", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("PRE_TOOL", () => ({ carry_on: true }));
    hooks.on("PRE_TOOL", () => ({ carry_on: true, mutation: undefined }));
    hooks.on("PRE_TOOL", () => ({ mutation: { arguments: {} } }) as never);
    const outcome = atOnce(hooks.emit("PRE_TOOL", bash));
    assert.deepEqual(outcome.decision, noDecision);
    assert.deepEqual(outcome.data.tool_input, {});
  });

  test("carry_on: false denies, ends the chain and gives a skipped_by_hook result", async (t) => {
    const { hooks } = startEngine(t);
    hooks.on("PRE_TOOL", { name: "no" }, async () => ({ carry_on: false, reason: "not here" }));
    hooks.on("PRE_TOOL", () => assert.fail("must not be called"));
    const outcome = await settled(hooks.emit("PRE_TOOL", bash));
    assert.deepEqual(outcome.decision, { ...noDecision, verdict: "deny", reason: "not here", hook: "no" });
    assert.deepEqual(outcome.result, { status: "skipped_by_hook", hook: "no", reason: "not here" });
  });
});

suite("context", () => {
  test("accumulates in the order the handlers ran, also beside rewrites and verdicts", async (t) => {
    const { hooks } = startEngine(t);
    hooks.on("session.start", { priority: -1 }, () => context("last"));
    hooks.on("session.start", async () => context("first"));
    hooks.on("session.start", () => ({
      verdict: "allow",
      context: "second",
      rewrite: { system_prompt: "x" },
    }));
    const outcome = await settled(hooks.emit("session.start", {}));
    assert.deepEqual(outcome.decision.context, ["first", "second", "last"]);
    assert.equal(outcome.data.system_prompt, "x");
  });

  test("may be 20,000 characters in one answer and not one more", (t) => {
    const { hooks, warnings } = startEngine(t);
    hooks.on("session.start", { name: "full" }, () => context("x".repeat(20_000)));
    hooks.on("session.start", { name: "over" }, () => context("y".repeat(20_001)));
    const { decision } = atOnce(hooks.emit("session.start", {}));
    assert.deepEqual(decision.context, ["x".repeat(20_000)]);
    assert.deepEqual(warnings, [
      {
        message: "hook over added 20001 characters of context, expected at most 20000 in one answer",
        fields: { code: "SWARM_CONTEXT_TOO_LARGE", hook: "over", event: "session.start" },
      },
    ]);
  });

  test("may be 50,000 characters for one event and not one more", (t) => {
    const { hooks, warnings } = startEngine(t);
    for (const chars of [20_000, 20_000, 9_999, 2, 1]) {
      hooks.on("session.start", { name: `adds ${chars}#${hooks.list().length}` }, () =>
        context("x".repeat(chars)),
      );
    }
    const { decision } = atOnce(hooks.emit("session.start", {}));
    assert.deepEqual(
      decision.context.map((text) => text.length),
      [20_000, 20_000, 9_999, 1],
    );
    assert.deepEqual(
      warnings.map(({ message }) => message),
      ["hook adds 2#3 added 2 characters of context, expected at most 1 more for this event"],
    );
    assert.equal(
      atOnce(hooks.emit("session.start", {})).decision.context.length,
      4,
      "counted anew per event",
    );
  });
});

suite("stop", () => {
  test("asks for the end of the run without denying the action; the first reason stays", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("turn.end", () => stop("budget spent"));
    hooks.on("turn.end", () => stop("too late"));
    assert.deepEqual(atOnce(hooks.emit("turn.end", {})).decision, { ...noDecision, stop: "budget spent" });
  });
});

suite("illegal verdicts", () => {
  const cases: [AnyEventName, object, string, string][] = [
    ["session.end", {}, "ask", "none, allow, deny"],
    ["session.end", {}, "defer", "none, allow, deny"],
    ["tool.after", { tool_name: "q", tool_output: 1 }, "ask", "none, allow, deny"],
    ["task.created", { task_id: "t1" }, "defer", "none, allow, deny, ask"],
  ];
  for (const [event, data, verdict, legal] of cases) {
    test(`${verdict} on ${event} fails and names the legal ones`, (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      hooks.on(event, { name: "odd" }, () => ({ verdict, context: "psst" }) as never);
      const outcome = atOnce(hooks.emit(event, data as never));
      const reason = `hook odd answered verdict "${verdict}" to ${event}, expected ${legal}`;
      assert.deepEqual(outcome.decision, noDecision);
      assert.deepEqual(outcome.handlers, [record("odd", { status: "failed", reason })]);
      assert.deepEqual(warnings, [
        { message: reason, fields: { code: "SWARM_VERDICT_ILLEGAL", hook: "odd", event } },
      ]);
    });
  }

  test("of a hook that denies when it fails deny", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("session.end", { onFailure: "deny" }, () => ask() as never);
    assert.equal(atOnce(hooks.emit("session.end", {})).decision.verdict, "deny");
  });

  test("are possible where the row has them: ask and defer on tool.before and permission.request", (t) => {
    const { hooks } = startEngine(t);
    for (const event of ["tool.before", "permission.request"] as const) {
      for (const answer of [ask("?"), defer("!")]) {
        const undo = hooks.on(event, () => answer);
        assert.equal(atOnce(hooks.emit(event, bash)).decision.verdict, answer.verdict);
        undo();
      }
    }
  });
});

test("one hook's allow() is never another's, whatever its maker does with it", (t) => {
  const { hooks } = startEngine(t);
  hooks.on("tool.before", { name: "careless" }, () => {
    try {
      Object.assign(allow(), { reason: "mine", context: "mine" });
    } catch {
      // Refusing is as good as keeping them apart.
    }
  });
  hooks.on("tool.before", { name: "plain" }, () => allow());
  const { decision } = atOnce(hooks.emit("tool.before", bash));
  const leftovers = allow() as unknown as Record<string, unknown>;
  if (!Object.isFrozen(leftovers)) Object.assign(leftovers, { reason: undefined, context: undefined });
  assert.deepEqual(decision, { ...noDecision, verdict: "allow", hook: "plain" });
});

test("guards are merged in the plan's order, whoever answers first", async (t) => {
  for (const [slowMs, quickMs] of [
    [20, 5],
    [5, 20],
  ] as const) {
    const { hooks, clock } = startEngine(t);
    const guard = (name: string, delayMs: number) =>
      hooks.on("tool.before", { name, mode: "guard" }, async () => {
        await new Promise<void>((resolve) => clock.setTimer(resolve, delayMs));
        return { verdict: "ask", reason: name, context: name };
      });
    guard("first", slowMs);
    guard("second", quickMs);
    hooks.on("tool.before", { name: "third", mode: "guard" }, () => context("third"));
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(30);
    const { decision } = await settled(emitted);
    assert.deepEqual(decision, {
      verdict: "ask",
      reason: "first",
      hook: "first",
      context: ["first", "second", "third"],
      stop: null,
    });
  }
});
