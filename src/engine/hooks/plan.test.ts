import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { limits } from "../../base/limits.ts";
import type { Mode } from "../events/outcome.ts";
import { defineHook, type Hook } from "./definition.ts";
import { makePlan, type Plan, PlanCache, runsBefore } from "./plan.ts";
import { EventHooks } from "./registry.ts";

let sequence = 0;

function hook(name: string, options: { match?: string; mode?: Mode; priority?: number } = {}): Hook {
  return defineHook("tool.before", { name, ...options }, () => undefined, ++sequence);
}

const namesOf = (hooks: readonly Hook[]) => hooks.map(({ name }) => name);

test("a plan holds the matching transforms, then the matching guards, and the observers apart", () => {
  const hooks = [
    hook("watch", { mode: "observe" }),
    hook("judge", { mode: "guard", match: "Bash|Write" }),
    hook("other", { match: "Read" }),
    hook("change", { match: "B*" }),
    hook("late judge", { mode: "guard" }),
    hook("change all"),
  ];
  const plan = makePlan(hooks, "Bash");
  assert.deepEqual(namesOf(plan.deciders), ["change", "change all", "judge", "late judge"]);
  assert.deepEqual(namesOf(plan.observers), ["watch"]);
  assert.equal(plan.isEmpty, false);
});

test("without a value only the hooks that match everything are planned", () => {
  const hooks = [hook("all"), hook("any name", { match: "**" }), hook("named", { match: "Bash" })];
  assert.deepEqual(namesOf(makePlan(hooks, undefined).deciders), ["all"]);
  assert.deepEqual(namesOf(makePlan(hooks, "").deciders), ["all", "any name"]);
});

test("a plan of nothing is empty, one of observers alone is not", () => {
  assert.equal(makePlan([], "Bash").isEmpty, true);
  assert.equal(makePlan([hook("named", { match: "Read" })], "Bash").isEmpty, true);
  assert.equal(makePlan([hook("watcher", { mode: "observe" })], "Bash").isEmpty, false);
});

test("a higher priority runs before a lower one, and the first registered before the second", () => {
  const [low, high, first, second] = [
    hook("low", { priority: -1 }),
    hook("high", { priority: 10.5 }),
    hook("first"),
    hook("second"),
  ];
  assert.equal(runsBefore(high, low), true);
  assert.equal(runsBefore(low, high), false);
  assert.equal(runsBefore(first, second), true);
  assert.equal(runsBefore(second, first), false);
  assert.equal(runsBefore(first, first), false);
  assert.equal(runsBefore(first, low), true);
});

const planOf = (): Plan => ({ deciders: [], observers: [], isEmpty: true, ifCommand: null });

test("a kept plan is found again, also the one for no value", () => {
  const cache = new PlanCache();
  const [named, unnamed] = [planOf(), planOf()];
  cache.set("Bash", named);
  cache.set(undefined, unnamed);
  assert.equal(cache.get("Bash"), named);
  assert.equal(cache.get(undefined), unnamed);
  assert.equal(cache.get("undefined"), undefined);
  assert.equal(cache.get("Read"), undefined);
  assert.equal(cache.get("__proto__"), undefined);
});

test("however many names are invented, two generations of plans are kept at most", () => {
  const cache = new PlanCache();
  let largest = 0;
  for (let at = 0; at < 100_000; at++) {
    cache.set(`invented_${at}`, planOf());
    largest = Math.max(largest, cache.size);
  }
  assert.equal(largest, 2 * limits.cachedPlans);
});

test("a name in use keeps its plan through any number of invented ones", () => {
  const cache = new PlanCache();
  const hot = Array.from({ length: 20 }, (_, at) => [`hot_${at}`, planOf()] as const);
  for (const [name, plan] of hot) cache.set(name, plan);
  for (let at = 0; at < 50_000; at++) {
    cache.set(`invented_${at}`, planOf());
    const [name, plan] = hot[at % hot.length] ?? [];
    assert.equal(cache.get(name), plan, `${name} after ${at} invented names`);
  }
});

test("a name that is no longer used goes with the generation after the next", () => {
  const cache = new PlanCache();
  cache.set("once", planOf());
  for (let at = 0; at < 2 * limits.cachedPlans; at++) cache.set(`invented_${at}`, planOf());
  assert.equal(cache.get("once"), undefined);
});

test("moving a plan to the young generation keeps it once", () => {
  const cache = new PlanCache();
  const plan = planOf();
  cache.set("hot", plan);
  for (let at = 0; at < limits.cachedPlans; at++) cache.set(`invented_${at}`, planOf());
  const before = cache.size;
  assert.equal(cache.get("hot"), plan);
  assert.equal(cache.get("hot"), plan);
  assert.equal(cache.size, before);
});

test("the plan of an endless name is not kept, that of a long one is", () => {
  const cache = new PlanCache();
  cache.set("x".repeat(limits.cachedNameChars + 1), planOf());
  assert.equal(cache.size, 0);
  cache.set("x".repeat(limits.cachedNameChars), planOf());
  assert.equal(cache.size, 1);
});

test("whatever is set and asked for, a plan found is the last one set, and the cache stays bounded", () => {
  const step = fc.record({ isSet: fc.boolean(), name: fc.nat({ max: 1_500 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 3_000, maxLength: 5_000, size: "max" }), (steps) => {
      const cache = new PlanCache();
      const last = new Map<string, Plan>();
      for (const { isSet, name: number } of steps) {
        const name = `tool_${number}`;
        if (isSet) {
          const plan = planOf();
          cache.set(name, plan);
          last.set(name, plan);
        } else {
          const found = cache.get(name);
          if (found !== undefined) assert.equal(found, last.get(name));
        }
        assert.ok(cache.size <= 2 * limits.cachedPlans);
      }
    }),
    // Thousands of steps take too long to shrink.
    { numRuns: 20, endOnFailure: true },
  );
});

test("a matcher is asked once per name, and again only after the hooks have changed", () => {
  let asked = 0;
  const hooks = new EventHooks("tool.before");
  const counting = (name: string): Hook => ({
    ...hook(name, { match: "never" }),
    matcher: {
      isAlways: false,
      test: () => {
        asked++;
        return false;
      },
    },
  });
  const first = counting("counting 1");
  hooks.add(first);
  hooks.add(counting("counting 2"));
  const data = { tool_name: "deploy", tool_input: {} };
  const plan = hooks.planFor(data, undefined);
  assert.equal(asked, 2);
  assert.equal(hooks.planFor({ ...data }, undefined), plan);
  assert.equal(asked, 2);
  hooks.planFor({ ...data, tool_name: "restart" }, undefined);
  assert.equal(asked, 4);
  hooks.remove(first);
  hooks.planFor(data, undefined);
  assert.equal(asked, 5);
  hooks.planFor(data, undefined);
  assert.equal(asked, 5);
});
