import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Verdict, verdicts } from "../events/decision.ts";
import { createHooks, deny, type Handler, type Hooks, type Outcome } from "../../index.ts";
import { manualClock } from "../testing/index.ts";

type Open = Record<string, unknown>;

const silent = { warn: () => undefined };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

// ── Merging ──────────────────────────────────────────────────────────────────────────────────────────────────────

const forbidden = ["__proto__", "constructor", "prototype"];

/** Ways to get a key that normal code cannot write into an object. */
const makers: Readonly<Record<string, (entries: readonly (readonly [string, unknown])[]) => Open>> = {
  parsed: (entries) =>
    JSON.parse(
      `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`,
    ),
  defined: (entries) => {
    const made = {};
    for (const [key, value] of entries) {
      Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return made;
  },
  inherited: (entries) => Object.create(makers.defined?.(entries) ?? null),
  bare: (entries) => Object.setPrototypeOf(makers.defined?.(entries) ?? {}, null),
};

const hostileObject = fc.letrec<{ object: Open; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>("masked", 1, true, null, []),
    tie("object"),
  ),
  object: fc
    .tuple(
      fc.constantFrom("parsed", "defined", "inherited", "bare"),
      fc.uniqueArray(
        fc.tuple(
          fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom("content", "rows", "polluted", "toString") },
            { weight: 1, arbitrary: fc.constantFrom(...forbidden) },
          ),
          tie("value"),
        ),
        { maxLength: 4, selector: ([key]) => key },
      ),
    )
    .map(([maker, entries]) => makers[maker]?.(entries) ?? {}),
})).object;

const hostileRewrite = fc.record({
  field: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("tool_output", "context") },
    { weight: 1, arbitrary: fc.constantFrom(...forbidden) },
  ),
  value: hostileObject,
  isOtherDialect: fc.boolean(),
});

test("no rewrite reaches a prototype, and none puts a forbidden key into a payload by merging", () => {
  const untouched = prototypesNow();
  fc.assert(
    fc.property(fc.array(hostileRewrite, { maxLength: 5 }), (rewrites) => {
      const hooks = createHooks({ log: silent });
      const tool_output: Open = { content: "4111", rows: 1 };
      const expected: Open = { tool_name: "query", tool_output };
      for (const { field, value, isOtherDialect } of rewrites) {
        const fields = makers.defined?.([[field, value]]);
        const answer = isOtherDialect ? { carry_on: true, mutation: fields } : { rewrite: fields };
        hooks.on("tool.after", (() => answer) as Handler<"tool.after">);
        if (forbidden.some((key) => keysOf(value).includes(key))) continue;
        if (field === "context") expected.context = value;
        if (field === "tool_output") {
          expected.tool_output = { ...(expected.tool_output as Open), ...value };
        }
      }
      const { data } = hooks.emit("tool.after", { tool_name: "query", tool_output }) as Outcome<"tool.after">;
      try {
        assert.deepEqual(prototypesNow(), untouched, "a prototype was changed");
      } finally {
        for (const shared of [Object.prototype, Object, Function.prototype]) {
          Reflect.deleteProperty(shared, "polluted");
        }
      }
      for (const merged of [data, data.tool_output as object]) {
        assert.equal(Object.getPrototypeOf(merged), Object.prototype);
        for (const key of forbidden) assert.ok(!Object.hasOwn(merged, key), `${key} got in`);
      }
      assert.deepEqual(data, expected);
      assert.deepEqual(tool_output, { content: "4111", rows: 1 }, "the caller's own object was changed");
    }),
    { numRuns: 3_000 },
  );
});

/** Own and inherited, as `for…in` sees them: a forbidden key is refused wherever it comes from. */
function keysOf(value: object): string[] {
  const keys: string[] = [];
  for (const key in value) keys.push(key);
  return keys;
}

function prototypesNow(): unknown[] {
  return [Object.prototype, Array.prototype, Function.prototype, Object].map((shared) => [
    Reflect.ownKeys(shared),
    Object.getPrototypeOf(shared),
  ]);
}

// ── Order ────────────────────────────────────────────────────────────────────────────────────────────────────────

const modes = ["transform", "guard", "observe"] as const;

const placed = fc.record({
  priority: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(-0, 0.5, -1e9, Number.MAX_VALUE)),
  mode: fc.constantFrom(...modes),
  isAsync: fc.boolean(),
});

test("hooks run by descending priority, first registered first, and are listed like that", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(placed, { maxLength: 25, size: "max" }), async (registered) => {
      const hooks = createHooks({ log: silent });
      const called: string[] = [];
      const named = registered.map((hook, at) => ({ ...hook, name: `hook ${at}` }));
      for (const { name, priority, mode, isAsync } of named) {
        hooks.on("tool.before", { name, priority, mode }, () => {
          called.push(name);
          return isAsync ? Promise.resolve() : undefined;
        });
      }
      await hooks.emit("tool.before", { tool_name: "x", tool_input: {} });
      await hooks.close();
      // The language's own sort is stable.
      const sorted = named.toSorted((a, b) => b.priority - a.priority);
      const expected = modes
        .flatMap((mode) => sorted.filter((hook) => hook.mode === mode))
        .map(({ name }) => name);
      assert.deepEqual(called, expected);
      assert.deepEqual(
        hooks.list().map(({ name }) => name),
        expected,
      );
    }),
    { numRuns: 500 },
  );
});

