import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { loadPolicyFile } from "../../config/policy/load-policy.ts";
import { testNames, testPolicy } from "./policy-tests.ts";

const folder = join(import.meta.dirname, "../../../test/policies");

for (const [name, atLeast] of [
  ["hostile", 500],
  ["innocent", 250],
  ["self", 10],
  ["interactive", 400],
] as const) {
  suite(`the starter policy and what is ${name}`, () => {
    const { policy, tests } = loadPolicyFile(join(folder, `${name}.yaml`), testNames);

    test(`has at least ${atLeast} cases`, () => assert.ok(tests.length >= atLeast));

    test("are as expected, each by the rule it names", () => {
      const wrong = tests.flatMap((given) => {
        const { isAsExpected, verdict, rule } = testPolicy(policy, given, 0);
        return isAsExpected
          ? []
          : `${given.source.line}: ${given.expect} ${given.rule}, not ${verdict} ${rule}`;
      });
      assert.deepEqual(wrong, []);
    });
  });
}

test("every rule of the starter policy has a hostile case", () => {
  const { rules, tests } = loadPolicyFile(join(folder, "hostile.yaml"), testNames);
  const tested = new Set(
    [
      ...tests,
      ...["self", "interactive"].flatMap(
        (name) => loadPolicyFile(join(folder, `${name}.yaml`), testNames).tests,
      ),
    ].map(({ rule }) => rule),
  );
  // Cases have no files that could be read; src/policy/rules/detect/own-scripts.test.ts writes some.
  tested.add("self/scripts");
  assert.deepEqual(
    rules.map(({ rule }) => rule.id).filter((id) => !tested.has(id)),
    [],
  );
});

test("no rule of the starter policy has a regular expression: to load what reads them takes 40 ms of every call", () => {
  const { rules } = loadPolicyFile(join(folder, "hostile.yaml"), testNames);
  const values = rules.flatMap(({ rule: { when } }) => Object.values(when).flat());
  const words = values.flatMap((value) => String(value).split(/\s+/));
  assert.ok(words.length > 300);
  assert.deepEqual(
    words.filter((word) => /^!?\/.*\/i?$/.test(word)),
    [],
  );
});
