import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ParseError, parse } from "jsonc-parser";
import type { SwarmError } from "../base/errors.ts";
import type { Adapter, InstalledHook, OtherHook, WantedHook } from "./adapter.ts";
import { settingsTexts } from "./settings-texts.cases.ts";

export function settingsCases({ agent, events, settings }: Adapter): void {
  const wanted = wantedHooks(
    agent,
    events.map(({ native }) => native),
  );
  const texts = settingsTexts(events.map(({ native }) => native));

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
    assert.deepEqual(withoutHooks(after), withoutHooks(text));
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
    assert.deepEqual(withoutHooks(after), withoutHooks(text));
    assert.ok(!isJson(installed) || isJson(after));
    assert.deepEqual(settings.others(settings.remove(installed, others)), []);
    assert.equal(settings.remove(installed, []), installed);
  });

  test("a matcher and a key somebody gave our hook outlive a change of it", () => {
    const hook: WantedHook = {
      native: "PreToolUse",
      argv: ["/bin/swarm-hook", agent, "--guard"],
      timeoutS: 60,
    };
    const file = JSON.parse(settings.install(null, [hook]));
    const [group] = file.hooks.PreToolUse;
    group.matcher = "Bash";
    group.hooks[0].statusMessage = "…";
    const amended = JSON.parse(
      settings.amend(JSON.stringify(file, null, 2), () => ({ ...hook, timeoutS: 90 })),
    );
    assert.deepEqual(amended, {
      hooks: { PreToolUse: [{ ...group, hooks: [{ ...group.hooks[0], timeout: 90 }] }] },
    });
    const plain = { ...hook, argv: ["/bin/swarm-hook", agent] } as const;
    const [left] = JSON.parse(settings.amend(JSON.stringify(file), () => plain)).hooks.PreToolUse[0].hooks;
    const [usual] = JSON.parse(settings.install(null, [plain])).hooks.PreToolUse[0].hooks;
    assert.deepEqual(left, { ...usual, statusMessage: "…" });
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
    assert.deepEqual(withoutHooks(after), withoutHooks(text));
  });

  test("a missing file becomes one with our hooks only, and is empty without them", () => {
    const [native = ""] = events.map((event) => event.native);
    const hook: WantedHook = { native, argv: ["/home/user/.swarm/bin/swarm-hook", agent], timeoutS: 60 };
    const text = settings.install(null, [hook]);
    assert.deepEqual(Object.keys(JSON.parse(text)), ["hooks"]);
    assert.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    assert.deepEqual(settings.installed(text), [placed(hook)]);
    assert.equal(settings.uninstall(text), "");
    assert.equal(settings.install(null, []), "");
  });

  test("a hook of the user's own in our group stays when ours go", () => {
    const native = "PreToolUse";
    const hook: WantedHook = { native, argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
    const installed = JSON.parse(settings.install(null, [hook]));
    const own = { type: "command", command: "./check.sh" };
    for (const hooks of [
      installed.hooks[native][0].hooks.concat(own),
      [own, ...installed.hooks[native][0].hooks],
    ]) {
      const edited = { hooks: { [native]: [{ matcher: "*", hooks }] } };
      for (const indent of [0, 2, "\t"]) {
        const after = settings.uninstall(JSON.stringify(edited, null, indent));
        assert.deepEqual(JSON.parse(after), { hooks: { [native]: [{ matcher: "*", hooks: [own] }] } });
      }
    }
  });

  test("what others put before and after our entries stays", () => {
    const hook: WantedHook = { native: "Stop", argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
    const group = JSON.parse(settings.install(null, [hook])).hooks.Stop[0];
    const own = { hooks: [{ type: "command", command: "./check.sh" }] };
    for (const groups of [
      [group, own],
      [own, group, own],
      [group, own, group],
      [own, group],
    ]) {
      const after = settings.uninstall(JSON.stringify({ hooks: { Stop: groups }, a: 1 }, null, 2));
      const left = { hooks: { Stop: groups.filter((item) => item === own) }, a: 1 };
      assert.equal(after, JSON.stringify(left, null, 2));
    }
  });

  test("lines end as the file's lines end", () => {
    const hook: WantedHook = { native: "Stop", argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
    for (const text of ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "hooks": {}\r\n}', "\r\n"]) {
      assert.doesNotMatch(settings.install(text, [hook]), /(?<!\r)\n/);
    }
    assert.doesNotMatch(settings.install('{\n  "a": 1\n}\n', [hook]), /\r/);
  });

  test("ours are known by their name, wherever they are", () => {
    const hookOf = (...argv: WantedHook["argv"]): WantedHook => ({ native: "Stop", argv, timeoutS: 5 });
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
    const prompt = '{"hooks":{"Stop":[{"hooks":[{"type":"prompt","command":"swarm-hook"}]}]}}';
    assert.equal(settings.uninstall(prompt), prompt);
  });

  const broken: readonly (readonly [string, number, number, RegExp])[] = [
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3, /invalid symbol|property name expected/],
    ["[]", 1, 1, /expected an object/],
    ['{"hooks": []}', 1, 11, /hooks is no object/],
    ['{"hooks": {\n"Stop": {}}}', 2, 9, /Stop is no list/],
    ['{"a": 1', 1, 8, /close brace expected/],
    ["{} x", 1, 4, /end of file expected|invalid symbol/],
  ];

  for (const [text, line, column, problem] of broken) {
    test(`${JSON.stringify(text)} is refused at its place, and left alone`, () => {
      const hook: WantedHook = { native: "Stop", argv: ["/bin/swarm-hook", agent], timeoutS: 60 };
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

  test("it knows the file of each scope, and what moves the user's one", () => {
    const folders = { home: "/home/user", project: "/workspace/project", env: {} };
    const [user, project] = [settings.file("user", folders), settings.file("project", folders)];
    assert.ok(user.startsWith("/home/user/."), user);
    assert.ok(project.startsWith("/workspace/project/."), project);
    const env = { CLAUDE_CONFIG_DIR: "/moved", CODEX_HOME: "/moved" };
    assert.match(settings.file("user", { ...folders, env }), /^\/moved\/[a-z]+\.json$/);
    assert.equal(settings.file("project", { ...folders, env }), project);
  });
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

function withoutHooks(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parse(text.replace(/^\ufeff/, ""), errors, { ...lenient, allowEmptyContent: true }) ?? {};
  assert.deepEqual(errors, [], text);
  const { hooks: _, ...rest } = value;
  return rest;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
