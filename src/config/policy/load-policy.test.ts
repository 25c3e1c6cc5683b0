import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, suite, test } from "node:test";
import { problemOf } from "../harness.cases.ts";
import { loadConfig } from "../load.ts";
import { loadPolicyFile } from "./load-policy.ts";

let root = "";
let home = "";
let project = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-policy-")));
  [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, project]) mkdirSync(folder);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const user = (text: string) => write("home/config.yaml", text);
const load = () => loadConfig({ home, cwd: project, env: {} }).policy;
const ids = () => load().rules.map(({ rule }) => rule.id);
const problem = (text: string) => {
  user(text);
  return problemOf(load)
    .replaceAll(root, "")
    .replace(/^SWARM_CONFIG_INVALID /, "");
};
const rule = (id: string, rest = "behaviour: deny") => `{ id: ${id}, ${rest} }`;

suite("a policy", () => {
  test("is read from the user's file, with what it uses, then from the project's", () => {
    user(`policy: { use: [./team.yaml, ${root}/more.yaml], rules: [${rule("mine")}] }`);
    write("home/team.yaml", `rules: [${rule("team")}]`);
    write("more.yaml", `use: ./home/team.yaml\nrules: [${rule("more")}]`);
    write("project/swarm.yaml", `policy: { rules: [${rule("theirs")}] }`);
    assert.deepEqual(
      ids().filter((id) => !id.startsWith("self/")),
      ["team", "more", "mine", "theirs"],
    );
    const { files, rules } = load();
    assert.deepEqual(files, [join(home, "team.yaml"), join(root, "more.yaml")]);
    assert.deepEqual(rules[0]?.source, { file: join(home, "team.yaml"), line: 1, column: 9 });
  });

  test("may be a name, a list of names, a map, or nothing", () => {
    write("home/a.yaml", `rules: [${rule("a")}]`);
    for (const [text, first] of [
      ["policy: starter", "starter/git-overwrite-remote"],
      ["policy: [./a.yaml, starter]", "a"],
      [`policy: { rules: [${rule("x")}] }`, "x"],
      ["policy:", undefined],
      ["policy: { rules: }", undefined],
      ["hooks: []", undefined],
    ] as const) {
      user(text);
      assert.equal(ids()[0], first, text);
    }
  });

  test("without a rule judges nothing; with one it also protects itself", () => {
    user("policy: { rules: [] }");
    assert.deepEqual([load().policy, ids()], [null, []]);
    user(`policy: { rules: [${rule("x")}] }`);
    assert.deepEqual(
      ids().filter((id) => id.startsWith("self/")),
      [
        "self/decisions",
        "self/scripts",
        "self/files",
        "self/secrets",
        "self/folder",
        "self/any-change",
        "self/folder-around",
        "self/project-rules",
        "self/daemon",
        "self/startup-files",
        "self/raw-access",
        "self/assembled",
        "self/agents-without-hooks",
        "self/hook-variables",
        "self/unread",
        "self/typed-input",
      ],
    );
  });

  test("leaves out what the user has disabled", () => {
    user("policy: { use: starter, disable: [starter/publish, self/files] }");
    const { policy, disabled, rules } = load();
    assert.deepEqual(disabled, ["starter/publish", "self/files"]);
    assert.equal(rules.length - (policy?.rules.length ?? 0), 2);
  });

  test("of several conditions keeps what was written", () => {
    user(`policy:
  rules:
    - id: x
      behaviour: ask
      reason: why
      priority: 3
      when:
        tool: shell
        args_pattern: { command: "*x*" }
        path: a/**
        detect: [opaque]
        time_window: Mon-Fri
`);
    assert.deepEqual(load().rules[0]?.rule, {
      id: "x",
      behaviour: "ask",
      reason: "why",
      priority: 3,
      when: {
        tool: "shell",
        args_pattern: { command: "*x*" },
        path: ["a/**"],
        detect: ["opaque"],
        time_window: ["Mon-Fri"],
      },
    });
  });
});

