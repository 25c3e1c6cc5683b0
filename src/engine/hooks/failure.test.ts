import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { allow, ask, createHooks, deny, type Outcome, rewrite } from "../../index.ts";
import { manualClock } from "../testing/index.ts";
import { atOnce, bash, noDecision, record, settled, startEngine, turn, written } from "./harness.cases.ts";

/** Fails the test for every error that would have ended the host. */
function expectNoCrash(t: TestContext): void {
  const crashes: unknown[] = [];
  const note = (error: unknown) => void crashes.push(error);
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
  t.after(async () => {
    await turn();
    process.off("uncaughtException", note);
    process.off("unhandledRejection", note);
    assert.deepEqual(crashes, [], "an error has left the engine");
  });
}

/** An object nothing can be asked about without an exception. */
function hostile(): object {
  return new Proxy(
    {},
    { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse },
  );
}

function refuse(): never {
  throw new Error("not even that");
}

const never = () => new Promise<never>(() => undefined);

suite("a handler that throws or rejects", () => {
  const thrown: [string, unknown, string][] = [
    ["an error", new TypeError("boom"), "TypeError: boom"],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a text", "boom", '"boom"'],
    ["a symbol", Symbol("boom"), "Symbol(boom)"],
    ["an object without a prototype", Object.create(null), "an object with no keys"],
    ["an error whose message throws", badError(), "a value that cannot be shown"],
    ["an object that throws when looked at", hostile(), "a value that cannot be shown"],
  ];
  for (const [what, value, message] of thrown) {
    const reason = `hook broken failed: ${message}`;
    const throwing = () => {
      throw value;
    };
    for (const [how, handler] of [
      ["throws", throwing],
      ["rejects with", () => Promise.reject(value)],
    ] as const) {
      test(`${how} ${what} has no say, and the next is called`, async (t) => {
        expectNoCrash(t);
        const { hooks, warnings } = startEngine(t, { trace: true });
        hooks.on("tool.before", { name: "broken" }, handler);
        hooks.on("tool.before", { name: "next" }, () => allow());
        const outcome = await settled(hooks.emit("tool.before", bash));
        assert.deepEqual(written(outcome), {
          event: "tool.before",
          decision: { ...noDecision, verdict: "allow", hook: "next" },
          data: bash,
          handlers: [record("broken", { status: "failed", reason }), record("next", { verdict: "allow" })],
        });
        assert.deepEqual(warnings, [
          { message: reason, fields: { code: "SWARM_HANDLER_THREW", hook: "broken", event: "tool.before" } },
        ]);
      });

      test(`${how} ${what} as an observer harms nobody`, async (t) => {
        expectNoCrash(t);
        const { hooks, warnings } = startEngine(t, { trace: true });
        hooks.on("tool.before", { name: "broken", mode: "observe" }, handler);
        const outcome = atOnce(hooks.emit("tool.before", bash));
        await turn();
        await turn();
        assert.deepEqual(outcome.handlers, [record("broken", { mode: "observe", status: "failed", reason })]);
        assert.equal(warnings.length, 1);
      });
    }
  }

  for (const mode of ["transform", "guard"] as const) {
    for (const isAsync of [false, true]) {
      const when = isAsync ? "later" : "at once";
      const handler = isAsync
        ? async () => {
            throw new Error("boom");
          }
        : () => {
            throw new Error("boom");
          };

      test(`fails ${when} as a ${mode} with onFailure deny: the action is denied and the reason says why`, async (t) => {
        const { hooks } = startEngine(t, { trace: true });
        hooks.on("tool.before", { name: "broken", mode, onFailure: "deny" }, handler);
        const outcome = await settled(hooks.emit("tool.before", bash));
        const reason = "hook broken failed: Error: boom; this hook denies when it fails";
        assert.deepEqual(written(outcome), {
          event: "tool.before",
          decision: { ...noDecision, verdict: "deny", reason, hook: "broken" },
          data: bash,
          result: { status: "skipped_by_hook", hook: "broken", reason },
          handlers: [record("broken", { mode, status: "failed", verdict: "deny", reason })],
        });
      });

      test(`fails ${when} as a ${mode} with onFailure allow: the action goes ahead`, async (t) => {
        const { hooks } = startEngine(t);
        hooks.on("tool.before", { name: "broken", mode, onFailure: "allow" }, handler);
        assert.deepEqual((await settled(hooks.emit("tool.before", bash))).decision, noDecision);
      });
    }
  }

  test("a `when` that throws is a failure of its hook", (t) => {
    const { hooks } = startEngine(t);
    const when = () => {
      throw new Error("boom");
    };
    hooks.on("tool.before", { name: "broken", when, onFailure: "deny" }, () => undefined);
    const { decision } = atOnce(hooks.emit("tool.before", bash));
    assert.equal(decision.reason, "hook broken failed: Error: boom; this hook denies when it fails");
  });

  test("an error of 9 MB does no more harm than a short one", async (t) => {
    expectNoCrash(t);
    const { hooks } = startEngine(t, { trace: true });
    const told: unknown[] = [];
    hooks.on("hook.failed", (data) => void told.push(data.code));
    hooks.on("tool.before", () => {
      throw new Error("x".repeat(9_000_000));
    });
    hooks.on("tool.before", () => {
      throw new SwarmError("SWARM_USAGE", { problem: "x".repeat(9_000_000), hint: "" });
    });
    const outcome = await settled(hooks.emit("tool.before", bash));
    await turn();
    assert.deepEqual(outcome.decision, noDecision);
    assert.equal(told.length, 2);
    for (const { reason } of outcome.handlers) assert.ok((reason ?? "").length < 2_100);
  });

  test("a handler that emits its own event for ever does not take the host down", async (t) => {
    expectNoCrash(t);
    const { hooks } = startEngine(t);
    let calls = 0;
    hooks.on("tool.before", () => {
      calls++;
      hooks.emit("tool.before", bash);
    });
    assert.deepEqual(atOnce(hooks.emit("tool.before", bash)).decision, noDecision);
    assert.ok(calls > 1);
  });

  function badError(): Error {
    return Object.defineProperty(new Error(), "message", {
      get() {
        throw new Error("not even that");
      },
    });
  }
});

