import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { SwarmError } from "../../src/base/errors.ts";
import { fileKeys, hookKeys } from "../../src/config/keys.ts";
import { loadConfig } from "../../src/config/load.ts";
import { hostileJson, hostileText } from "./harness.ts";

const sample = `
hooks:
  - { event: tool.before, type: command, name: guard, match: "A|/x+/", mode: guard, on_failure: deny, command: exit 0 }
  - event: turn.end
    type: webhook
    url: https://example.com/x
    secret: "\${S}"
    when: { path: "src/**", args: { a: b* } }
mcp_servers: { s: { command: node, args: [a], env: { A: b } } }
policy:
  rules: [{ id: a, behaviour: deny, when: { command: [rm -rf, git push], path: ~/.ssh/** }, reason: no }]
env: { allow: [S] }
`;

/** Cuts, copies and scribbles. */
const edits = fc.array(
  fc.tuple(
    fc.nat(sample.length),
    fc.nat(12),
    fc.oneof(
      fc.constantFrom("{", "[", ": ", "\n", "\t", "&a", "*a", "!!", "<<: ", "- ", "|", '"', "#", "---\n"),
      hostileText,
    ),
  ),
  { minLength: 1, maxLength: 2 },
);
const edited = edits.map((all) =>
  all.reduce((text, [at, length, more]) => `${text.slice(0, at)}${more}${text.slice(at + length)}`, sample),
);

const hook = fc.record(
  Object.fromEntries(
    ["event", ...Object.keys(hookKeys)].map((key) => [
      key,
      fc.oneof(hostileJson, fc.constantFrom("tool.before", "command", "exit 0", "http://a", 1, true)),
    ]),
  ),
  { requiredKeys: ["event", "type"] },
);
const shaped = fc.record(
  Object.fromEntries(
    Object.keys(fileKeys).map((key) => [
      key,
      key === "hooks" ? fc.array(hook, { maxLength: 3 }) : hostileJson,
    ]),
  ),
  { requiredKeys: [] },
);

test("whatever stands in a configuration file, it is loaded or refused with a code, in the user's place and a project's", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swarm-fuzz-"));
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  for (const made of [home, cwd]) mkdirSync(made);
  t.after(() => rmSync(folder, { recursive: true }));
  let loaded = 0;
  const text = fc.oneof(
    edited,
    shaped.map((value) => JSON.stringify(value)),
    hostileJson.map((value) => JSON.stringify(value)),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  const property = fc.property(text, fc.boolean(), (written, isUsers) => {
    writeFileSync(join(home, "config.yaml"), isUsers ? written : "");
    writeFileSync(join(cwd, "swarm.yaml"), isUsers ? "" : written);
    try {
      const { hooks } = loadConfig({ home, cwd, env: { HOME: folder, S: "s" } });
      assert.ok(Array.isArray(hooks));
      loaded++;
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      assert.notEqual(error.code, "SWARM_INTERNAL");
      assert.ok(error.message.length < 4_000, "a message somebody can read");
    }
  });
  fc.assert(property, { numRuns: 200 });
  assert.ok(loaded > 5, `only ${loaded} were taken: too hostile to tell anything`);
});