suite("a policy that says something without a meaning is refused, with its place", () => {
  for (const [text, expected] of [
    [
      "policy: strater",
      '/home/config.yaml:1:9: there is no policy "strater", expected starter or a file such as ./policy.yaml, did you mean "starter"?',
    ],
    ["policy: ./gone.yaml", '/home/config.yaml:1:9: the policy "/home/gone.yaml" is not there'],
    [
      "policy: 7",
      "/home/config.yaml:1:9: the policy is no name, expected starter, a file, a list of them, or a map with rules",
    ],
    [
      "policy: { rule: [] }",
      '/home/config.yaml:1:11: unknown key "rule" in the policy, did you mean "rules"?',
    ],
    ["policy: { rules: 7 }", "/home/config.yaml:1:18: expected a list"],
    [
      "policy: { rules: [{ id: x }] }",
      "/home/config.yaml:1:19: the rule has no behaviour, expected allow or deny or ask",
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: denny")}] }`,
      '/home/config.yaml:1:39: behaviour is "denny", expected allow or deny or ask, did you mean "deny"?',
    ],
    [
      `policy: { rules: [${rule("'a b'")}] }`,
      '/home/config.yaml:1:25: id is "a b", expected letters, digits, . _ - and one /',
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: deny, when: { tol: shell }")}] }`,
      '/home/config.yaml:1:53: unknown key "tol" in when, did you mean "tool"?',
    ],
    [`policy: { rules: [${rule("x", "behaviour: deny, when: { tool: '/(/' }")}] }`, /1:59: .*when\.tool/],
    [`policy: { rules: [${rule("x", "behaviour: deny, when: { tool: '/(?=a)/' }")}] }`, /1:59: .*when\.tool/],
    [
      `policy: { rules: [${rule("x", "behaviour: deny, when: { args_pattern: { n: 5 } }")}] }`,
      "/home/config.yaml:1:72: args_pattern has 5, expected text; a number needs quotes",
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: deny, when: { path: ../x }")}] }`,
      /expected a path without \.\./,
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: deny, when: { path: 'a?b' }")}] }`,
      /\? has no meaning in a path/,
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: deny, when: { detect: git_overwrite_remote }")}] }`,
      /did you mean "git_overwrites_remote"\?/,
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: deny, when: { event: tool.befor }")}] }`,
      /did you mean "tool\.before"\?/,
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: deny, when: { time_window: 9-17 }")}] }`,
      /expected days, hours or both/,
    ],
    [
      `policy: { rules: [${rule("x", "behaviour: allow")}] }`,
      "/home/config.yaml:1:19: the rule allows everything, expected a when that narrows it",
    ],
    [
      `policy: { rules: [${rule("x")}, ${rule("x")}] }`,
      /rule "x" is already declared at \/home\/config\.yaml:1:19, expected an id used once/,
    ],
    [
      "policy: { use: starter, disable: starter/pubish }",
      '/home/config.yaml:1:34: disable names "starter/pubish", expected the id of a rule, did you mean "starter/publish"?',
    ],
    [
      "policy: { tests: [{ tool: x }] }",
      "/home/config.yaml:1:19: the test has no expect, expected allow or deny or ask or none",
    ],
    [
      "policy: { tests: [{ expect: deny }] }",
      "/home/config.yaml:1:19: the test has no tool, no command and no name, expected one",
    ],
  ] as const) {
    test(text, () => {
      if (typeof expected === "string") assert.equal(problem(text), expected);
      else assert.match(problem(text), expected);
    });
  }

  test("in a file it uses, with that file's place", () => {
    write("home/a.yaml", "rules:\n  - { id: x, behaviour: nope }\n");
    assert.match(problem("policy: ./a.yaml"), /^\/home\/a\.yaml:2:25: behaviour is "nope"/);
  });

  test("when policies use each other in a circle, each still counts once", () => {
    write("home/a.yaml", `use: ./b.yaml\nrules: [${rule("a")}]`);
    write("home/b.yaml", `use: ./a.yaml\nrules: [${rule("b")}]`);
    user("policy: ./a.yaml");
    assert.deepEqual(ids().slice(0, 2), ["b", "a"]);
  });
});

suite("a project's policy", () => {
  const inProject = (text: string) => {
    write("project/swarm.yaml", text);
    return problemOf(load)
      .replaceAll(root, "")
      .replace(/^SWARM_CONFIG_INVALID /, "");
  };

  test("may deny and ask", () => {
    assert.equal(inProject(`policy: { use: starter, rules: [${rule("x", "behaviour: ask")}] }`), "no error");
  });

  test("may not allow, not even through a file it uses", () => {
    const allow = rule("x", "behaviour: allow, when: { tool: Read }");
    const refusal = "behaviour is allow, expected deny or ask: a project's file may only add stricter rules";
    assert.equal(inProject(`policy: { rules: [${allow}] }`), `/project/swarm.yaml:1:39: ${refusal}`);
    write("project/p.yaml", `rules: [${allow}]`);
    assert.equal(inProject("policy: ./p.yaml"), `/project/p.yaml:1:29: ${refusal}`);
  });

  test("may not disable, and may not change a rule of the user's", () => {
    assert.match(
      inProject("policy: { use: starter, disable: starter/publish }"),
      /disable belongs in the user's config\.yaml/,
    );
    user(`policy: { rules: [${rule("x")}] }`);
    assert.match(
      inProject(`policy: { rules: [${rule("x", "behaviour: ask")}] }`),
      /rule "x" is already declared/,
    );
  });
});