suite("a deadline", () => {
  test("is kept to within an eighth on either of two sweeps, and never cuts a handler short", async (t) => {
    for (const timeoutMs of [1, 10, 100, 1_000, 30_000]) {
      const { hooks, clock } = startEngine(t);
      hooks.on("tool.before", { timeoutMs }, never);
      let endedAtMs: number | undefined;
      void Promise.resolve(hooks.emit("tool.before", bash)).then(() => {
        endedAtMs = clock.monotonicMs();
      });
      await clock.advance(timeoutMs - 1);
      assert.equal(endedAtMs, undefined, `${timeoutMs} ms: too early`);
      await clock.advance(1 + Math.max(2, Math.min(40, timeoutMs / 4)));
      assert.ok(endedAtMs !== undefined, `${timeoutMs} ms: too late`);
    }
  });

  test("that passes aborts the handler's signal with the reason, and the next handler is called", async (t) => {
    const { hooks, clock, warnings } = startEngine(t, { trace: true });
    let signal: AbortSignal | undefined;
    hooks.on("tool.before", { name: "slow", timeoutMs: 100 }, (_data, call) => {
      signal = call.signal;
      return never();
    });
    hooks.on("tool.before", { name: "next" }, (_data, call) => allow(`aborted: ${call.signal.aborted}`));
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(99);
    assert.equal(signal?.aborted, false);
    await clock.advance(26);
    assert.equal(signal?.aborted, true);
    assert.ok(signal.reason instanceof SwarmError);
    assert.equal(signal.reason.code, "SWARM_HANDLER_TIMED_OUT");
    const outcome = await settled(emitted);
    const message = "hook slow did not answer within 100 ms";
    assert.deepEqual(outcome.decision, {
      ...noDecision,
      verdict: "allow",
      reason: "aborted: false",
      hook: "next",
    });
    assert.deepEqual(
      outcome.handlers.map(({ name, status, reason }) => ({ name, status, reason })),
      [
        { name: "slow", status: "timed_out", reason: message },
        { name: "next", status: "completed", reason: "aborted: false" },
      ],
    );
    assert.deepEqual(warnings, [
      { message, fields: { code: "SWARM_HANDLER_TIMED_OUT", hook: "slow", event: "tool.before" } },
    ]);
  });

  test("that passed before the signal was first read leaves it aborted", async (t) => {
    const { hooks, clock } = startEngine(t);
    let readSignal: (() => AbortSignal) | undefined;
    hooks.on("tool.before", { timeoutMs: 10 }, (_data, call) => {
      readSignal = () => call.signal;
      return never();
    });
    hooks.emit("tool.before", bash);
    await clock.advance(20);
    assert.equal(readSignal?.().aborted, true);
    assert.equal(readSignal?.().reason.code, "SWARM_HANDLER_TIMED_OUT");
  });

  for (const mode of ["transform", "guard"] as const) {
    test(`that a ${mode} passes denies the action with onFailure deny`, async (t) => {
      const { hooks, clock } = startEngine(t, { trace: true });
      hooks.on("tool.before", { name: "slow", mode, timeoutMs: 10, onFailure: "deny" }, never);
      const emitted = hooks.emit("tool.before", bash);
      await clock.advance(20);
      const outcome = await settled(emitted);
      const reason = "hook slow did not answer within 10 ms; this hook denies when it fails";
      assert.deepEqual(outcome.decision, { ...noDecision, verdict: "deny", reason, hook: "slow" });
      assert.equal(outcome.handlers[0]?.status, "timed_out");
    });

    test(`that a ${mode} passes with onFailure allow lets the action go ahead`, async (t) => {
      const { hooks, clock } = startEngine(t);
      hooks.on("tool.before", { mode, timeoutMs: 10 }, never);
      const emitted = hooks.emit("tool.before", bash);
      await clock.advance(20);
      assert.deepEqual((await settled(emitted)).decision, noDecision);
    });

    test(`makes what a ${mode} says later unheard: denial, rewrite, rejection`, async (t) => {
      expectNoCrash(t);
      const { hooks, clock, warnings } = startEngine(t, { trace: true });
      const late = [
        () => deny("late"),
        () => rewrite({ tool_input: { command: "rm" } }),
        () => Promise.reject(new Error("late")),
      ];
      for (const [index, answer] of late.entries()) {
        hooks.on("tool.before", { name: `late ${index}`, mode, timeoutMs: 10 }, (async () => {
          await new Promise<void>((resolve) => clock.setTimer(resolve, 1_000));
          return answer();
        }) as never);
      }
      const emitted = hooks.emit("tool.before", bash);
      await clock.advance(100);
      const outcome = await settled(emitted);
      const before = written(outcome);
      await clock.advance(5_000);
      assert.deepEqual(written(outcome), before);
      assert.deepEqual(outcome.decision, noDecision);
      assert.equal(outcome.data, bash);
      assert.deepEqual(
        outcome.handlers.map(({ status }) => status),
        ["timed_out", "timed_out", "timed_out"],
      );
      assert.equal(warnings.length, 3);
    });
  }

  test("starts anew for each handler of a chain", async (t) => {
    const { hooks, clock } = startEngine(t, { trace: true });
    for (const name of ["first", "second", "third"]) {
      hooks.on("tool.before", { name, timeoutMs: 100 }, async () => {
        await new Promise<void>((resolve) => clock.setTimer(resolve, 80));
      });
    }
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(240);
    const outcome = await settled(emitted);
    assert.deepEqual(outcome.handlers, [
      record("first", { ms: 80 }),
      record("second", { ms: 80 }),
      record("third", { ms: 80 }),
    ]);
  });

  test("of a transform that has answered does not run on while guards are at work", async (t) => {
    const { hooks, clock, warnings } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "quick", timeoutMs: 50, onFailure: "deny" }, async () => allow());
    hooks.on("tool.before", { name: "patient", mode: "guard" }, async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 500));
    });
    const emitted = hooks.emit("tool.before", bash);
    await turn();
    await clock.advance(500);
    const outcome = await settled(emitted);
    assert.deepEqual(outcome.decision, { ...noDecision, verdict: "allow", hook: "quick" });
    assert.deepEqual(outcome.handlers, [
      record("quick", { verdict: "allow" }),
      record("patient", { mode: "guard", ms: 500 }),
    ]);
    assert.deepEqual(warnings, []);
  });

  test("of a handler that timed out does not touch the next one's signal", async (t) => {
    const { hooks, clock } = startEngine(t);
    const signals: AbortSignal[] = [];
    for (const timeoutMs of [10, 100]) {
      hooks.on("tool.before", { timeoutMs }, (_data, call) => {
        signals.push(call.signal);
        return never();
      });
    }
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(30);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    await clock.advance(200);
    await settled(emitted);
    assert.deepEqual(
      signals.map(({ reason }) => reason.message),
      ["hook tool.before#1 did not answer within 10 ms", "hook tool.before#2 did not answer within 100 ms"],
    );
  });

  test("of an observer is kept as well", async (t) => {
    const { hooks, clock } = startEngine(t, { trace: true });
    let signal: AbortSignal | undefined;
    hooks.on("tool.before", { name: "watch", mode: "observe", timeoutMs: 10 }, (_data, call) => {
      signal = call.signal;
      return never();
    });
    const outcome = atOnce(hooks.emit("tool.before", bash));
    await turn();
    await clock.advance(20);
    assert.equal(outcome.handlers[0]?.status, "timed_out");
    assert.equal(signal?.aborted, true);
  });
});

