import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { limits } from "../../base/limits.ts";
import { deny } from "../events/answer.ts";
import { manualClock } from "../testing/index.ts";
import { type AnyHandler, defineHook, type Hook } from "./definition.ts";
import { Engine } from "./engine.ts";
import { atOnce, bash, errorOf, startEngine } from "./harness.cases.ts";

/** An engine whose hooks count how often their matchers are asked. */
function countingEngine() {
  const engine = new Engine(manualClock(), { warn: () => undefined }, false, true);
  const counts = { matcherCalls: 0 };
  let sequence = 0;
  const add = (match: string, handler: AnyHandler = () => undefined): (() => void) => {
    const hook = defineHook("tool.before", { match }, handler, ++sequence);
    const counted: Hook = {
      ...hook,
      matcher: {
        isAlways: hook.matcher.isAlways,
        test(value) {
          counts.matcherCalls++;
          return hook.matcher.test(value);
        },
      },
    };
    return engine.registry.add(counted);
  };
  const emit = (tool_name: string) => atOnce(engine.emit("tool.before", { tool_name, tool_input: {} }));
  const callsDuring = (action: () => unknown): number => {
    const before = counts.matcherCalls;
    action();
    return counts.matcherCalls - before;
  };
  return { engine, add, emit, callsDuring };
}

suite("matchers", () => {
  test("are asked once per tool name: the second event with 10,000 hooks for other tools asks none", () => {
    const { add, emit, callsDuring } = countingEngine();
    for (let hook = 0; hook < 10_000; hook++) add(`other_${hook}_*`);
    add("deploy", () => deny("no"));
    assert.equal(
      callsDuring(() => emit("deploy")),
      10_001,
    );
    assert.equal(
      callsDuring(() => assert.equal(emit("deploy").decision.reason, "no")),
      0,
    );
    assert.equal(
      callsDuring(() => emit("restart")),
      10_001,
    );
    assert.equal(
      callsDuring(() => assert.equal(emit("restart").decision.verdict, "none")),
      0,
    );
  });

  test("of `*` are not asked at all", () => {
    const { add, emit, callsDuring } = countingEngine();
    add("*", () => deny("no"));
    assert.equal(
      callsDuring(() => assert.equal(emit("bash").decision.verdict, "deny")),
      0,
    );
  });

  test("are asked again when a hook was added or removed", () => {
    const { add, emit, callsDuring } = countingEngine();
    add("bash");
    emit("bash");
    const undo = add("ba*", () => deny("no"));
    assert.equal(
      callsDuring(() => assert.equal(emit("bash").decision.verdict, "deny")),
      2,
    );
    undo();
    assert.equal(
      callsDuring(() => assert.equal(emit("bash").decision.verdict, "none")),
      1,
    );
    assert.equal(
      callsDuring(() => emit("bash")),
      0,
    );
  });

  test("are not asked again because a hook of another event was added", () => {
    const { engine, add, emit, callsDuring } = countingEngine();
    add("bash");
    emit("bash");
    engine.registry.add(defineHook("tool.after", {}, () => undefined, 99));
    assert.equal(
      callsDuring(() => emit("bash")),
      0,
    );
  });
});

suite("plans", () => {
  test("of names nobody uses any more are forgotten, so that invented names cost no memory", () => {
    const { add, emit, callsDuring } = countingEngine();
    add("bash");
    emit("bash");
    for (let name = 0; name < 2 * limits.cachedPlans + 1; name++) emit(`invented_${name}`);
    assert.equal(
      callsDuring(() => emit("bash")),
      1,
    );
  });

  test("of names in use are kept, however many others are invented", () => {
    const { add, emit, callsDuring } = countingEngine();
    add("bash");
    emit("bash");
    let calls = 0;
    for (let name = 0; name < 20 * limits.cachedPlans; name++) {
      emit(`invented_${name}`);
      if (name % 100 === 0) calls += callsDuring(() => emit("bash"));
    }
    assert.equal(calls, 0);
  });

  test("of names longer than any tool's are made but not kept", () => {
    const { add, emit, callsDuring } = countingEngine();
    add("x*", () => deny("no"));
    const long = "x".repeat(limits.cachedNameChars + 1);
    for (let again = 0; again < 2; again++) {
      assert.equal(
        callsDuring(() => assert.equal(emit(long).decision.verdict, "deny")),
        1,
      );
    }
    const short = "x".repeat(limits.cachedNameChars);
    emit(short);
    assert.equal(
      callsDuring(() => emit(short)),
      0,
    );
  });

  for (const name of ["__proto__", "constructor", "toString", ""]) {
    test(`are right for a tool named ${JSON.stringify(name)}`, () => {
      const { add, emit } = countingEngine();
      add("bash", () => deny("bash"));
      add("*", () => ({ context: "all" }));
      for (let again = 0; again < 2; again++) {
        const { decision } = emit(name);
        assert.equal(decision.verdict, "none");
        assert.deepEqual(decision.context, ["all"]);
      }
    });
  }
});

suite("names of hooks", () => {
  test("are used once in an engine; the error names the event that has it", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("PostToolUse", { name: "mask" }, () => undefined);
    for (const event of ["tool.after", "session.start"] as const) {
      const error = errorOf(() => hooks.on(event, { name: "mask" }, () => undefined));
      assert.equal(error.code, "SWARM_HOOK_NAME_TAKEN");
      assert.equal(
        error.message,
        'a hook named "mask" is already registered for tool.after, expected a name used once',
      );
    }
    assert.equal(hooks.list().length, 1);
  });

  test("are free again after the undo, also for another event", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.after", { name: "mask" }, () => undefined)();
    hooks.on("tool.before", { name: "mask" }, () => deny("no"));
    assert.equal(atOnce(hooks.emit("tool.before", bash)).decision.hook, "mask");
  });

  test("stay free when registering failed for another reason", (t) => {
    const { hooks } = startEngine(t);
    errorOf(() => hooks.on("tool.before", { name: "mask", timeoutMs: -1 }, () => undefined));
    hooks.on("tool.before", { name: "mask" }, () => undefined);
  });

  test("are made up from the handler's name, and always differ", (t) => {
    const { hooks } = startEngine(t);
    const mask = () => undefined;
    hooks.on("tool.before", mask);
    hooks.on("tool.before", mask);
    hooks.on("tool.after", () => undefined);
    assert.deepEqual(
      hooks.list().map(({ name }) => name),
      ["mask#1", "mask#2", "tool.after#3"],
    );
  });

  test("that a function's own name would make unprintable are made up all the same", (t) => {
    const { hooks } = startEngine(t);
    const handler = Object.defineProperty(() => undefined, "name", { value: "two\nlines" });
    hooks.on("tool.before", handler);
    assert.doesNotMatch(hooks.list()[0]?.name ?? "", /\n/);
  });
});

test("a plugin with the longest name it may have can register hooks without naming them", (t) => {
  const { hooks } = startEngine(t);
  const plugin = "p".repeat(128);
  hooks.on("tool.before", { plugin }, function someHandler() {
    // The name is all that matters.
  });
  assert.equal(hooks.list()[0]?.plugin, plugin);
});

test("one handler may serve several hooks; undoing one leaves the others", (t) => {
  const { hooks } = startEngine(t);
  let calls = 0;
  const count = () => void calls++;
  const undos = [
    hooks.on("tool.before", count),
    hooks.on("tool.before", count),
    hooks.on("tool.before", count),
  ];
  undos[1]?.();
  hooks.emit("tool.before", bash);
  assert.equal(calls, 2);
});
