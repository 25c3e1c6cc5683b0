import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import fc from "fast-check";
import { loadPolicyFile } from "../config/policy/load-policy.ts";
import type { Outcome } from "../engine/events/outcome.ts";
import type { conditionOrder } from "../policy/rules/conditions/compile-when.ts";
import { namesOf } from "../policy/rules/files/path-names.ts";
import { behaviours } from "../policy/rules/rule.ts";
import { approveProject } from "../policy/approvals/approve.cases.ts";
import type { NativeRequest } from "../agents/calls/native-request.ts";
import { sealed } from "../daemon/runtime/quiet-book.ts";
import type { Runtime } from "../daemon/runtime/runtime.ts";
import { forgetSharedAnswers } from "../agents/calls/shared-answers.ts";
import { judgeByRules } from "./judge-hook.ts";
import { capturedCalls, type Fields, Place, silence, told } from "./quiet-place.cases.ts";

/** Denies `ls`, asks before `cat`, allows `pwd`, and says nothing of anything else. */
const fourRules = `policy:
  rules:
    - { id: no-ls, when: { command: [ls] }, behaviour: deny, reason: not that, priority: 3 }
    - { id: see-cat, when: { command: [cat] }, behaviour: ask }
    - { id: yes-pwd, when: { command: [pwd] }, behaviour: allow, reason: fine }
    - { id: no-secret, when: { path: [/**/secret] }, behaviour: deny }
`;
const shell = (command: string): Fields => ({ tool_input: { command } });
const denied = (answer: { readonly stdout: string } | null) =>
  /"permissionDecision":"deny"/.test(answer?.stdout ?? "");

test("a call that only rules concern is judged without the store, and its row waits like that of a quiet one", async (t) => {
  const place = new Place(t, fourRules);
  await place.learn(shell("echo"));
  assert.deepEqual(await place.quietly(place.call(shell("echo"))), silence);
  assert.ok(denied(await place.quietly(place.call(shell("ls -la")))));
  assert.equal(await place.quietly(place.call(shell("cat x"))), null, "a person has to be asked");
  const [row] = place.late().slice(-1);
  assert.deepEqual([row?.verdict, row?.hook, row?.outcome], ["deny", "policy:no-ls", "denied"]);
  // Tools the book has never seen as well: nobody but the rules listens.
  assert.deepEqual(await place.quietly(place.call({ tool_name: "Unheard", tool_input: {} })), silence);
  const read = { tool_name: "Read", tool_input: { file_path: "/a/secret" } };
  assert.ok(denied(await place.quietly(place.call(read))));
});

suite("the answer and the row are the same by both ways", () => {
  const policies = { starter: "policy: starter\n", "rules of all kinds": fourRules } as const;
  for (const [name, config] of Object.entries(policies)) {
    test(`for every call that was captured, by ${name}`, async (t) => {
      const [short, long] = [new Place(t, config), new Place(t, config)];
      await short.learn(shell("echo"));
      let count = 0;
      for (const { file, request } of capturedCalls(short.cwd)) {
        const answered = await short.quietly(request);
        if (answered === null) continue;
        count++;
        assert.deepEqual(answered, await long.long(request), file);
        assert.deepEqual(told(short.late().at(-1)), told(await long.lastRow()), file);
      }
      t.diagnostic(`${count} captured calls`);
      assert.ok(count > 55, `${count}`);
    });
  }

  test("for what each rule says, in every agent's words", async (t) => {
    const [short, long] = [new Place(t, fourRules), new Place(t, fourRules)];
    await short.learn(shell("echo"));
    const verdicts = new Set<unknown>();
    for (const { file, request } of capturedCalls(short.cwd)) {
      for (const command of ["ls", "pwd", "cat x", "echo"]) {
        const asked = { ...request, input: withCommand(request.input, command) };
        if (asked.input === request.input) continue;
        const answered = await short.quietly(asked);
        if (answered === null) continue;
        assert.deepEqual(answered, await long.long(asked), `${file}: ${command}`);
        const row = short.late().at(-1);
        verdicts.add(row?.verdict);
        assert.deepEqual(told(row), told(await long.lastRow()), `${file}: ${command}`);
      }
      await short.open(() => undefined); // 256 may wait
    }
    assert.deepEqual([...verdicts].sort(), ["allow", "deny", "none"]);
  });
});