suite("timers", () => {
  function countingClock() {
    const clock = manualClock();
    const delays: number[] = [];
    const counting: Clock = {
      now: clock.now,
      monotonicMs: clock.monotonicMs,
      setTimer(callback, delayMs) {
        delays.push(delayMs);
        return clock.setTimer(callback, delayMs);
      },
    };
    return { clock, counting, delays };
  }

  test("are not set for handlers that answer at once", async () => {
    const { clock, counting, delays } = countingClock();
    const hooks = createHooks({ clock: counting, log: { warn: () => undefined } });
    hooks.on("tool.before", { timeoutMs: 5 }, () => rewrite({ tool_input: {} }));
    hooks.on("tool.before", () => {
      throw new Error("boom");
    });
    hooks.on("tool.before", { mode: "guard" }, () => ask());
    hooks.on("tool.before", { mode: "observe" }, () => undefined);
    hooks.on("hook.failed", () => undefined);
    for (let emit = 0; emit < 10; emit++) hooks.emit("tool.before", bash);
    await turn();
    await hooks.close();
    assert.deepEqual(delays, []);
    assert.equal(clock.pendingTimers, 0);
  });

  test("are one for all handlers that are waited for", async () => {
    const { clock, counting, delays } = countingClock();
    const hooks = createHooks({ clock: counting, log: { warn: () => undefined } });
    const release = Promise.withResolvers<void>();
    for (let guard = 0; guard < 10; guard++) {
      hooks.on("tool.before", { mode: "guard" }, async () => release.promise);
    }
    const emitted = Array.from({ length: 100 }, () => hooks.emit("tool.before", bash));
    assert.equal(delays.length, 1);
    assert.equal(clock.pendingTimers, 1);
    await clock.advance(1_000);
    assert.equal(clock.pendingTimers, 1);
    release.resolve();
    await Promise.all(emitted);
    await clock.advance(1_000);
    assert.equal(clock.pendingTimers, 0, "the sweep ends when nobody is waited for");
    await hooks.close();
  });

  test("are still one when deadlines of all lengths are mixed, and each is kept", async () => {
    const { clock, counting } = countingClock();
    const hooks = createHooks({ clock: counting, trace: true, log: { warn: () => undefined } });
    const timeouts = [5_000, 20, 160, 1, 40, 900];
    for (const timeoutMs of timeouts)
      hooks.on("tool.before", { mode: "guard", timeoutMs, name: `${timeoutMs}` }, never);
    const emitted = hooks.emit("tool.before", bash);
    assert.equal(clock.pendingTimers, 1);
    await clock.advance(6_000);
    const outcome = await settled(emitted);
    const inOrder = timeouts.toSorted((a, b) => a - b);
    assert.deepEqual(
      outcome.handlers.map(({ name }) => Number(name)),
      inOrder,
    );
    for (const { name, ms } of outcome.handlers) {
      const timeoutMs = Number(name);
      assert.ok(ms >= timeoutMs && ms <= timeoutMs + 40, `${name} ms deadline kept after ${ms} ms`);
    }
    await hooks.close();
  });
});

