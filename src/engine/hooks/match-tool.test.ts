import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Spelling } from "../events/tool-names.ts";
import { mayMatchTool, surelyMatchesTool } from "./match-tool.ts";
import { compileMatcher } from "./matcher.ts";

const may = (pattern: string, name: string, spelling: Spelling) =>
  mayMatchTool(compileMatcher("test", pattern), { name, spelling });

suite("a matcher for a tool whose name an agent has changed", () => {
  for (const [pattern, name] of [
    ["mcp:my.server/do it", "mcp:my_server/do_it"],
    ["mcp:my.server/do it", "mcp:my-server/do-it"],
    ["mcp:my server/*", "mcp:my_server/touch"],
    ["mcp:My Srv/Touch/My", "mcp:My-Srv/Touch-My"],
    ["mcp:My Srv/Touch", "mcp:my-srv/touch"],
    ["mcp:s/Ünï", "mcp:s/_n_"],
    ["mcp:s/Ünï", "mcp:s/n_"],
    ["mcp:s/日本", "mcp:s/__"],
    ["Bash|mcp:my.server/x", "mcp:my_server/x"],
    ["*server/touch", "mcp:my_server/touch"],
    ["*my.server*", "mcp:my-server/touch"],
    ["mcp:a_b-c/*", "mcp:a_b_c/d_e"],
    ["mcp:*", "mcp:my_server/x"],
  ] as const) {
    test(`${pattern} is for ${name}`, () => assert.equal(may(pattern, name, "changed"), true));
  }

  for (const [pattern, name] of [
    ["mcp:my.server/do it", "mcp:my_server/do_that"],
    ["mcp:server/*", "mcp:my_server/touch"],
    ["mcp:my/*", "mcp:my_server/touch"],
    ["shell", "mcp:shell/run"],
    ["*.txt", "mcp:a/b"],
    ["Bash", "mcp:a/Bash"],
  ] as const) {
    test(`${pattern} is not for ${name}`, () => assert.equal(may(pattern, name, "changed"), false));
  }

  test("is taken at its word where the name is exact", () => {
    assert.equal(may("mcp:my.server/x", "mcp:my.server/x", "exact"), true);
    assert.equal(may("mcp:my.server/x", "mcp:my_server/x", "exact"), false);
  });

  test("is for whatever a cut name may have been", () => {
    const cut = (pattern: string) => may(pattern, "mcp:probe/tou", "cut");
    const fit = ["mcp:probe/touch", "mcp:probe/*", "mcp:p*", "mcp:probe/touch_all*", "*", "*touch"];
    assert.deepEqual(
      fit.filter((pattern) => !cut(pattern)),
      [],
    );
    assert.deepEqual(["mcp:probe/to", "mcp:probe/read", "mcp:other/*", "shell"].filter(cut), []);
    assert.equal(may("mcp:probe-server/touch", "mcp:probe-ser", "cut"), true);
  });

  test("is for any server where none is named", () => {
    const named = (pattern: string) => may(pattern, "mcp:?/touch", "no_server");
    const fit = [
      "mcp:probe/touch",
      "mcp:*",
      "mcp:probe/*",
      "mcp:pro*",
      "mcp:*/touch",
      "mcp:probe/t*h",
      "*touch",
    ];
    assert.deepEqual(
      fit.filter((pattern) => !named(pattern)),
      [],
    );
    assert.deepEqual(["mcp:probe/read", "mcp:probe", "shell", "mcp:*/read"].filter(named), []);
  });

  test("that is a regular expression is asked about the agent's spelling", () => {
    assert.equal(may("/^mcp:my[._]server\\//", "mcp:my_server/x", "changed"), true);
    assert.equal(may("/^mcp:my\\.server\\//", "mcp:my_server/x", "changed"), false);
  });
});

test("a matcher is surely for a tool when it is whatever the tool may be, as it is spelled", () => {
  const sure = (pattern: string, ...names: string[]) =>
    surelyMatchesTool(
      compileMatcher("test", pattern),
      names.map((name) => ({ name, spelling: "changed" as const })),
    );
  assert.equal(sure("mcp:a/*", "mcp:a/b"), true);
  assert.equal(sure("mcp:a/*", "mcp:a/b_c", "mcp:a_b/c"), false);
  assert.equal(sure("mcp:*", "mcp:a/b_c", "mcp:a_b/c"), true);
  assert.equal(sure("mcp:a.b/*", "mcp:a_b/c"), false);
  assert.equal(sure("*"), false);
  const uncertain = (spelling: Spelling) =>
    surelyMatchesTool(compileMatcher("test", "mcp:a/*"), [{ name: "mcp:a/b", spelling }]);
  assert.deepEqual((["exact", "changed", "cut", "no_server"] as const).map(uncertain), [
    true,
    true,
    false,
    false,
  ]);
});
