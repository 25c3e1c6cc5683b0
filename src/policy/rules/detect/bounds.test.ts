import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { loadPolicyFile } from "../../../config/policy/load-policy.ts";
import { testNames, testPolicy } from "../policy-tests.ts";

const { policy } = loadPolicyFile(
  join(import.meta.dirname, "../../../../test/policies/innocent.yaml"),
  testNames,
);

const where = { event: "tool.before", kind: null, role: null, agent: null, cwd: null, timeMs: null } as const;
const long = (piece: string) => piece.repeat(60_000 / piece.length);
const bash = (command: string) => ({ name: "Bash", input: { command } });

/** Each took 8 to 18 s before what looks at it was bounded, and takes some 50 ms. */
const cases = {
  "a path with our folder in it thousands of times": bash(`foo ${long("~/.swarm/")}`),
  "empty lines in a file that is read at the start": {
    name: "Write",
    input: { file_path: "~/.bashrc", content: `swarm ${long("\n")}` },
  },
  "code that kills without end": bash(`python3 -c "swarm ${long("kill.")}"`),
  "a text that says our name without end": { name: "mcp__t__do", input: { text: long("swarm trust ") } },
};

suite("judging takes bounded time", () => {
  for (const [name, given] of Object.entries(cases)) {
    test(name, () => {
      const begun = performance.now();
      testPolicy(policy, { ...where, expect: "none", rule: null, folders: [], ...given }, 0);
      assert.ok(performance.now() - begun < 3_000);
    });
  }
});