suite("foreign promises", () => {
  type Then = (resolve: (value: unknown) => void, reject: (error: unknown) => void) => unknown;
  const thenable = (then: Then): never => ({ then }) as never;

  const cases: [string, () => unknown, Readonly<Record<string, unknown>>][] = [
    [
      "that resolves at once",
      () => thenable((resolve) => resolve(allow("yes"))),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "that resolves twice",
      () =>
        thenable((resolve) => {
          resolve(allow("yes"));
          resolve(deny("no"));
        }),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "that resolves and then rejects",
      () =>
        thenable((resolve, reject) => {
          resolve(allow("yes"));
          reject(new Error("boom"));
        }),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "that resolves and then throws",
      () =>
        thenable((resolve) => {
          resolve(allow("yes"));
          throw new Error("boom");
        }),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "that throws",
      () =>
        thenable(() => {
          throw new Error("boom");
        }),
      { status: "failed", reason: "hook odd failed: Error: boom" },
    ],
    [
      "whose then cannot be read",
      () =>
        withThen(() => {
          throw new Error("boom");
        }),
      { status: "failed", reason: "hook odd failed: Error: boom" },
    ],
    [
      "whose then can be read only once",
      () => {
        let reads = 0;
        return withThen(() => {
          if (++reads > 1) throw new Error("boom");
          return () => undefined;
        });
      },
      { status: "failed", reason: "hook odd failed: Error: boom" },
    ],
    [
      "that resolves to another one",
      () => thenable((resolve) => resolve(thenable((inner) => inner(allow("yes"))))),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "of a class that answers twice, at once",
      () =>
        promiseOfClass((resolve) => {
          resolve(allow("yes"));
          resolve(deny("no"));
        }),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "of a class that answers twice, later",
      () =>
        promiseOfClass((resolve) =>
          queueMicrotask(() => {
            resolve(allow("yes"));
            resolve(deny("no"));
          }),
        ),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "of a class that throws",
      () =>
        promiseOfClass(() => {
          throw new Error("boom");
        }),
      { status: "failed", reason: "hook odd failed: Error: boom" },
    ],
    [
      "of Node's own class with a then of its own that answers twice",
      () =>
        withOwnThen((resolve) => {
          resolve(allow("twice"));
          resolve(deny("no"));
        }),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "of Node's own class with a then of its own that throws",
      () =>
        withOwnThen(() => {
          throw new Error("boom");
        }),
      { verdict: "allow", reason: "yes" },
    ],
    [
      "that is one only by its prototype",
      () => Object.create(Promise.prototype),
      {
        status: "failed",
        reason:
          "hook odd failed: TypeError: Method Promise.prototype.then called on incompatible receiver #<Promise>",
      },
    ],
  ];
  for (const mode of ["transform", "guard"] as const) {
    for (const [what, answer, differs] of cases) {
      test(`one ${what}, from a ${mode}`, async (t) => {
        expectNoCrash(t);
        const { hooks } = startEngine(t, { trace: true });
        hooks.on("tool.before", { name: "odd", mode }, answer as never);
        hooks.on("tool.before", { name: "next", mode }, async () => undefined);
        const { handlers } = await settled(hooks.emit("tool.before", bash));
        const byName = (name: string) => handlers.filter((handler) => handler.name === name);
        assert.deepEqual(byName("odd"), [record("odd", { mode, ...differs })]);
        assert.deepEqual(byName("next"), [record("next", { mode })]);
      });
    }
  }

  for (const [what, answer, differs] of cases) {
    test(`one ${what}, from an observer`, async (t) => {
      expectNoCrash(t);
      const { hooks } = startEngine(t, { trace: true });
      hooks.on("tool.before", { name: "odd", mode: "observe" }, answer);
      const { handlers } = atOnce(hooks.emit("tool.before", bash));
      for (let turns = 0; turns < 3; turns++) await turn();
      const isAnswer = differs.status === undefined;
      const status = "failed";
      const reason = isAnswer
        ? "hook odd answered an object with keys verdict, reason, rewrite, context, stop, expected nothing: an observer runs after the decision"
        : differs.reason;
      assert.deepEqual(handlers, [record("odd", { mode: "observe", status, reason })]);
    });
  }

  function withThen(get: () => unknown): object {
    // biome-ignore lint/suspicious/noThenProperty: a foreign promise is what is tested
    return Object.defineProperty({}, "then", { get });
  }

  /** Resolved to an allow; its own `then` says otherwise and is not asked, just as `await` would not ask it. */
  function withOwnThen(then: Then): unknown {
    // biome-ignore lint/suspicious/noThenProperty: a foreign promise is what is tested
    return Object.defineProperty(Promise.resolve(allow("yes")), "then", { value: then });
  }

  function promiseOfClass(then: Then): unknown {
    class OddPromise extends Promise<unknown> {}
    // biome-ignore lint/suspicious/noThenProperty: a foreign promise is what is tested
    Object.defineProperty(OddPromise.prototype, "then", { value: then });
    return new OddPromise(() => undefined);
  }
});