// ── Verdicts ─────────────────────────────────────────────────────────────────────────────────────────────────────

const judge = fc.record({
  does: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...verdicts) },
    { weight: 1, arbitrary: fc.constantFrom("throws", "hangs", "answers garbage") },
  ),
  pace: fc.constantFrom("at once", "soon", "a turn later"),
  mode: fc.constantFrom("transform", "guard"),
  onFailure: fc.constantFrom("allow", "deny"),
  priority: fc.integer({ min: -1, max: 1 }),
  isOtherDialect: fc.boolean(),
});

type Judge = typeof judge extends fc.Arbitrary<infer J> ? J : never;

test("the strictest verdict of all hooks is the decision's, however and whenever they give it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(judge, { maxLength: 8, size: "max" }), async (judges) => {
      const clock = manualClock();
      const hooks = createHooks({ clock, log: silent, trace: true });
      const called: string[] = [];
      const given = new Map<string, Verdict>();
      for (const [at, { does, mode, onFailure, priority, ...rest }] of judges.entries()) {
        const name = `hook ${at}`;
        const timeoutMs = does === "hangs" ? 10 : 30_000;
        given.set(name, isVerdict(does) ? does : onFailure === "deny" ? "deny" : "none");
        hooks.on("tool.before", { name, mode, onFailure, priority, timeoutMs }, () => {
          called.push(name);
          return answerOf({ does, mode, onFailure, priority, ...rest }, name) as undefined;
        });
      }
      const { decision, handlers, result } = await outcomeOf(hooks, clock);

      const strictest = [...given.values()].reduce(stricter, "none");
      assert.equal(decision.verdict, strictest);
      const speaker = decision.hook;
      if (strictest === "none") assert.equal(speaker, null);
      else assert.equal(given.get(speaker ?? ""), strictest, "the hook named gave that verdict");
      assert.equal(result?.status, strictest === "deny" ? "skipped_by_hook" : undefined);
      if (strictest !== "deny") assert.equal(called.length, judges.length, "everyone was asked");
      assert.equal(handlers.length, judges.length, "everyone is accounted for");
      for (const { name, verdict, status } of handlers) {
        if (status !== "skipped" && status !== "cancelled") assert.equal(verdict, given.get(name));
        else assert.equal(strictest, "deny", `${name} was ${status}`);
      }
      await hooks.close();
      assert.equal(clock.pendingTimers, 0);
    }),
    { numRuns: 700 },
  );
});

test("a transform that denies ends the chain: nobody after it is called", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(judge, { minLength: 1, maxLength: 8, size: "max" }), async (judges) => {
      const clock = manualClock();
      const hooks = createHooks({ clock, log: silent });
      const inOrder = ["transform", "guard"].flatMap((mode) =>
        judges.filter((each) => each.mode === mode).toSorted((a, b) => b.priority - a.priority),
      );
      const called: Judge[] = [];
      for (const each of judges) {
        const { mode, onFailure, priority, does } = each;
        const timeoutMs = does === "hangs" ? 10 : 30_000;
        hooks.on("tool.before", { mode, onFailure, priority, timeoutMs }, () => {
          called.push(each);
          return answerOf(each, "x") as undefined;
        });
      }
      const { decision } = await outcomeOf(hooks, clock);
      const denying = inOrder.findIndex((each) => each.mode === "transform" && denies(each));
      if (denying !== -1) {
        assert.deepEqual(called, inOrder.slice(0, denying + 1));
        assert.equal(decision.verdict, "deny");
      } else {
        assert.deepEqual(called, inOrder.slice(0, called.length));
      }
      await hooks.close();
    }),
    { numRuns: 300 },
  );
});

/** The outcome, with time moved on for as long as somebody hangs. */
async function outcomeOf(
  hooks: Hooks,
  clock: ReturnType<typeof manualClock>,
): Promise<Outcome<"tool.before">> {
  let outcome: Outcome<"tool.before"> | undefined;
  void Promise.resolve(hooks.emit("tool.before", { tool_name: "x", tool_input: {} })).then((value) => {
    outcome = value;
  });
  for (let turns = 0; turns < 20; turns++) {
    await turn();
    if (outcome !== undefined) return outcome;
    await clock.advance(50);
  }
  return assert.fail("there was no outcome");
}

function answerOf(judge: Judge, name: string): unknown {
  const { does, pace, isOtherDialect } = judge;
  if (does === "hangs") return new Promise(() => undefined);
  const answer = () => {
    if (does === "throws") throw new Error(`${name} is broken`);
    if (does === "answers garbage") return { verdikt: "allow" };
    if (does === "none") return undefined;
    if (does === "deny") return isOtherDialect ? { carry_on: false, reason: name } : deny(name);
    return { verdict: does, reason: name };
  };
  if (pace === "at once") return answer();
  return pace === "soon" ? Promise.resolve().then(answer) : turn().then(answer);
}

function denies({ does, onFailure }: Judge): boolean {
  return isVerdict(does) ? does === "deny" : onFailure === "deny";
}

function isVerdict(does: string): does is Verdict {
  return verdicts.some((verdict) => verdict === does);
}

function stricter(a: Verdict, b: Verdict): Verdict {
  const order = ["none", "allow", "ask", "defer", "deny"];
  return order.indexOf(a) > order.indexOf(b) ? a : b;
}