/** The same call with another command, in whichever argument it is. */
function withCommand(input: string, command: string): string {
  return JSON.stringify(JSON.parse(input), (key, value) => (key === "command" ? command : value));
}

/** What the engine of a runtime says, as far as it does not hang on the time. */
async function byRuntime(runtime: Runtime, cwd: string, data: Fields) {
  const { hooks, hookOf } = runtime.project(cwd).inForce;
  const outcome = (await hooks.emit("tool.before", data as never, { cwd, source: "claude-code" })) as Outcome;
  return seen(outcome, hookOf);
}

function byBook(place: Place, data: Fields) {
  const call = { event: "tool.before", data, origin: { cwd: place.cwd, source: "claude-code" } } as never;
  const judged = judgeByRules(place.readBook(), call);
  return judged && seen(judged, judged.hookOf);
}

function seen(
  { decision, handlers }: Pick<Outcome, "decision" | "handlers">,
  hookOf: (name: string) => object | undefined,
) {
  return {
    decision: { ...decision },
    known: decision.hook === null ? null : hookOf(decision.hook),
    handlers: handlers.map((handler) => ({ ...handler, ms: 0, known: hookOf(handler.name) })),
  };
}

test("every spelling of the starter's corpus is judged alike by the book and by an engine made of the files", async (t) => {
  const place = new Place(t, "policy: starter\n");
  await place.learn(shell("echo"));
  const folder = join(import.meta.dirname, "../../test/policies");
  const cases = ["hostile", "innocent", "self"].flatMap((name) => {
    const { tests } = loadPolicyFile(join(folder, `${name}.yaml`), namesOf(place.home, process.env));
    return tests.filter(({ event }) => event === "tool.before");
  });
  const counts = { deny: 0, ask: 0, none: 0, allow: 0 } as Record<string, number>;
  await place.open(async (runtime) => {
    for (const { name, input, source } of cases) {
      const data = { tool_name: name, tool_input: input };
      const expected = await byRuntime(runtime, place.cwd, data);
      const { verdict } = expected.decision;
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      assert.deepEqual(
        byBook(place, data),
        verdict === "ask" ? null : expected,
        `${source.file}:${source.line}`,
      );
    }
  });
  t.diagnostic(JSON.stringify(counts));
  assert.ok((counts.deny ?? 0) > 100 && (counts.none ?? 0) > 200, JSON.stringify(counts));
});

const names = fc.constantFrom(
  "Bash",
  "Write",
  "Read",
  "mcp__github__push",
  "shell",
  "write",
  "*",
  "/^B/",
  "W*|R*",
);
const values = {
  event: fc.constantFrom("tool.before", "tool.*", "*"),
  tool: names,
  kind: names,
  name: names,
  agent: fc.constantFrom("claude-code", "codex", "*"),
  role: fc.constantFrom("reviewer", "*"),
  time_window: fc.constantFrom(["00:00-12:00 UTC"], ["12:00-00:00 UTC"], ["Mon-Fri 08:00-17:00"]),
  args_pattern: fc.constantFrom<unknown>("*secret*", { command: "ls*" }, { file_path: "/^\\/etc/" }),
  command: fc.constantFrom(["ls"], ["git push --force|-f"], ["rm"], ["npm publish !--dry-run"]),
  detect: fc.constantFrom(["opaque"], ["deletes_outside_project"], ["runs_download", "git_discards_work"]),
  path: fc.constantFrom(["/etc/**"], ["/**/secret"], ["~/**", "!~/x"], ["$SWARM_HOME/**"], ["src/*"]),
  write_path: fc.constantFrom(["/**"], ["src/**"], ["$SWARM_HOME/**"]),
  change_path: fc.constantFrom(["/**/.claude/settings.json", "$INSTALLED_HOOKS"], ["src/**"]),
} as const satisfies Record<(typeof conditionOrder)[number], fc.Arbitrary<unknown>>;
const rule = fc.record({
  behaviour: fc.constantFrom(...behaviours),
  priority: fc.integer({ min: -3, max: 3 }),
  reason: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: undefined }),
  when: fc.record(values, { requiredKeys: [] }).filter((when) => Object.keys(when).length > 0),
});
const commands = [
  "ls",
  "ls; rm -rf /",
  "git push -f",
  "cat /etc/passwd > src/a",
  "curl x | sh",
  "npm publish",
];
const calls: readonly Fields[] = [
  ...commands.map((command) => ({ tool_name: "Bash", tool_input: { command } })),
  { tool_name: "Write", tool_input: { file_path: "/etc/passwd", content: "secret" } },
  { tool_name: "Read", tool_input: { file_path: "src/secret" } },
  { tool_name: "mcp__github__push", tool_input: { args: ["a secret"] } },
];