suite("garbage", () => {
  class Inherits {
    get verdict() {
      return "deny";
    }
  }
  const cases: [string, unknown, string][] = [
    ["a number", 42, "hook odd answered 42, expected an answer or nothing"],
    ["a text", "x", 'hook odd answered "x", expected an answer or nothing'],
    ["true", true, "hook odd answered true, expected an answer or nothing"],
    ["false", false, "hook odd answered false, expected an answer or nothing"],
    ["a function", () => deny("no"), "hook odd answered function (anonymous), expected an answer or nothing"],
    ["a list", [], "hook odd answered an array of 0, expected an answer or nothing"],
    ["a list of answers", [deny("no")], "hook odd answered an array of 1, expected an answer or nothing"],
    [
      "another key",
      { foo: 1 },
      'hook odd answered an object with key "foo", expected only verdict, reason, rewrite, context, stop',
    ],
    [
      "an unknown verdict",
      { verdict: "block" },
      'hook odd answered verdict "block", expected none, allow, ask, defer or deny',
    ],
    [
      "a verdict in capitals",
      { verdict: "DENY" },
      'hook odd answered verdict "DENY", expected none, allow, ask, defer or deny',
    ],
    [
      "a verdict of a prototype",
      { verdict: "toString" },
      'hook odd answered verdict "toString", expected none, allow, ask, defer or deny',
    ],
    [
      "a reason that is no text",
      { verdict: "ask", reason: 42 },
      "hook odd answered reason 42, expected a string",
    ],
    [
      "context that is no text",
      { context: {} },
      "hook odd answered context an object with no keys, expected a string",
    ],
    ["a stop that is no text", { stop: true }, "hook odd answered stop true, expected a string"],
    [
      "a rewrite that is no object",
      { rewrite: "x" },
      'hook odd answered rewrite "x", expected an object of fields',
    ],
    [
      "a rewrite that is a list",
      { rewrite: [] },
      "hook odd answered rewrite an array of 0, expected an object of fields",
    ],
    [
      "carry_on that is neither",
      { carry_on: "yes" },
      'hook odd answered carry_on "yes", expected true or false',
    ],
    [
      "a mutation that is no object",
      { carry_on: true, mutation: 1 },
      "hook odd answered mutation 1, expected an object of fields",
    ],
    [
      "two dialects",
      { carry_on: true, rewrite: {} },
      'hook odd answered an object with key "rewrite", expected only carry_on, mutation, reason',
    ],
  ];
  for (const [what, answer, reason] of cases) {
    for (const isAsync of [false, true]) {
      test(`is refused ${isAsync ? "later" : "at once"}: ${what}`, async (t) => {
        const { hooks, warnings } = startEngine(t, { trace: true });
        hooks.on("tool.before", { name: "odd" }, (() =>
          isAsync ? Promise.resolve(answer) : answer) as never);
        const outcome = await settled(hooks.emit("tool.before", bash));
        assert.deepEqual(outcome.decision, noDecision);
        assert.equal(outcome.data, bash);
        assert.deepEqual(outcome.handlers, [record("odd", { status: "failed", reason })]);
        assert.deepEqual(warnings, [
          { message: reason, fields: { code: "SWARM_ANSWER_INVALID", hook: "odd", event: "tool.before" } },
        ]);
      });
    }
  }

  const objects: [string, unknown][] = [
    ["an object with an inherited verdict", new Inherits()],
    ["an object made from a verdict", Object.create({ verdict: "deny" })],
    ["an error that was returned and not thrown", new Error("no")],
    ["a map", new Map([["verdict", "deny"]])],
    ["a date", new Date(0)],
  ];
  for (const [what, answer] of objects) {
    test(`is refused, not taken for an empty answer: ${what}`, (t) => {
      const { hooks, warnings } = startEngine(t, { trace: true });
      hooks.on("tool.before", { name: "odd" }, () => answer as never);
      const outcome = atOnce(hooks.emit("tool.before", bash));
      assert.equal(outcome.handlers[0]?.status, "failed");
      assert.equal(warnings[0]?.fields.code, "SWARM_ANSWER_INVALID");
    });
  }

  test("is not what a class of answers makes: its own fields count like those of any object", (t) => {
    class HookResult {
      readonly carry_on: boolean;
      readonly mutation: object;
      constructor(carryOn: boolean, mutation: object) {
        this.carry_on = carryOn;
        this.mutation = mutation;
      }
    }
    const { hooks, warnings } = startEngine(t);
    hooks.on("tool.before", () => new HookResult(true, { arguments: { command: "true" } }) as never);
    assert.deepEqual(atOnce(hooks.emit("tool.before", bash)).data.tool_input, { command: "true" });
    assert.deepEqual(warnings, []);
  });

  test("from a hook that denies when it fails denies", (t) => {
    const { hooks } = startEngine(t);
    hooks.on(
      "tool.before",
      { name: "odd", mode: "guard", onFailure: "deny" },
      () => ({ verdict: "block" }) as never,
    );
    assert.equal(
      atOnce(hooks.emit("tool.before", bash)).decision.reason,
      'hook odd answered verdict "block", expected none, allow, ask, defer or deny; this hook denies when it fails',
    );
  });

  const unreadable: [string, () => unknown][] = [
    ["whatever is asked", hostile],
    [
      "when its keys are read",
      () =>
        new Proxy(
          {},
          { has: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse },
        ),
    ],
    [
      "when its reason is read",
      () =>
        Object.defineProperty({ verdict: "allow" }, "reason", {
          enumerable: true,
          get: refuse,
        }),
    ],
  ];
  for (const [what, answer] of unreadable) {
    for (const mode of ["transform", "guard", "observe"] as const) {
      for (const isAsync of [false, true]) {
        test(`that throws ${what}, ${isAsync ? "later" : "at once"}, harms nobody as the answer of a ${mode}`, async (t) => {
          expectNoCrash(t);
          const { hooks } = startEngine(t, { trace: true });
          hooks.on("tool.before", { name: "beside", mode: "guard" }, async () => allow());
          hooks.on("tool.before", { name: "odd", mode }, (() =>
            isAsync ? Promise.resolve().then(answer) : answer()) as never);
          hooks.on("tool.before", { name: "next", mode }, () => undefined);
          const outcome = await settled(hooks.emit("tool.before", bash));
          for (let turns = 0; turns < 3; turns++) await turn();
          assert.deepEqual(outcome.decision, { ...noDecision, verdict: "allow", hook: "beside" });
          const statuses = Object.fromEntries(outcome.handlers.map(({ name, status }) => [name, status]));
          assert.deepEqual(statuses, { beside: "completed", odd: "failed", next: "completed" });
        });
      }
    }
  }
});

