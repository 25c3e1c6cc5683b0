import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { Facts } from "../facts.ts";
import { place, policyOf, said, shell, toolCall } from "../harness.cases.ts";
import { pathForms } from "./path-forms.ts";
import { readArguments } from "./read-arguments.ts";

const writes = policyOf({ when: { write_path: ["/home/user/.swarm/**"] } });
const reads = policyOf({ when: { path: ["/home/user/.swarm/**"] } });
const pushes = policyOf({ when: { command: ["git push --force"] } });
const target = "/home/user/.swarm/config.yaml";

/** Arguments with a text somewhere among others, under any names, in lists, objects and JSON. */
function around(text: string) {
  const names = fc
    .string({ minLength: 1, maxLength: 12 })
    .filter((name) => !/content|string|text$|str$/i.test(name));
  const others = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(text),
      fc.tuple(names, tie("value"), others).map(([name, value, other]) => ({ other, [name]: value })),
      fc.tuple(tie("value"), others).map(([value, other]) => [other, value]),
      tie("value").map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
    ),
  })).value;
}

/** JSON within JSON is read four deep. */
const isDeep = (value: unknown): boolean => JSON.stringify(value).includes("\\".repeat(15));

suite("a path anywhere among the arguments of a tool nobody knows", () => {
  test("is written", () =>
    fc.assert(
      fc.property(around(target), (value) => {
        fc.pre(!isDeep(value));
        assert.equal(said(writes.judge(toolCall("mcp__x__y", { value }), place)), "deny r1");
      }),
      { numRuns: 1_000 },
    ));

  test("is read by a tool that is known to only read, unless it is given more than that takes", () => {
    for (const [name, input, expected] of [
      ["mcp__filesystem__read_file", { path: target }, "none"],
      ["mcp__other__read_multiple_files", { paths: [target] }, "none"],
      ["mcp__filesystem__read_file", { path: target, save_to: "x" }, "deny r1"],
      ["mcp__x__read_and_update", { path: target }, "deny r1"],
      ["mcp__x__search_replace", { path: target }, "deny r1"],
      ["read_file_and_write", { path: target }, "deny r1"],
    ] as const) {
      assert.equal(said(writes.judge(toolCall(name, input), place)), expected, name);
      assert.equal(said(reads.judge(toolCall(name, input), place)), "deny r1", name);
    }
  });

  test("may be put together of a folder and a name beside it, or around it", () => {
    const policy = policyOf({ when: { write_path: ["/srv/keys/secret"] } });
    for (const input of [
      { dir: "/srv/keys", name: "secret" },
      { root: "/srv", files: [{ name: "keys/secret" }] },
      { workspace: "../keys", item: "secret" },
      { folder: "file:///srv/keys", target: { id: "secret" } },
    ])
      assert.equal(said(policy.judge(toolCall("mcp__x__y", input), place)), "deny r1", JSON.stringify(input));
    const apart = { dir: "/srv/keys", title: "secret" };
    assert.equal(said(policy.judge(toolCall("mcp__x__y", apart), place)), "none");
  });

  test("counts in arguments that are a list or a text", () => {
    for (const input of [[target], JSON.stringify({ path: target }), [JSON.stringify([target])]]) {
      assert.ok(new Facts(toolCall("x", { input }), place).files.some(({ path }) => path.text === target));
    }
  });

  test("is not what stands in a file that is written", () => {
    const input = { path: "a.json", content: JSON.stringify({ path: target }) };
    assert.equal(said(writes.judge(toolCall("mcp__x__write_file", input), place)), "none");
  });
});

test("a command anywhere among them is one", () =>
  fc.assert(
    fc.property(
      around("git push --force"),
      fc.constantFrom("command", "cmd", "code", "input", "script"),
      (value, key) => {
        fc.pre(!isDeep(value));
        for (const input of [
          { [key]: value },
          { a: [{ b: { [key]: value } }] },
          { a: JSON.stringify({ [key]: value }) },
        ])
          assert.equal(said(pushes.judge(toolCall("mcp__x__y", input), place)), "deny r1");
      },
    ),
  ));

test("any arguments at all are read without a mistake of ours", () =>
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (name, input) => {
      for (const policy of [writes, reads, pushes]) policy.judge(toolCall(`mcp__${name}`, input), place);
    }),
    { numRuns: 500 },
  ));