test("random rules judge alike after they were in a book", async (t) => {
  const sample = fc.sample(fc.array(rule, { minLength: 1, maxLength: 6 }), 40);
  for (const rules of sample) {
    const declared = rules.map((each, at) => ({ id: `r${at}`, ...each }));
    const place = new Place(t, JSON.stringify({ policy: { rules: declared } }));
    await place.open(async (runtime) => {
      const { policy } = runtime.project(place.cwd).config.policy;
      // As it is written and read again; the book's own way is the tests' above.
      const kept = JSON.parse(JSON.stringify(policy?.rules));
      const book = { rules: kept, names: namesOf(place.home, process.env), cwd: place.cwd };
      for (const data of calls) {
        const expected = await byRuntime(runtime, place.cwd, data);
        const call = { event: "tool.before", data, origin: { cwd: place.cwd, source: "claude-code" } };
        const judged = judgeByRules(book as never, call as never);
        const isAsk = expected.decision.verdict === "ask";
        assert.deepEqual(
          judged && seen(judged, judged.hookOf),
          isAsk ? null : expected,
          JSON.stringify(rules),
        );
      }
    });
  }
});

suite("a call is judged the long way, and denied as ever", () => {
  const changes: readonly (readonly [what: string, change: (place: Place) => unknown])[] = [
    ["the user's file", ({ home }) => appendFileSync(join(home, "config.yaml"), "# more\n")],
    ["no file of the user's", ({ home }) => rmSync(join(home, "config.yaml"))],
    ["a rule's file", ({ home }) => appendFileSync(join(home, "rules.yaml"), "# more\n")],
    ["a swarm.yaml in the folder", ({ cwd }) => writeFileSync(join(cwd, "swarm.yaml"), "hooks: []\n")],
    ["a swarm.yaml above it", ({ cwd }) => writeFileSync(join(cwd, "../swarm.yaml"), "hooks: []\n")],
    ["a flag", (place) => place.open(({ flags }) => flags.set("hooks_enabled", false, "human:test"))],
    ["a hook switched", (place) => place.open(({ switches }) => switches.set("h", false, "h", "human:test"))],
    [
      "a project approved",
      async (place) => {
        const file = join(place.cwd, "../../elsewhere/swarm.yaml");
        mkdirSync(join(file, ".."));
        writeFileSync(file, "hooks:\n  - { event: tool.before, type: command, name: it, command: exit 0 }\n");
        await place.open((runtime) => approveProject(runtime, join(file, "..")));
      },
    ],
    [
      "another database",
      ({ home }) => {
        copyFileSync(join(home, "swarm.db"), join(home, "copy.db"));
        renameSync(join(home, "copy.db"), join(home, "swarm.db"));
      },
    ],
    ["another key", ({ home }) => appendFileSync(join(home, "audit-key.pem"), "\n")],
    ["no key", ({ home }) => rmSync(join(home, "audit-key.pem"))],
    ["a home others may write to", ({ home }) => chmodSync(home, 0o777)],
    ["a book others may write", ({ book }) => chmodSync(book, 0o622)],
    ["half a book", ({ book }) => writeFileSync(book, readFileSync(book, "utf8").slice(0, -9))],
    ["an empty book", ({ book }) => writeFileSync(book, "")],
    [
      "a book somebody has taken a rule out of",
      ({ book }) =>
        writeFileSync(book, readFileSync(book, "utf8").replace('"behaviour":"deny"', '"behaviour":"allow"')),
    ],
    [
      "a book somebody has made who has no key",
      (place) => {
        const text = JSON.stringify({
          ...place.readBook(),
          rules: [],
          ruled: {},
          quiet: { "tool.before": true },
        });
        const elsewhere = join(place.folder, "elsewhere");
        mkdirSync(elsewhere);
        writeFileSync(join(elsewhere, "audit-key.pem"), "mine");
        writeFileSync(place.book, sealed(elsewhere, text));
      },
    ],
    [
      "the book of another home folder",
      (place) => place.editBook((book) => ({ ...book, names: { home: "/", swarmHome: "/" } })),
    ],
    [
      "a book with a rule nobody can compile",
      (place) => place.editBook((book) => ({ ...book, rules: [{ when: { tool: 7 } }] })),
    ],
  ];
  for (const [what, change] of changes) {
    test(`after a change: ${what}`, async (t) => {
      const place = await ruledPlace(t);
      await change(place);
      assert.equal(await place.quietly(place.call(shell("ls"))), null);
      if (what === "no file of the user's" || what.endsWith("key")) return;
      forgetSharedAnswers(place.home);
      assert.ok(denied(await place.long(place.call(shell("ls")))));
    });
  }

  test("after a change of the owner", { skip: process.getuid?.() !== 0 && "needs root" }, async (t) => {
    const place = await ruledPlace(t);
    chownSync(place.book, 65_534, 65_534);
    assert.equal(await place.quietly(place.call(shell("ls"))), null);
  });

  test("after a change of what comes with the package", async (t) => {
    const place = await ruledPlace(t);
    const files = Object.keys(place.readBook().files);
    for (const name of ["starter", "self"]) {
      for (const ending of [`policies/${name}.yaml`, `dist/policies/${name}.json`])
        assert.ok(
          files.some((file) => file.endsWith(`/${ending}`)),
          ending,
        );
    }
    // Theirs are everybody's: the stamp is changed in their place.
    const file = files.find((each) => each.endsWith("/policies/starter.yaml")) ?? "";
    place.editBook((book) => ({ ...book, files: { ...book.files, [file]: "another" } }));
    assert.equal(await place.quietly(place.call(shell("ls"))), null);
  });

  test("when its entry is not a guard's", async (t) => {
    const place = await ruledPlace(t);
    assert.equal(await place.quietly(place.call(shell("ls"), { isGuard: false })), null);
  });

  test("when a hook is for its tool too, and only then", async (t) => {
    const hook =
      "hooks:\n  - { event: tool.before, type: command, name: it, match: Write, command: exit 0 }\n";
    const place = new Place(t, `${fourRules}${hook}`);
    await place.learn(shell("echo"));
    assert.ok(denied(await place.quietly(place.call(shell("ls")))));
    for (let tries = 0; tries < 3; tries++)
      await place.long(place.call({ tool_name: "Write", tool_input: {} }));
    assert.equal(await place.quietly(place.call({ tool_name: "Write", tool_input: {} })), null);
  });

  const never = (config: string) => async (t: TestContext) => {
    const place = new Place(t, config);
    await place.learn({ hook_event_name: "Stop" });
    for (let tries = 0; tries < 3; tries++) await place.long();
    assert.equal(await place.quietly(), null);
    assert.deepEqual(place.readBook().ruled, {});
  };
  test(
    "where somebody calls a hook like the rules",
    never(`${fourRules}hooks:\n  - { event: session.start, type: command, name: policy, command: exit 0 }\n`),
  );
  const many = Array.from(
    { length: 900 },
    (_, at) => `  - { id: r${at}, behaviour: deny, when: { tool: ${"x".repeat(400)} } }\n`,
  );
  test(
    "where there are more rules than are worth it",
    never(`policy:\n  rules:\n${many.join("  ")}`.replace("rules:\n  -", "rules:\n    -")),
  );
});

/** With the starter's rules and one of its own, in a file of theirs, and a book. */
async function ruledPlace(t: TestContext): Promise<Place> {
  const place = new Place(t, "policy: { use: [starter, ./rules.yaml] }\n");
  const rules = "rules:\n  - { id: no-ls, when: { command: [ls] }, behaviour: deny }\n";
  writeFileSync(join(place.home, "rules.yaml"), rules);
  await place.learn(shell("echo"));
  assert.ok(denied(await place.quietly(place.call(shell("ls")))));
  return place;
}

test("the same denied call by two settings files has one row, and both are denied", async (t) => {
  const place = await ruledPlace(t);
  const [before, twice]: [number, NativeRequest] = [place.late().length, place.call(shell("ls"))];
  const answers = await Promise.all([place.quietly(twice), place.quietly(twice)]);
  assert.deepEqual([...answers.map(denied), place.late().length], [true, true, before + 1]);
});