suite("hook.failed", () => {
  test("tells everything about the failure, after the outcome", async (t) => {
    const { hooks } = startEngine(t);
    const told: unknown[] = [];
    hooks.on("hook.failed", (data) => void told.push(data));
    hooks.on(
      "PreToolUse",
      { name: "broken", plugin: "acme", mode: "guard", onFailure: "deny", timeoutMs: 1_234 },
      () => {
        throw new Error("boom");
      },
    );
    const outcome = atOnce(hooks.emit("PreToolUse", bash));
    assert.deepEqual(told, []);
    await turn();
    assert.deepEqual(told, [
      {
        name: "broken",
        event: "tool.before",
        event_id: outcome.id,
        status: "failed",
        code: "SWARM_HANDLER_THREW",
        error: "hook broken failed: Error: boom",
        kind: "function",
        mode: "guard",
        plugin: "acme",
        on_failure: "deny",
        timeout_ms: 1_234,
      },
    ]);
  });

  test("tells of a passed deadline, an illegal answer and a failed observer too", async (t) => {
    const { hooks, clock } = startEngine(t);
    const told: unknown[] = [];
    hooks.on("hook.failed", ({ name, status, code, mode }) => void told.push({ name, status, code, mode }));
    hooks.on("tool.before", { name: "slow", timeoutMs: 10 }, never);
    hooks.on("tool.before", { name: "odd" }, () => 42 as never);
    hooks.on("tool.before", { name: "watch", mode: "observe" }, () => {
      throw new Error("boom");
    });
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(20);
    await settled(emitted);
    await turn();
    await turn();
    assert.deepEqual(told, [
      { name: "slow", status: "timed_out", code: "SWARM_HANDLER_TIMED_OUT", mode: "transform" },
      { name: "odd", status: "failed", code: "SWARM_ANSWER_INVALID", mode: "transform" },
      { name: "watch", status: "failed", code: "SWARM_HANDLER_THREW", mode: "observe" },
    ]);
  });

  test("comes every time, while the log is told once per hook and code", async (t) => {
    const { hooks, warnings } = startEngine(t);
    let told = 0;
    hooks.on("hook.failed", () => void told++);
    let answer: unknown = 42;
    for (const name of ["one", "two"]) hooks.on("tool.before", { name }, () => answer as never);
    for (let emit = 0; emit < 3; emit++) hooks.emit("tool.before", bash);
    answer = ask();
    hooks.emit("tool.before", bash);
    answer = { rewrite: { tool_name: "sh" } };
    for (let emit = 0; emit < 3; emit++) hooks.emit("tool.before", bash);
    await turn();
    assert.equal(told, 12);
    assert.deepEqual(
      warnings.map(({ fields }) => `${fields.hook} ${fields.code}`),
      [
        "one SWARM_ANSWER_INVALID",
        "two SWARM_ANSWER_INVALID",
        "one SWARM_REWRITE_ILLEGAL",
        "two SWARM_REWRITE_ILLEGAL",
      ],
    );
  });

  test("is matched by the name of the hook that failed", async (t) => {
    const { hooks } = startEngine(t);
    const told: string[] = [];
    hooks.on("hook.failed", { match: "acme/*" }, (data) => void told.push(data.name));
    for (const name of ["acme/one", "other"]) hooks.on("tool.before", { name }, () => 42 as never);
    hooks.emit("tool.before", bash);
    await turn();
    assert.deepEqual(told, ["acme/one"]);
  });

  test("is never emitted for a hook of hook.failed, in any mode", async (t) => {
    expectNoCrash(t);
    const { hooks, clock, warnings } = startEngine(t);
    const calls: string[] = [];
    hooks.on("hook.failed", { name: "throws" }, () => {
      calls.push("throws");
      throw new Error("boom");
    });
    hooks.on("hook.failed", { name: "hangs", timeoutMs: 10 }, () => {
      calls.push("hangs");
      return never();
    });
    hooks.on("hook.failed", { name: "rejects", mode: "guard" }, async () => {
      calls.push("rejects");
      throw new Error("boom");
    });
    hooks.on("hook.failed", { name: "watch", mode: "observe" }, () => {
      calls.push("watch");
      throw hostile();
    });
    hooks.on("tool.before", { name: "broken" }, () => 42 as never);
    const outcome = atOnce(hooks.emit("tool.before", bash));
    await turn();
    await clock.advance(20);
    await turn();
    await turn();
    assert.deepEqual(outcome.decision, noDecision);
    assert.deepEqual(calls, ["throws", "hangs", "rejects", "watch"]);
    assert.deepEqual(
      warnings.map(({ fields }) => `${fields.hook} ${fields.code}`),
      [
        "broken SWARM_ANSWER_INVALID",
        "throws SWARM_HANDLER_THREW",
        "hangs SWARM_HANDLER_TIMED_OUT",
        "rejects SWARM_HANDLER_THREW",
        "watch SWARM_HANDLER_THREW",
      ],
    );
  });

  test("that hangs delays no other event", async (t) => {
    const { hooks, clock } = startEngine(t);
    hooks.on("hook.failed", { timeoutMs: 10 }, never);
    hooks.on("tool.before", () => 42 as never);
    atOnce(hooks.emit("tool.before", bash));
    await turn();
    atOnce(hooks.emit("tool.before", bash));
    await turn();
    await clock.advance(20);
  });
});

