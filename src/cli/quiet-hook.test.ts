import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { newId } from "../base/ids.ts";
import { approveProject } from "../policy/approvals/approve.cases.ts";
import type { NativeRequest } from "../agents/calls/native-request.ts";
import type { Runtime } from "../daemon/runtime/runtime.ts";
import { forgetSharedAnswers } from "../agents/calls/shared-answers.ts";
import { capturedCalls, type Fields, guardOfWrite, Place, silence, told } from "./quiet-place.cases.ts";

test("what concerns no hook is answered without the store, and recorded by whoever opens it next", async (t) => {
  const place = new Place(t);
  await place.learn();
  const before = place.late().length;
  assert.deepEqual(await place.quietly(), silence);
  assert.equal(place.late().length, before + 1);
  const ids = place.late().map(({ id }) => id);
  // Two at once: each entry is recorded by one of them.
  const idsOf = async ({ store }: Runtime) =>
    (await store.listRunEvents({ limit: 100 })).map(({ id }) => id).filter((id) => ids.includes(id));
  for (const found of await Promise.all([place.open(idsOf), place.open(idsOf)]))
    assert.deepEqual(found.toReversed(), ids);
  assert.deepEqual(place.late(), []);
});

test("the answer and the row are the same by both ways, for every call that was captured", async (t) => {
  const [quiet, long] = [new Place(t), new Place(t)];
  await quiet.learn();
  const calls = capturedCalls(quiet.cwd);
  let quietCount = 0;
  for (const { file, request } of calls) {
    // A value that is new to the book is learnt from the same call, which is then taken for one that never came.
    await quiet.long(request);
    forgetSharedAnswers(quiet.home);
    const answered = await quiet.quietly(request);
    const expected = await long.long(request);
    if (answered === null) continue;
    quietCount++;
    assert.deepEqual(answered, expected, file);
    assert.deepEqual(told(quiet.late().at(-1)), told(await long.lastRow()), file);
  }
  t.diagnostic(`${quietCount} of ${calls.length} captured calls concern nobody`);
  assert.ok(quietCount > calls.length * 0.8, `${quietCount} of ${calls.length}`);
});

test("the same call by two settings files has one row", async (t) => {
  const place = new Place(t);
  await place.learn();
  const [before, twice] = [place.late().length, place.call()];
  const answers = await Promise.all([place.quietly(twice), place.quietly(twice)]);
  assert.deepEqual([...answers, place.late().length], [silence, silence, before + 1]);
});

