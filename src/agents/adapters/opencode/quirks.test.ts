import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, fixture } from "../answer-to.cases.ts";
import { opencode } from "./adapter.ts";
import { opencodeQuirks } from "./quirks.ts";

const agent = "opencode";
const before = fixture(agent, "captured/tool.execute.before");
const after = fixture(agent, "captured/tool.execute.after");
const prompt = fixture(agent, "captured/chat.message");
const decode = (payload: typeof before) => opencode.decode({ payload, env: {} });
const hook = {
  native: "tool.execute.before",
  argv: ["/home/user/.swarm/bin/swarm-hook", agent, "--guard", "--timeout-ms", "59500"],
  timeoutS: 60,
} as const;

/** One proof per quirk: the compiler refuses one that is left out. What the plugin does is in test/e2e/opencode-plugin.test.ts. */
const proofs: Readonly<Record<(typeof opencodeQuirks)[number]["id"], () => void>> = {
  mcp_names_are_joined: () => {
    const names = opencode.toolNames({ tool_name: "a_b_c" })?.readings.map(({ name }) => name);
    assert.deepEqual(names, ["mcp:a/b_c", "mcp:a_b/c"]);
  },
  plugins_only: () => {
    const folders = { home: "/home/user", project: "/workspace/project", env: {} };
    assert.equal(
      opencode.settings.file("user", folders),
      "/home/user/.config/opencode/plugin/swarm-hooks.js",
    );
    assert.equal(
      opencode.settings.file("project", folders),
      "/workspace/project/.opencode/plugin/swarm-hooks.js",
    );
    const text = opencode.settings.install(null, [hook]);
    assert.match(text, /^\/\/ swarm-hooks for OpenCode:/);
    const [entry] = opencode.settings.installed(text);
    assert.deepEqual([entry?.native, entry?.argv, entry?.timeoutS], [hook.native, hook.argv, hook.timeoutS]);
  },
  no_deadline: () => {
    assert.match(opencode.settings.install(null, [hook]), /entry\.timeoutS \* 1_000/);
  },
  throwing_denies: () => {
    assert.deepEqual(answerTo(opencode, before, { verdict: "deny", reason: "no" }).json, { deny: "no" });
    const decision = { verdict: "deny", reason: "no", context: ["see log"] } as const;
    assert.deepEqual(answerTo(opencode, after, decision).json, { deny: "no\n\nsee log" });
  },
  arguments_in_place: () => {
    const tool_input = { command: "ls" };
    assert.deepEqual(answerTo(opencode, before, {}, { tool_input }).json, { args: tool_input });
    assert.match(opencode.settings.install(null, [hook]), /replace\(output\.args, answer\.args\)/);
  },
  refused_prompts_look_like_errors: () => {
    assert.deepEqual(answerTo(opencode, prompt, { verdict: "deny", reason: "no" }).json, { deny: "no" });
    assert.deepEqual(answerTo(opencode, prompt, { context: ["c"] }, { prompt: "masked" }).json, {
      prompt: "masked",
      context: "c",
    });
    assert.equal(answerTo(opencode, { ...prompt, prompt: "" }, {}, { prompt: "masked" }).notes.length, 1);
  },
  nobody_can_be_asked: () => {
    const { json } = answerTo(opencode, before, { verdict: "ask", reason: "sure?" });
    assert.deepEqual(json, { deny: "sure? (no person can be asked at OpenCode's tool.execute.before)" });
    assert.equal(answerTo(opencode, before, { verdict: "allow" }).native.stdout, "");
  },
  the_bus_tells_afterwards: () => {
    const { native, notes } = answerTo(opencode, fixture(agent, "captured/session.idle"), {
      verdict: "deny",
    });
    assert.equal(native.stdout, "");
    assert.deepEqual(notes, ["deny has no effect at OpenCode's session.idle"]);
  },
  two_files_one_process: () => {
    assert.match(opencode.settings.install(null, [hook]), /if \(known !== undefined\) return \{\};/);
  },
  several_projects_one_process: () => {
    assert.match(opencode.settings.install(null, [hook]), /entriesByContext\.get\(context\)/);
  },
  plugins_simply_load: () => {
    assert.equal(opencode.trust, null);
    assert.equal(opencode.settings.whyInert(""), null);
  },
  subagents_are_sessions: () => {
    const subagent = decode(fixture(agent, "made-up/session.created.subagent"));
    assert.deepEqual([subagent.event, subagent.data.agent_name], ["subagent.start", "general"]);
    assert.equal(decode(fixture(agent, "captured/session.created")).event, "session.start");
    assert.equal(decode(fixture(agent, "made-up/session.idle.subagent")).event, "subagent.stop");
    const call = decode(fixture(agent, "made-up/tool.execute.before.subagent"));
    assert.equal(call.origin.agent, "ses_e1d94bf59ffeifb8DxURbPcdQt");
  },
  start_without_a_network: () => {
    const imports = opencode.settings.install(null, [hook]).matchAll(/^import .* from "(.*)";$/gm);
    assert.deepEqual(
      [...imports].map(([, from]) => from),
      ["node:child_process", "node:net", "node:path"],
    );
  },
};

for (const { id, behaviour, whatWeDo } of opencodeQuirks) {
  test(`${behaviour} ${whatWeDo}`, proofs[id]);
}

test("a plugin file of somebody else's is left alone", () => {
  const theirs = "export const Mine = async () => ({});\n";
  assert.throws(() => opencode.settings.install(theirs, [hook], "/p/swarm-hooks.js"), /the file is not ours/);
  assert.equal(opencode.settings.uninstall(theirs), theirs);
  assert.deepEqual(opencode.settings.installed(theirs), []);
});

test("what is installed twice is installed once, changed in place, and gone without a trace", () => {
  const text = opencode.settings.install(null, [hook]);
  assert.equal(opencode.settings.install(text, [hook]), text);
  assert.equal(opencode.settings.uninstall(text), "");
  assert.equal(opencode.settings.install(null, []), "");
  const slower = { ...hook, timeoutS: 90 };
  assert.equal(
    opencode.settings.amend(text, () => slower),
    opencode.settings.install(null, [slower]),
  );
  assert.equal(
    opencode.settings.amend(text, (entry) => entry),
    text,
  );
});

test("a path with anything in it stays that path", () => {
  const argv = ["/a $& b/`x`/it's/$1/swarm-hook", agent] as const;
  const text = opencode.settings.install(null, [{ ...hook, argv }]);
  assert.deepEqual(opencode.settings.installed(text)[0]?.argv, argv);
});
