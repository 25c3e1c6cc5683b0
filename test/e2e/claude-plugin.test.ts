import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { bin, endOf, Place } from "./harness.ts";

const own = "$" + "{CLAUDE_PLUGIN_ROOT}";

/** Answers as handlers of Claude-shaped plugins do elsewhere: `carry_on`, `reason`, `mutation`. */
const programs = {
  redact_pan: `masked=$(sed -E 's/.*"content":"([^"]*)".*/\\1/; s/[0-9]{14,16}/XXXX-XXXX-XXXX-XXXX/g')
printf '{"carry_on":true,"mutation":{"result":{"content":"%s"}}}' "$masked"`,
  nope: `cat > /dev/null; printf '{"carry_on":false,"reason":"nope"}'`,
};

/** A plugin with the files and events of one, added and allowed as its reader is told to. */
async function withPlugin(t: TestContext): Promise<Place> {
  const place = new Place(t);
  const plugin = join(place.folder, "acme-bfsi");
  for (const folder of [place.home, join(plugin, ".claude-plugin"), join(plugin, "hooks")])
    mkdirSync(folder, { recursive: true });
  const lines = Object.keys(programs).map((name) => `${own}/hooks/${name}.sh`);
  const manifest = { name: "acme-bfsi", version: "1.0.0", allowed_shell_commands: lines };
  writeFileSync(join(plugin, ".claude-plugin/plugin.json"), JSON.stringify(manifest));
  const hookOf = (name: string) => ({ type: "command", command: `"${own}/hooks/${name}.sh"`, timeout: 5 });
  const hooks = {
    PostTool: [{ hooks: [hookOf("redact_pan")] }],
    PreTool: [{ matcher: "Bash", hooks: [hookOf("nope")] }],
  };
  writeFileSync(join(plugin, "hooks/hooks.json"), JSON.stringify({ hooks }));
  for (const [name, text] of Object.entries(programs)) {
    const file = join(plugin, "hooks", `${name}.sh`);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  }
  await place.json("plugins", "add", plugin, "--yes");
  const allowed = Object.keys(programs).map((name) => `  - '$\{acme-bfsi}/hooks/${name}.sh'\n`);
  writeFileSync(
    join(place.home, "config.yaml"),
    `plugin_shell_hooks_enabled: true\nplugin_shell_allowlist:\n${allowed.join("")}`,
  );
  return place;
}

/** What Claude Code is answered. */
async function call(place: Place, more: object): Promise<Record<string, unknown>> {
  const hook = place.start(process.execPath, [bin, "hook", "claude-code", "--guard"], { CLAUDECODE: "1" });
  const common = { session_id: "s1", transcript_path: "", cwd: place.project, tool_use_id: "t1" };
  hook.stdin?.end(JSON.stringify({ ...common, ...more }));
  const { status, stdout, stderr } = await endOf(hook);
  assert.deepEqual([status, stderr], [0, ""]);
  return (JSON.parse(stdout || "{}").hookSpecificOutput ?? {}) as Record<string, unknown>;
}

async function endings(place: Place): Promise<string[]> {
  const { items } = await place.json<{ items: { ending: string }[] }>("plugins", "runs", "acme-bfsi");
  return items.map(({ ending }) => ending);
}

const read = {
  hook_event_name: "PostToolUse",
  tool_name: "mcp__bank__read",
  tool_input: {},
  tool_response: { content: "card 4111111111111111", lines: 1 },
};
const run = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };

for (const how of ["without a daemon", "through the daemon"]) {
  suite(`a plugin of Claude Code's shape that answers carry_on and mutation, ${how}`, () => {
    test("masks the card number in what Claude Code is given, and denies with its reason", async (t) => {
      const place = await withPlugin(t);
      if (how === "through the daemon") await place.up();
      assert.deepEqual(await call(place, read), {
        hookEventName: "PostToolUse",
        updatedToolOutput: { content: "card XXXX-XXXX-XXXX-XXXX", lines: 1 },
      });
      assert.deepEqual(await call(place, run), {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "nope",
      });
      const { hooks } = await place.json<{ hooks: { warnings: string[] }[] }>("hooks", "list");
      assert.deepEqual(
        hooks.map(({ warnings }) => warnings),
        [[], []],
      );
      assert.deepEqual(await endings(place), ["exited", "exited"]);
    });
  });
}

test("as long as its programs are switched off, each is refused in its table, and doctor says it is broken", async (t) => {
  const place = await withPlugin(t);
  writeFileSync(join(place.home, "config.yaml"), "plugin_shell_hooks_enabled: false\n");
  // As in Claude Code itself, a hook of its shape that cannot run decides nothing.
  assert.deepEqual(await call(place, run), {});
  assert.deepEqual(await endings(place), ["refused"]);
  const broken = (await place.doctor()).filter(({ level }) => level === "broken");
  assert.deepEqual(
    broken.map(({ finding }) => finding),
    Array.from(
      { length: 2 },
      () => "programs of plugins are off, the flag plugin_shell_hooks_enabled turns them on",
    ),
  );
});
