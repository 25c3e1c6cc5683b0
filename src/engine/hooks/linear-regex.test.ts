import assert from "node:assert/strict";
import { test } from "node:test";
import { RE2JS } from "re2js";
import { createHooks, type RegexEngine, useRegexEngine } from "../../index.ts";

test("the engine of regular expressions that was handed over is the one that is asked", (t) => {
  t.after(() => useRegexEngine(RE2JS));
  const asked: string[] = [];
  const engine: RegexEngine = {
    CASE_INSENSITIVE: 1,
    compile(source, flags) {
      asked.push(`${source} ${flags}`);
      return { matcher: (text) => ({ find: () => text === "Bash" }) };
    },
  };
  useRegexEngine(engine);
  const hooks = createHooks();
  hooks.on("tool.before", { match: "/^bash$/i" }, () => ({ carry_on: false }) as never);
  hooks.on("tool.before", { match: "/^ba/" }, () => undefined);
  assert.deepEqual(asked, ["^bash$ 1", "^ba 0"]);
});
