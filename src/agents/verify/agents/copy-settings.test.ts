import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Workplace } from "../workplace.ts";
import { agentEnv, type ReadyAgent } from "./agent-program.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { qwenCode } from "./qwen-code.ts";
import { trustIn } from "./trusted-folders.ts";

function workplace(t: TestContext): Workplace {
  const place = new Workplace();
  t.after(() => place.remove());
  return place;
}

function ready(place: Workplace, env: NodeJS.ProcessEnv = {}): ReadyAgent {
  return { profile: claudeCode, program: "claude", place, ...foldersOf(place.bare), env };
}

function foldersOf(project: string, home = join(project, "..", "home")) {
  return { home, project, env: {} };
}

const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "/bin/true" }] }] };

test("of Claude Code's settings only what decides about hooks is copied", (t) => {
  const place = workplace(t);
  const text = JSON.stringify({
    hooks,
    disableAllHooks: false,
    env: {
      ANTHROPIC_BASE_URL: "https://example.org",
      ANTHROPIC_API_KEY: "secret",
      CLAUDE_CODE_USE_VERTEX: "1",
      CLAUDE_CODE_SIMPLE: "1",
      CLAUDE_CODE_SAFE_MODE: 1,
    },
    apiKeyHelper: "cat key",
    permissions: { deny: ["Bash"] },
    enabledPlugins: { "a@b": true },
  });
  claudeCode.copySettings([{ scope: "user", file: "settings.json", text }], foldersOf(place.bare), place);
  const copy = JSON.parse(readFileSync(join(place.agentHome, "settings.json"), "utf8")) as object;
  const env = { CLAUDE_CODE_SIMPLE: "1", CLAUDE_CODE_SAFE_MODE: "1" };
  assert.deepEqual(copy, { hooks, disableAllHooks: false, env });
});

test("a project's settings, and those kept out of version control, are copied into the temporary project", async (t) => {
  const place = workplace(t);
  const project = join(place.folder, "real");
  mkdirSync(join(project, ".claude"), { recursive: true });
  writeFileSync(join(project, ".claude/settings.local.json"), '{ "disableAllHooks": true }');
  const text = JSON.stringify({ hooks });
  claudeCode.copySettings([{ scope: "project", file: "", text }], foldersOf(project), place);
  const copy = JSON.parse(readFileSync(join(place.project, ".claude/settings.json"), "utf8")) as object;
  assert.deepEqual(copy, { hooks });
  assert.match((await claudeCode.objection(ready(place), "")) ?? "", /disableAllHooks: remove it$/);
});

test("a file Claude Code cannot read stays one, and that is what to do about", async (t) => {
  for (const text of ['// ours\n{ "hooks": {} }', '{ "hooks": {}, }']) {
    const place = workplace(t);
    claudeCode.copySettings([{ scope: "user", file: "", text }], foldersOf(place.bare), place);
    assert.match(
      (await claudeCode.objection(ready(place), "")) ?? "",
      /^Claude Code ignores a settings file/,
    );
  }
});

test("a byte order mark is nothing Claude Code minds", async (t) => {
  const place = workplace(t);
  claudeCode.copySettings(
    [{ scope: "user", file: "", text: '\ufeff{ "hooks": {} }' }],
    foldersOf(place.bare),
    place,
  );
  assert.equal(await claudeCode.objection(ready(place), ""), null);
});

test("Codex's hooks are copied as they are, and the trust in them with the name of the copy", (t) => {
  const place = workplace(t);
  const home = join(place.folder, "codex-home");
  mkdirSync(home);
  writeFileSync(
    join(home, "config.toml"),
    `model = "x"\n[hooks.state."${home}/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:1"\n`,
  );
  const text = `{ "hooks" : ${JSON.stringify(hooks)} }\n`;
  codex.copySettings([{ scope: "user", file: join(home, "hooks.json"), text }], foldersOf(place.bare), place);
  assert.equal(readFileSync(join(place.agentHome, "hooks.json"), "utf8"), text);
  assert.equal(
    readFileSync(join(place.agentHome, "config.toml"), "utf8").trim(),
    `[hooks.state."${place.agentHome}/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:1"`,
  );
});