suite("more arguments than are looked at", () => {
  const many = Array.from({ length: 30_000 }, (_, at) => `f${at}`);
  const nested = (depth: number): string =>
    depth === 0 ? JSON.stringify({ a: 1 }) : JSON.stringify({ a: nested(depth - 1) });

  for (const [what, input] of [
    ["texts", { many }],
    ["paths", { many: many.slice(0, 5_000).map((name) => `/${name}`) }],
    ["JSON in JSON", { a: nested(6) }],
    ["JSON", { a: JSON.stringify(["x".repeat(2 * 1024 * 1024)]) }],
    ["folders", Object.fromEntries(many.slice(0, 20).map((name) => [name, `/${name}`]))],
  ] as const) {
    test(`(${what}) may name any file: what forbids one holds, what allows one does not`, () => {
      const call = toolCall("mcp__x__y", input);
      const allowing = policyOf({ behaviour: "allow", when: { path: ["/**"] } });
      assert.equal(said(writes.judge(call, place)), "deny r1");
      assert.equal(said(allowing.judge(call, place)), "none");
      assert.equal(said(policyOf({ when: { detect: ["unread"] } }).judge(call, place)), "deny r1");
    });
  }

  test("of a shell are told, too", () => {
    const unread = policyOf({ when: { detect: ["unread"] } });
    const isUnread = (line: string) => said(unread.judge(shell(line), place)) === "deny r1";
    assert.ok(isUnread(`ls ${"x".repeat(300_000)}`));
    assert.ok(isUnread("ls; ".repeat(2_000)));
    assert.ok(isUnread(`ls ${many.slice(0, 5_000).join(" ")}`));
    assert.ok(isUnread(`${"eval ".repeat(14)}ls`));
    assert.ok(isUnread(`python3 -c '${"x=1;".repeat(20_000)}'`));
    assert.ok(!isUnread(`eval "$X"; ls -la`));
  });

  test("and code that is too long are told, whatever tool it is given to", () => {
    const call = toolCall("mcp__x__y", { code: `${"x='1';".repeat(20_000)}f()` });
    assert.equal(said(policyOf({ when: { detect: ["unread"] } }).judge(call, place)), "deny r1");
  });

  test("are read in linear time: each is looked at once", () => {
    const groups = (count: number) =>
      readArguments({ root: "/a", files: Array.from({ length: count }, (_, at) => ({ name: `n${at}` })) })
        .groups.length;
    assert.equal(groups(5_000), 5_001);
  });
});

suite("the paths a text may stand for", () => {
  const forms = (text: string) => pathForms(text, place);

  for (const [text, path] of [
    ["FILE:///a/b", "/a/b"],
    ["file:/a/b", "/a/b"],
    ["file:a/b", "a/b"],
    ["file://localhost/a/b", "/a/b"],
    ["file://a/b", "a/b"],
    ["file:///a/b?x#y", "/a/b"],
    ["file:///%61/b", "/a/b"],
    ["file:///%ff%61/b", "/\u00ffa/b"],
    ["file:///C:/a/b", "/a/b"],
    ["vscode://file/a/b:3:4", "/a/b:3:4"],
    ["vscode-remote://wsl+debian/a/b", "/a/b"],
    ["view-source:file:///a/b", "/a/b"],
    ["a%2fb", "a/b"],
    ["C:\\a\\b", "/a/b"],
    ["c:/a/b", "/a/b"],
    ["a\\b", "a/b"],
    ["\\\\wsl.localhost\\Debian\\a\\b", "/a/b"],
    ["~", "/home/user"],
    ["~/a", "/home/user/a"],
    ["~user/a", "/home/user/a"],
    ["~other/a", "/home/other/a"],
    ["$HOME/a", "/home/user/a"],
    ["$\x7bHOME}/a", "/home/user/a"],
    ["$env:USERPROFILE\\a", "/home/user/a"],
    ["%USERPROFILE%\\a", "/home/user/a"],
    ["$\x7bworkspaceFolder}/a", "/srv/project/a"],
    ["$PWD/a", "/srv/project/a"],
    ["$SWARM_HOME/a", "/home/user/.swarm/a"],
    ["$X/a", "\uE000/a"],
    ["a.ts:10", "a.ts"],
    ["a.ts:10:2", "a.ts"],
    [" a \n", "a"],
    ['"a b"', "a b"],
    ["a\0.txt", "a"],
    ["a\r\nb", "a"],
    ["a*", "a\uE001"],
  ] as const) {
    test(`${JSON.stringify(text)} is ${JSON.stringify(path)}`, () =>
      assert.ok(forms(text).includes(path), forms(text).join()));
  }

  test("of an address of another machine are none", () => {
    for (const text of ["https://example.com/.env", "HTTP://x/y", "ssh://x/y", "s3://x/y", "postgres://x/y"])
      assert.deepEqual(forms(text), []);
  });

  test("are few, whatever the text is", () =>
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => assert.ok(forms(text).length <= 64))));
});