suite("exceptions", () => {
  const ruleOf = (id: string) => load().rules.find((each) => each.rule.id === id)?.rule;

  test("of any rule stand in the user's file, by the rule's id, and are added to the rule's own", () => {
    const own = "{ command: git status, reason: mine }";
    user(
      `policy: { use: starter, rules: [${rule("mine", `behaviour: deny, except: ${own}`)}] }\n` +
        "policy_exceptions:\n  - { rule: mine, line: ls, until: 2030-01-01 }\n  - { rule: starter/publish, line: npm publish }\n  - { rule: of-another-project, line: ls }\n",
    );
    const none = { when: {}, line: null, input: null, folder: null, until: null, reason: null };
    assert.deepEqual(ruleOf("mine")?.except, [
      { ...none, when: { command: ["git status"] }, reason: "mine" },
      { ...none, line: "ls", until: "2030-01-01" },
    ]);
    assert.deepEqual(ruleOf("starter/publish")?.except, [{ ...none, line: "npm publish" }]);
    assert.equal(ruleOf("starter/git-overwrite-remote")?.except, undefined);
  });

  test("change the digest by which the record tells one version of the rules from another", () => {
    user("policy: starter\n");
    const before = load().policy?.digest;
    user("policy: starter\npolicy_exceptions: [{ rule: starter/publish, line: npm publish }]\n");
    assert.notEqual(load().policy?.digest, before);
  });

  test("of a rule elsewhere are not a project's to make; of its own rules they are", () => {
    user("policy: starter\n");
    write("project/swarm.yaml", "policy_exceptions: [{ rule: starter/publish, line: npm publish }]");
    assert.match(problemOf(load), /policy_exceptions belongs in the user's config\.yaml/);
    write(
      "project/swarm.yaml",
      `policy: { rules: [${rule("starter/publish", "behaviour: deny, except: { line: x }")}] }`,
    );
    assert.match(problemOf(load), /rule "starter\/publish" is already declared/);
    write(
      "project/swarm.yaml",
      `policy: { rules: [${rule("theirs", "behaviour: deny, except: { line: x }")}] }`,
    );
    assert.equal(ruleOf("theirs")?.except?.length, 1);
  });

  test("that are of everything, or say what has no meaning, are refused at their place", () => {
    const of = (text: string) =>
      problem(`policy: { rules: [${rule("r", `behaviour: deny, except: [${text}]`)}] }`);
    assert.match(
      of("{ reason: x }"),
      /:1:\d+: the exception is of everything, expected a condition that narrows it/,
    );
    assert.match(of("{ line: x, until: soon }"), /until is "soon", expected a time/);
    assert.match(of("{ line: x, folder: src }"), /folder is "src", expected an absolute path/);
    assert.match(of("{ lin: x }"), /unknown key "lin" in the exception, did you mean "line"/);
    assert.match(of("{ input: x }"), /input is no map/);
    assert.match(problem("policy_exceptions: [{ line: x }]"), /the exception has no rule/);
  });
});

test("a rule's mode is enforce unless it says warn or shadow", () => {
  user(`policy: { rules: [${rule("a")}, ${rule("b", "behaviour: deny, mode: shadow")}] }`);
  assert.deepEqual(
    load()
      .rules.slice(0, 2)
      .map((each) => each.rule.mode),
    [undefined, "shadow"],
  );
  assert.match(
    problem(`policy: { rules: [${rule("a", "behaviour: deny, mode: shadows")}] }`),
    /did you mean "shadow"/,
  );
});

test("a policy file may be the file with hooks that people have, and a project's may not allow there either", () => {
  const names = { home, swarmHome: home };
  const file = join(project, "swarm.yaml");
  const idsIn = () =>
    loadPolicyFile(file, names)
      .rules.map((each) => each.rule.id)
      .slice(0, 1);
  write("project/swarm.yaml", `hooks: []\npolicy: { rules: [${rule("a")}] }`);
  assert.deepEqual(idsIn(), ["a"]);
  write("project/swarm.yaml", "hooks: []\n");
  assert.deepEqual(idsIn(), []);
  write("project/swarm.yaml", "policy: { rules: [{ id: a, behaviour: allow, when: { command: ls } }] }");
  assert.match(problemOf(idsIn), /a project's file may only add stricter rules/);
  write("project/swarm.yaml", "polcy: {}\nhooks: []\n");
  assert.match(problemOf(idsIn), /SWARM_CONFIG|unknown key/);
});
