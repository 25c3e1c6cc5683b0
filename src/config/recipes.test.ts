import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testNames, testPolicy } from "../policy/rules/policy-tests.ts";
import { hookWarnings } from "./hook-warnings.ts";
import { loadConfig } from "./load.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/recipes.md"), "utf8");
const recipes = [...page.matchAll(/^## (.*)$|^```yaml\n# (config|swarm)\.yaml\n([\s\S]*?)^```$/gm)];
const env = { SLACK_URL: "https://hooks.slack.com/services/T/B/X", PAGERDUTY_KEY: "a-key" };

let heading = "";
let count = 0;
for (const [, title, file, text = ""] of recipes) {
  if (title !== undefined) heading = title;
  if (file === undefined) continue;
  count++;
  test(`the recipe ${heading} (${count}) loads without a warning, and its cases are as it says`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), "swarm-recipes-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const [home, project] = [join(folder, "home"), join(folder, "project")];
    for (const each of [home, project]) mkdirSync(each);
    writeFileSync(file === "config" ? join(home, "config.yaml") : join(project, "swarm.yaml"), text);
    const { hooks, policy } = loadConfig({ home, cwd: project, env, names: testNames });
    assert.ok(hooks.length > 0 || policy.rules.length > 0, "it has hooks or rules");
    assert.deepEqual(hooks.flatMap(hookWarnings), []);
    const wrong = policy.tests
      .map((each) => ({ each, result: testPolicy(policy.policy, each, 0) }))
      .filter(({ result }) => !result.isAsExpected)
      .map(({ each, result }) => [each.input, each.expect, result.verdict, result.rule]);
    assert.deepEqual(wrong, []);
    assert.equal(policy.tests.length > 0, policy.rules.length > 0, "rules have cases");
  });
}

test("every recipe of the page was found", () => {
  assert.equal(count, page.match(/^```yaml$/gm)?.length);
  assert.ok(count >= 7, String(count));
});