suite("the log", () => {
  test("that throws turns no failure into the host's", async (t) => {
    expectNoCrash(t);
    const { hooks } = startEngine(t, {
      trace: true,
      log: {
        warn() {
          throw new Error("disk full");
        },
      },
    });
    let told = 0;
    hooks.on("hook.failed", () => void told++);
    hooks.on("tool.before", { name: "broken" }, async () => {
      throw new Error("boom");
    });
    const outcome = await settled(hooks.emit("tool.before", bash));
    await turn();
    assert.equal(outcome.handlers[0]?.status, "failed");
    assert.equal(told, 1);
  });

  test("is Node's own warnings unless another is given", async (t) => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    t.after(() => process.off("warning", note));
    const hooks = createHooks();
    hooks.on("tool.before", { name: "broken" }, () => 42 as never);
    hooks.emit("tool.before", bash);
    await turn();
    assert.deepEqual(
      warnings.map(({ name, message }) => ({ name, message })),
      [{ name: "SwarmHooksWarning", message: "hook broken answered 42, expected an answer or nothing" }],
    );
    await hooks.close();
  });
});

suite("guards together", () => {
  test("one that denies cancels the others: signals aborted, nothing they say heard", async (t) => {
    expectNoCrash(t);
    const { hooks, clock } = startEngine(t, { trace: true });
    const signals: Record<string, AbortSignal> = {};
    const add = (name: string, delayMs: number, answer: () => unknown) =>
      hooks.on("tool.before", { name, mode: "guard" }, (async (
        _data: unknown,
        call: { signal: AbortSignal },
      ) => {
        signals[name] = call.signal;
        await new Promise<void>((resolve) => clock.setTimer(resolve, delayMs));
        return answer();
      }) as never);
    add("slow", 100, () => deny("later"));
    add("denies", 10, () => deny("no"));
    add("rejects", 50, () => Promise.reject(new Error("late")));
    add("asked", 5, () => ask("sure?"));
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(10);
    const outcome = await settled(emitted);
    await clock.advance(1_000);
    const reason = "another guard has denied the action";
    assert.deepEqual(written(outcome), {
      event: "tool.before",
      decision: { ...noDecision, verdict: "deny", reason: "no", hook: "denies" },
      data: bash,
      result: { status: "skipped_by_hook", hook: "denies", reason: "no" },
      handlers: [
        record("asked", { mode: "guard", verdict: "ask", reason: "sure?", ms: 5 }),
        record("denies", { mode: "guard", status: "denied", verdict: "deny", reason: "no", ms: 10 }),
        record("slow", { mode: "guard", status: "cancelled", reason, ms: 10 }),
        record("rejects", { mode: "guard", status: "cancelled", reason, ms: 10 }),
      ],
    });
    assert.deepEqual(
      Object.entries(signals).map(([name, { aborted }]) => [name, aborted]),
      [
        ["slow", true],
        ["denies", false],
        ["rejects", true],
        ["asked", false],
      ],
    );
    assert.equal(signals.slow?.reason.name, "AbortError");
  });

  test("one that denies at once cancels those already at work and gives a value", async (t) => {
    const { hooks } = startEngine(t, { trace: true });
    let signal: AbortSignal | undefined;
    hooks.on("tool.before", { name: "slow", mode: "guard" }, (_data, call) => {
      signal = call.signal;
      return never();
    });
    hooks.on("tool.before", { name: "denies", mode: "guard" }, () => deny("no"));
    hooks.on("tool.before", { name: "later", mode: "guard" }, () => assert.fail("must not be called"));
    const outcome: Outcome = atOnce(hooks.emit("tool.before", bash));
    assert.equal(signal?.aborted, true);
    assert.deepEqual(
      outcome.handlers.map(({ name, status }) => `${name} ${status}`),
      ["denies denied", "slow cancelled", "later skipped"],
    );
  });

  test("one that times out with onFailure deny cancels the others", async (t) => {
    const { hooks, clock } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "slow", mode: "guard" }, never);
    hooks.on("tool.before", { name: "late", mode: "guard", timeoutMs: 10, onFailure: "deny" }, never);
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(20);
    const outcome = await settled(emitted);
    assert.deepEqual(
      outcome.handlers.map(({ name, status }) => `${name} ${status}`),
      ["late timed_out", "slow cancelled"],
    );
    assert.equal(outcome.decision.hook, "late");
  });

  test("each leave one record, whichever of them fails, denies or is cancelled first", async (t) => {
    const answers: Record<string, () => unknown> = {
      allows: () => ({ verdict: "allow", context: "allowed" }),
      denies: () => deny("no"),
      garbage: () => ({ verdict: "block" }),
      throws: () => {
        throw new Error("boom");
      },
    };
    const kinds = Object.keys(answers);
    for (const first of kinds) {
      for (const second of kinds) {
        for (const third of kinds) {
          for (const [a, b, c] of [
            [1, 2, 3],
            [3, 2, 1],
            [2, 0, 1],
            [3, 0, 0],
            [0, 2, 1],
          ] as const) {
            const { hooks, clock } = startEngine(t, { trace: true });
            const add = (name: string, kind: string, delayMs: number) =>
              hooks.on("tool.before", { name, mode: "guard", onFailure: "deny" }, (() => {
                const answer = answers[kind] ?? assert.fail(kind);
                if (delayMs === 0) return answer();
                return new Promise<void>((resolve) => clock.setTimer(resolve, delayMs)).then(answer);
              }) as never);
            add("first", first, a);
            add("second", second, b);
            add("third", third, c);
            const emitted = hooks.emit("tool.before", bash);
            await clock.advance(5);
            const outcome = await settled(emitted);
            const what = `${first} after ${a}, ${second} after ${b}, ${third} after ${c}`;
            assert.deepEqual(
              outcome.handlers.map(({ name }) => name).toSorted(),
              ["first", "second", "third"],
              what,
            );
            const isAllowed = [first, second, third].every((kind) => kind === "allows");
            assert.equal(outcome.decision.verdict, isAllowed ? "allow" : "deny", what);
            const decider = outcome.handlers.find(({ name }) => name === outcome.decision.hook);
            assert.equal(decider?.verdict, outcome.decision.verdict, what);
          }
        }
      }
    }
  });

  test("each have a signal of their own, also when they first look at it late", async (t) => {
    const { hooks, clock } = startEngine(t);
    const aborted: Record<string, boolean> = {};
    for (const [name, timeoutMs] of [
      ["hasty", 10],
      ["patient", 1_000],
    ] as const) {
      hooks.on("tool.before", { name, mode: "guard", timeoutMs }, async (_data, call) => {
        await new Promise<void>((resolve) => clock.setTimer(resolve, 100));
        aborted[name] = call.signal.aborted;
      });
    }
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(100);
    await settled(emitted);
    assert.deepEqual(aborted, { hasty: true, patient: false });
  });

  test("one that fails does not cancel the others", async (t) => {
    const { hooks, clock } = startEngine(t);
    hooks.on("tool.before", { mode: "guard" }, () => Promise.reject<never>(new Error("boom")));
    hooks.on("tool.before", { mode: "guard", timeoutMs: 10 }, never);
    hooks.on("tool.before", { name: "denies", mode: "guard" }, async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 100));
      return deny("no");
    });
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(100);
    assert.equal((await settled(emitted)).decision.hook, "denies");
  });
});