suite("a call is evaluated the long way", () => {
  const calls: readonly (readonly [what: string, fields: Fields, more?: Partial<NativeRequest>])[] = [
    ["when a hook is for its tool", { tool_name: "Write", tool_input: { file_path: "/a", content: "" } }],
    ["when its tool was never seen", { tool_name: "Unheard" }],
    ["when its entry is not a guard's, and there is a guard for its event", {}, { isGuard: false }],
    ["when its payload does not fit", { tool_name: 7 }],
    ["when its folder is gone", { cwd: "/nowhere/at/all" }],
    ["when nobody knows who calls", {}, { agent: "nobody", env: {} }],
    ["when its input is no object", {}, { input: "[]" }],
  ];
  for (const [what, fields, more] of calls) {
    test(what, async (t) => {
      const place = new Place(t);
      await place.learn();
      assert.equal(await place.quietly(place.call(fields, more)), null);
    });
  }

  const changes: readonly (readonly [what: string, change: (place: Place) => unknown])[] = [
    ["the user's file", ({ home }) => appendFileSync(join(home, "config.yaml"), "# more\n")],
    [
      "another file of the same size and time in the place of the user's",
      ({ home }) => {
        const file = join(home, "config.yaml");
        copyFileSync(file, `${file}.new`);
        renameSync(`${file}.new`, file);
      },
    ],
    ["no file of the user's", ({ home }) => rmSync(join(home, "config.yaml"))],
    ["a swarm.yaml in the folder", ({ cwd }) => writeFileSync(join(cwd, "swarm.yaml"), "hooks: []\n")],
    ["a swarm.yaml above it", ({ cwd }) => writeFileSync(join(cwd, "../swarm.yaml"), "hooks: []\n")],
    ["a swarm.yaml that leads nowhere", ({ cwd }) => symlinkSync("/nowhere", join(cwd, "swarm.yaml"))],
    ["a flag", (place) => place.open(({ flags }) => flags.set("traces", true, "human:test"))],
    ["a hook switched", (place) => place.open(({ switches }) => switches.set("h", false, "h", "human:test"))],
    [
      "another database",
      ({ home }) => {
        copyFileSync(join(home, "swarm.db"), join(home, "copy.db"));
        renameSync(join(home, "copy.db"), join(home, "swarm.db"));
      },
    ],
    ["no database", ({ home }) => rmSync(join(home, "swarm.db"))],
    ["a home others may write to", ({ home }) => chmodSync(home, 0o777)],
    ["a folder of books others may write to", ({ home }) => chmodSync(join(home, "quiet"), 0o770)],
    ["a book others may write", ({ book }) => chmodSync(book, 0o622)],
    [
      "a book that is a link",
      ({ home, book }) => {
        renameSync(book, join(home, "elsewhere"));
        symlinkSync(join(home, "elsewhere"), book);
      },
    ],
    ["half a book", ({ book }) => writeFileSync(book, readFileSync(book, "utf8").slice(0, -9))],
    ["an old book", (place) => place.editBook((book) => ({ ...book, made_at_ms: Date.now() - 3_600_001 }))],
    ["a book of tomorrow", (place) => place.editBook((book) => ({ ...book, made_at_ms: Date.now() + 9e7 }))],
    ["the book of another folder", (place) => place.editBook((book) => ({ ...book, cwd: "/" }))],
    ["a book of another program", (place) => place.editBook((book) => ({ ...book, program: "/other.js" }))],
    [
      "256 entries that wait",
      ({ home }) => {
        for (let at = 0; at < 256; at++) writeFileSync(join(home, "late", newId("evt")), "");
      },
    ],
    [
      "no place for an entry",
      ({ home }) => {
        rmSync(join(home, "late"), { recursive: true });
        writeFileSync(join(home, "late"), "");
      },
    ],
  ];
  for (const [what, change] of changes) {
    test(`after a change: ${what}`, async (t) => {
      const place = new Place(t);
      await place.learn();
      await change(place);
      assert.equal(await place.quietly(), null);
    });
  }

  test("after a change of the owner", { skip: process.getuid?.() !== 0 && "needs root" }, async (t) => {
    for (const own of [(place: Place) => place.book, (place: Place) => place.home]) {
      const place = new Place(t);
      await place.learn();
      chownSync(own(place), 65_534, 65_534);
      assert.equal(await place.quietly(), null);
    }
  });

  test("while the environment sets what is logged", async (t) => {
    const place = new Place(t);
    await place.learn();
    process.env.SWARM_LOG_HOOKS = "debug";
    t.after(() => delete process.env.SWARM_LOG_HOOKS);
    assert.equal(await place.quietly(), null);
  });

  test("after a change of a policy's file, of which events without rules are quiet", async (t) => {
    const place = new Place(t, "policy: { use: ./rules.yaml }\n");
    const rules = join(place.home, "rules.yaml");
    writeFileSync(rules, "rules:\n  - { id: no-write, when: { tool: Write }, behaviour: deny }\n");
    const after = { hook_event_name: "PostToolUse", tool_response: {} };
    await place.learn(after);
    assert.deepEqual(await place.quietly(place.call(after)), silence);
    appendFileSync(rules, "# more\n");
    assert.equal(await place.quietly(place.call(after)), null);
  });

  const own = (config: string) => async (t: TestContext) => {
    const place = new Place(t, config);
    const other = new Place(t);
    // By then the files are old enough.
    await other.learn();
    for (let tries = 0; tries < 3; tries++) await place.long();
    assert.equal(await place.quietly(), null);
  };
  test("where a variable is in the configuration", own(`${guardOfWrite}# \${HOME}\n`));
  test("where rows must survive a power loss", own("audit: { durability: power_loss }\n"));
  test("where spans are sent", own("traces: true\n"));
  test("where hooks are logged", own("logging: { hooks: debug }\n"));
});

test("a project's guards keep every tool on the long way, approved or not; its other hooks only their own", async (t) => {
  const place = new Place(t, "hooks: []\n");
  const hook = (name: string, more: string) =>
    `  - { event: tool.before, type: command, name: ${name}, match: Write, command: exit 0${more} }\n`;
  const file = join(place.cwd, "swarm.yaml");
  writeFileSync(file, `hooks:\n${hook("other", "")}`);
  await place.learn();
  assert.equal(await place.quietly(place.call({ tool_name: "Write" })), null);
  writeFileSync(file, `hooks:\n${hook("guard", ", on_failure: deny")}`);
  await place.open((runtime) => approveProject(runtime, place.cwd));
  await place.learn({ hook_event_name: "Stop" });
  await place.long();
  assert.equal(await place.quietly(), null);
});

test("what was learnt outlives calls that are evaluated the long way, and what is decided does not", async (t) => {
  const place = new Place(t);
  await place.learn();
  await place.learn({ tool_name: "Read" });
  assert.equal((await place.long(place.call({ tool_name: "Write", tool_input: {} }))).exitCode, 0);
  assert.deepEqual(await place.quietly(), silence);
  await place.open(({ flags }) => flags.set("hooks_enabled", false, "human:test"));
  assert.equal(await place.quietly(), null);
  await place.learn({ tool_name: "Write" });
  await place.open(({ flags }) => flags.unset("hooks_enabled", "human:test"));
  assert.equal(await place.quietly(place.call({ tool_name: "Write" })), null);
});

test("what could not be left is nobody's claim: the long way judges it at once", async (t) => {
  const place = new Place(t);
  await place.learn();
  await place.open(() => undefined);
  rmSync(join(place.home, "late"), { recursive: true });
  const call = place.call();
  // A folder in the place of the entry's own cannot be made: its parent is a file by then.
  writeFileSync(join(place.home, "late"), "");
  assert.equal(await place.quietly(call), null);
  rmSync(join(place.home, "late"));
  assert.deepEqual(await place.long(call), silence);
});
