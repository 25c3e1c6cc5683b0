import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ParseError, parse } from "jsonc-parser";
import type { SwarmError } from "../../base/errors.ts";
import type { AdapterCase } from "./adapter.cases.ts";
import type { AgentSettings, InstalledHook, OtherHook, WantedHook } from "./adapter.ts";
import { protectionCases } from "./protection.cases.ts";
import { settingsTexts } from "./settings-texts.cases.ts";

/** What there is to know of an agent's settings file to try it. */
export interface SettingsCase {
  /** What the list of an event holds: groups of hooks, or hooks. `own file`: it is no list in JSON, but a file that is only ours. */
  readonly lists: "groups" | "hooks" | "own file";
  /** What moves the user's file; null: nothing does. */
  readonly moved: NodeJS.ProcessEnv | null;
  /** What a file that is only ours says besides `hooks`. */
  readonly root?: Readonly<Record<string, unknown>>;
}

export function settingsCases(given: AdapterCase): void {
  const { agent, events, settings } = given.adapter;
  const { lists, moved, root = {} } = given.settings;
  test("it knows the file of each scope, and what moves the user's one", () => {
    const folders = { home: "/home/user", project: "/workspace/project", env: {} };
    const [user, project] = [settings.file("user", folders), settings.file("project", folders)];
    assert.ok(user.startsWith(`${settings.home(folders)}/`), user);
    assert.ok(settings.home(folders).startsWith("/home/user/."), settings.home(folders));
    assert.ok(project.startsWith("/workspace/project/."), project);
    if (moved === null) return;
    const env = moved;
    assert.match(settings.file("user", { ...folders, env }), /^\/moved\//);
    assert.match(settings.home({ ...folders, env }), /^\/moved(\/|$)/);
    assert.equal(settings.file("project", { ...folders, env }), project);
  });
  protectionCases(given.adapter, moved);
  if (lists === "own file") return;
  jsonCases(agent, [...new Set(events.map(({ native }) => native))], settings, lists, root);
}

function jsonCases(
  agent: string,
  natives: readonly string[],
  settings: AgentSettings,
  lists: "groups" | "hooks",
  root: Readonly<Record<string, unknown>>,
): void {
  const wanted = wantedHooks(agent, natives);
  const texts = settingsTexts(natives, lists);
  const [native = ""] = natives;
  const isGrouped = lists === "groups";
  /** A hook of the user's own, and the same as it stands in an event's list. */
  const own = { type: "command", command: "./check.sh" };
  const ownEntry = isGrouped ? { hooks: [own] } : own;
  /** The hook within an entry of a list. */
  const hookIn = (entry: { hooks: object[] }) =>
    (isGrouped ? entry.hooks[0] : entry) as Record<string, unknown>;

  const always = (what: string, check: (text: string, wanted: readonly WantedHook[]) => void): void => {
    test(what, () => fc.assert(fc.property(texts, wanted, check), { numRuns: 300 }));
  };

  always("what is installed and uninstalled again is to the byte what it was", (text, hooks) => {
    assert.equal(settings.uninstall(settings.install(text, hooks)), text);
  });

  always("installing twice is installing once, and the last time counts", (text, hooks) => {
    const once = settings.install(text, hooks);
    assert.equal(settings.install(once, hooks), once);
    const guards = hooks.map((hook) => ({ ...hook, argv: [...hook.argv, "--guard"] }) as WantedHook);
    assert.equal(settings.install(once, guards), settings.install(text, guards));
  });

  always("what is installed is found again, and nothing else of the file has changed", (text, hooks) => {
    const after = settings.install(text, hooks);
    assert.deepEqual(sorted(settings.installed(after)), sorted(hooks));
    assert.deepEqual(settings.others(after), settings.others(text));
    assert.deepEqual(withoutHooks(after), isBlank(text) ? root : withoutHooks(text));
    assert.deepEqual(settings.installed(text), []);
  });

  always("a hook changed where it stands is what installing it so would have made of it", (text, hooks) => {
    const guarded = ({ argv, ...hook }: WantedHook): WantedHook => ({ ...hook, argv: [...argv, "--guard"] });
    const installed = settings.install(text, hooks);
    const amended = settings.amend(installed, guarded);
    assert.equal(amended, settings.install(text, hooks.map(guarded)));
    assert.equal(settings.uninstall(amended), text);
    assert.equal(
      settings.amend(installed, (hook) => hook),
      installed,
    );
    assert.equal(settings.amend(text, guarded), text);
  });

  always("hooks of the user's own go one by one, and ours and all else stays", (text, hooks) => {
    const installed = settings.install(text, hooks);
    const others = settings.others(installed);
    const gone = others.filter((_, at) => at % 2 === 0);
    const after = settings.remove(installed, gone);
    const hooksIn = (list: readonly OtherHook[]) => list.map(({ group, hook }) => ({ group, hook }));
    const kept = others.filter((hook) => !gone.includes(hook));
    assert.deepEqual(hooksIn(settings.others(after)), hooksIn(kept));
    assert.deepEqual(sorted(settings.installed(after)), sorted(hooks));
    assert.deepEqual(withoutHooks(after), withoutHooks(installed));
    assert.ok(!isJson(installed) || isJson(after));
    assert.deepEqual(settings.others(settings.remove(installed, others)), []);
    assert.equal(settings.remove(installed, []), installed);
  });

  test("a matcher and a key somebody gave our hook outlive a change of it", () => {
    const hook: WantedHook = { native, argv: ["/bin/swarm-hook", agent, "--guard"], timeoutS: 60 };
    const file = JSON.parse(settings.install(null, [hook]));
    const [entry] = file.hooks[native];
    entry.matcher = "Bash";
    hookIn(entry).statusMessage = "…";
    const slower = { ...hook, timeoutS: 90 };
    const amended = JSON.parse(settings.amend(JSON.stringify(file, null, 2), () => slower));
    const [usual] = JSON.parse(settings.install(null, [slower])).hooks[native];
    usual.matcher = "Bash";
    hookIn(usual).statusMessage = "…";
    assert.deepEqual(amended, { ...file, hooks: { [native]: [usual] } });
    const plain = { ...hook, argv: ["/bin/swarm-hook", agent] } as const;
    const [left] = JSON.parse(settings.amend(JSON.stringify(file), () => plain)).hooks[native];
    const [unguarded] = JSON.parse(settings.install(null, [plain])).hooks[native];
    const matching = isGrouped ? {} : { matcher: "Bash" };
    assert.deepEqual(hookIn(left), { ...hookIn(unguarded), ...matching, statusMessage: "…" });
  });

  always("a file other parsers can read stays one", (text, hooks) => {
    const isStrict = text === "" || isJson(text);
    assert.ok(!isStrict || isJson(settings.install(text, hooks)));
  });

  always("after somebody has reformatted the file, only our hooks go", (text, hooks) => {
    const installed = settings.install(text, hooks);
    const reformatted = JSON.stringify(parse(installed.replace(/^\ufeff/, ""), [], lenient), null, 2);
    const after = settings.uninstall(reformatted);
    assert.deepEqual(settings.installed(after), []);
    assert.deepEqual(settings.others(after), settings.others(text));
    // Whether a file that says nothing else was there before us cannot be told any more.
    assert.deepEqual({ ...root, ...withoutHooks(after) }, { ...root, ...withoutHooks(text) });
  });

  test("a missing file becomes one with our hooks only, and is empty without them", () => {
    const hook: WantedHook = { native, argv: ["/home/user/.swarm/bin/swarm-hook", agent], timeoutS: 60 };
    const text = settings.install(null, [hook]);
    const { hooks: _, ...rest } = JSON.parse(text);
    assert.deepEqual(rest, root);
    assert.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    assert.deepEqual(settings.installed(text), [placed(hook)]);
    assert.equal(settings.uninstall(text), "");
    assert.equal(settings.install(null, []), "");
  });

  if (isGrouped) {
    test("a hook of the user's own in our group stays when ours go", () => {
      const hook: WantedHook = { native, argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
      const [ours] = JSON.parse(settings.install(null, [hook])).hooks[native];
      for (const hooks of [ours.hooks.concat(own), [own, ...ours.hooks]]) {
        const edited = { hooks: { [native]: [{ matcher: "*", hooks }] } };
        for (const indent of [0, 2, "\t"]) {
          const after = settings.uninstall(JSON.stringify(edited, null, indent));
          assert.deepEqual(JSON.parse(after), { hooks: { [native]: [{ matcher: "*", hooks: [own] }] } });
        }
      }
    });
  }

  test("what others put before and after our entries stays", () => {
    const hook: WantedHook = { native, argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
    const [entry] = JSON.parse(settings.install(null, [hook])).hooks[native];
    for (const entries of [
      [entry, ownEntry],
      [ownEntry, entry, ownEntry],
      [entry, ownEntry, entry],
      [ownEntry, entry],
    ]) {
      const after = settings.uninstall(JSON.stringify({ hooks: { [native]: entries }, a: 1 }, null, 2));
      const left = { hooks: { [native]: entries.filter((item) => item === ownEntry) }, a: 1 };
      assert.equal(after, JSON.stringify(left, null, 2));
    }
  });

  test("lines end as the file's lines end", () => {
    const hook: WantedHook = { native, argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
    for (const text of ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "hooks": {}\r\n}', "\r\n"]) {
      assert.doesNotMatch(settings.install(text, [hook]), /(?<!\r)\n/);
    }
    assert.doesNotMatch(settings.install('{\n  "a": 1\n}\n', [hook]), /\r/);
  });

  test("ours are known by their name, wherever they are", () => {
    const hookOf = (...argv: WantedHook["argv"]): WantedHook => ({ native, argv, timeoutS: 5 });
    const own = [
      hookOf("/elsewhere/bin/swarm-hook", agent),
      hookOf("swarm-hook", agent, "--guard"),
      hookOf("/usr/bin/swarm", "hook", agent),
    ];
    const others = ["/bin/my-swarm-hook", "/bin/swarm", "/swarm-hook/run", "hook"];
    const hooks = others.map((program) => hookOf(program, "status"));
    const text = settings.install(null, [...own, ...hooks]);
    assert.deepEqual(
      settings.installed(text),
      own.map((hook, groupIndex) => placed(hook, groupIndex)),
    );
    assert.equal(settings.others(text).length, others.length);
    const prompt = { type: "prompt", command: "swarm-hook", bash: "swarm-hook" };
    const entry = isGrouped ? { hooks: [prompt] } : prompt;
    const theirs = JSON.stringify({ hooks: { [native]: [entry] } });
    assert.equal(settings.uninstall(theirs), theirs);
  });

  const broken: readonly (readonly [string, number, number, RegExp])[] = [
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3, /invalid symbol|property name expected/],
    ["[]", 1, 1, /expected an object/],
    ['{"hooks": []}', 1, 11, /hooks is no object/],
    [`{"hooks": {\n"${native}": {}}}`, 2, native.length + 5, new RegExp(`${native} is no list`)],
    ['{"a": 1', 1, 8, /close brace expected/],
    ["{} x", 1, 4, /end of file expected|invalid symbol/],
  ];

  for (const [text, line, column, problem] of broken) {
    test(`${JSON.stringify(text)} is refused at its place, and left alone`, () => {
      const hook: WantedHook = { native, argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
      assert.throws(
        () => settings.install(text, [hook], "/home/user/settings.json"),
        ({ code, params, message }: SwarmError<"SWARM_SETTINGS_INVALID">) => {
          assert.equal(code, "SWARM_SETTINGS_INVALID");
          assert.deepEqual(
            [params.file, params.line, params.column],
            ["/home/user/settings.json", line, column],
          );
          assert.match(message, problem);
          return true;
        },
      );
    });
  }
}

const lenient = { allowTrailingComma: true };

function wantedHooks(agent: string, natives: readonly string[]): fc.Arbitrary<WantedHook[]> {
  const folder = fc.constantFrom("/home/user/.swarm/bin", "/a b/it's", "/back\\slash", "/$HOME/`x`", "/ünï");
  const argv = fc.tuple(
    folder,
    fc.array(fc.constantFrom("--guard", "--timeout-ms", "500", "", "a'b\\c"), { maxLength: 3 }),
  );
  const hook = fc.record({
    native: fc.constantFrom(...natives),
    argv,
    timeoutS: fc.integer({ min: 1, max: 600 }),
  });
  return fc.array(hook, { minLength: 1, maxLength: 4 }).map((hooks) =>
    hooks.map(({ argv: [path, args], ...rest }) => ({
      ...rest,
      argv: [`${path}/swarm-hook`, agent, ...args],
    })),
  );
}

function placed(hook: WantedHook, groupIndex = 0): InstalledHook {
  return { ...hook, place: { native: hook.native, groupIndex, hookIndex: 0 } };
}

function sorted(hooks: readonly WantedHook[]): string[] {
  return hooks.map((hook) => JSON.stringify([hook.native, hook.argv, hook.timeoutS])).sort();
}

function withoutHooks(text: string): object {
  const errors: ParseError[] = [];
  const value = parse(text.replace(/^\ufeff/, ""), errors, { ...lenient, allowEmptyContent: true }) ?? {};
  assert.deepEqual(errors, [], text);
  const { hooks: _, ...rest } = value;
  return rest;
}

/** Nothing but blanks and comments. */
function isBlank(text: string): boolean {
  return parse(text.replace(/^\ufeff/, ""), [], { allowEmptyContent: true }) === undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