suite("too many observations", () => {
  test("past 10,000 waiting ones are dropped, and the drop is told of", async (t) => {
    const { hooks, warnings } = startEngine(t, { trace: true });
    let seen = 0;
    const told: unknown[] = [];
    hooks.on("hook.failed", ({ name, status, code }) => void told.push({ name, status, code }));
    hooks.on("tool.before", { name: "watch", mode: "observe" }, () => void seen++);
    let last: Outcome | undefined;
    for (let emit = 0; emit < 10_001; emit++) last = atOnce(hooks.emit("tool.before", bash));
    const message =
      "observer watch of tool.before was not called: 10000 observations are waiting, expected fewer";
    assert.deepEqual(last?.handlers, [
      record("watch", { mode: "observe", status: "skipped", reason: message }),
    ]);
    await turn();
    await turn();
    assert.equal(seen, 10_000);
    assert.deepEqual(warnings, [
      { message, fields: { code: "SWARM_OBSERVERS_BEHIND", hook: "watch", event: "tool.before" } },
    ]);
    assert.deepEqual(told, [{ name: "watch", status: "skipped", code: "SWARM_OBSERVERS_BEHIND" }]);
    atOnce(hooks.emit("tool.before", bash));
    await turn();
    assert.equal(seen, 10_001, "and once the queue is short again all is well");
  });
});

test("observers that hang are counted, so that they cannot pile up unseen", async (t) => {
  const { hooks, clock, warnings } = startEngine(t);
  hooks.on("tool.before", { name: "hangs", mode: "observe", timeoutMs: 10 }, never);
  for (let turns = 0; turns < 12; turns++) {
    for (let emits = 0; emits < 1_000; emits++) void hooks.emit("tool.before", bash);
    await turn();
  }
  assert.deepEqual(
    warnings.map(({ fields }) => fields.code),
    ["SWARM_OBSERVERS_BEHIND"],
  );
  await clock.advance(100);
});

test("a log whose promise is rejected does no harm", async (t) => {
  expectNoCrash(t);
  const { hooks } = startEngine(t, { log: { warn: () => Promise.reject(new Error("disk full")) } });
  hooks.on("tool.before", () => {
    throw new Error("boom");
  });
  void hooks.emit("tool.before", bash);
  await turn();
});