test("an agent is started without keys, tokens or addresses of the user's, and with the workplace as its home", (t) => {
  const place = workplace(t);
  const env = agentEnv(
    ready(place, {
      PATH: "/usr/bin",
      HOME: "/home/u",
      LC_ALL: "C",
      ANTHROPIC_AUTH_TOKEN: "secret",
      OPENAI_API_KEY: "secret",
      CLAUDE_CODE_USE_BEDROCK: "1",
      AWS_SECRET_ACCESS_KEY: "secret",
      HTTPS_PROXY: "http://proxy:8080",
      CLAUDE_CONFIG_DIR: "/home/u/.claude",
      CLAUDE_CODE_SESSION_ID: "of another",
      CLAUDE_CODE_SIMPLE: "1",
      QWEN_CODE_SIMPLE: "1",
    }),
  );
  const { PATH, HOME, LC_ALL, CLAUDE_CONFIG_DIR, HTTPS_PROXY, NO_PROXY } = env;
  assert.deepEqual(
    { PATH, HOME, LC_ALL, CLAUDE_CONFIG_DIR, HTTPS_PROXY, NO_PROXY },
    {
      PATH: "/usr/bin",
      HOME: "/home/u",
      LC_ALL: "C",
      CLAUDE_CONFIG_DIR: place.agentHome,
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1,localhost",
    },
  );
  assert.doesNotMatch(JSON.stringify(env), /secret|BEDROCK|proxy:8080|of another|QWEN/);
  assert.equal(env.CLAUDE_CODE_SIMPLE, "1", "what decides about hooks is kept");
});

test("neither agent is told to bypass its trust in hooks", () => {
  for (const profile of [claudeCode, codex]) {
    const { args, env } = profile.headless("go", "http://127.0.0.1:1");
    assert.doesNotMatch([...args, ...Object.keys(env)].join(" "), /bypass|dangerously|IS_SANDBOX|trust/i);
  }
});

for (const [profile, folder, file] of [
  [geminiCli, ".gemini", ".gemini/settings.json"],
  [qwenCode, ".qwen", "settings.json"],
] as const) {
  const title = profile.agent;

  test(`of ${title}'s settings only what decides about hooks is copied, comments or not`, (t) => {
    const place = workplace(t);
    const text = `{ // mine
      "hooks": ${JSON.stringify(hooks)}, "mcpServers": { "a": {} }, "telemetry": { "enabled": true },
      "security": { "auth": { "selectedType": "oauth-personal" }, "folderTrust": { "enabled": false } } }`;
    profile.copySettings([{ scope: "user", file: "", text }], foldersOf(place.bare), place);
    const copy = JSON.parse(readFileSync(join(place.agentHome, file), "utf8"));
    const { env = {}, ...others } = copy;
    assert.deepEqual(env, {});
    const kept = ["general", "hooks", "mcpServers", "privacy", "security"];
    assert.deepEqual(Object.keys(others).sort(), kept);
    assert.deepEqual(Object.keys(copy.mcpServers), [place.server.name], "ours, and none of the user's");
    assert.deepEqual(copy.hooks, hooks);
    assert.equal(copy.security.folderTrust.enabled, false);
    assert.notEqual(copy.security.auth.selectedType, "oauth-personal");
  });

  test(`${title} trusts the copy of a project exactly if it trusts the project`, async (t) => {
    const place = workplace(t);
    const [home, project] = [join(place.folder, "home"), join(place.folder, "real")];
    for (const made of [join(home, folder), project]) mkdirSync(made, { recursive: true });
    const text = JSON.stringify({ hooks: {}, security: { folderTrust: { enabled: true } } });
    const settings = [{ scope: "user", file: join(home, folder, "settings.json"), text }] as const;
    const agent = { ...ready(place), profile, project };
    profile.copySettings(settings, foldersOf(project, home), place);
    assert.match((await profile.objection(agent, "swarm-hook")) ?? "", /does not trust .*real/);
    writeFileSync(join(home, folder, "trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" }));
    profile.copySettings(settings, foldersOf(project, home), place);
    assert.equal(await profile.objection(agent, "swarm-hook"), null);
  });

  test(`${title} with settings nobody can read, or hooks switched off, says so`, async (t) => {
    const place = workplace(t);
    const off = profile === geminiCli ? { hooksConfig: { enabled: false } } : { disableAllHooks: true };
    for (const [text, expected] of [
      ["{ nonsense", /cannot read its settings/],
      [JSON.stringify(off), /remove it$/],
    ] as const) {
      profile.copySettings([{ scope: "user", file: "", text }], foldersOf(place.bare), place);
      assert.match((await profile.objection({ ...ready(place), profile }, "swarm-hook")) ?? "", expected);
    }
  });
}

test("of the rules that fit a folder the longest counts", (t) => {
  const { folder, project } = workplace(t);
  const file = join(folder, "trustedFolders.json");
  const trustOf = (rules: object) => {
    writeFileSync(file, JSON.stringify(rules));
    return trustIn(file, project);
  };
  assert.equal(trustIn(join(folder, "none.json"), project), null);
  assert.equal(trustOf({}), null);
  assert.equal(trustOf({ [folder]: "TRUST_FOLDER" }), "TRUST_FOLDER");
  assert.equal(trustOf({ [folder]: "TRUST_FOLDER", [project]: "DO_NOT_TRUST" }), "DO_NOT_TRUST");
  assert.equal(trustOf({ [join(folder, "other")]: "TRUST_PARENT" }), "TRUST_FOLDER");
  assert.equal(trustOf({ [`${project}-2`]: "TRUST_FOLDER" }), null);
  assert.equal(trustOf({ [project]: "SOMETHING_NEW" }), null);
});
