// `redact: true`: what an agent's client is answered about the output of a tool that has secrets in it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { filler } from "../../src/base/secrets/form.ts";
import { openRuntime } from "../../src/daemon/runtime/runtime.ts";
import { call, daemon, log, type Place, place } from "./client-harness.ts";
import { Place as SwarmPlace } from "./harness.ts";

const token = `ghp_${filler(36)}`;

/** Claude Code's call after a command that printed this. */
const after = (cwd: string, stdout: string, id: string) =>
  JSON.stringify({
    session_id: "s1",
    cwd,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "env" },
    tool_response: { stdout, stderr: "", interrupted: false, isImage: false },
    tool_use_id: id,
  });

const agents = [
  {
    agent: "claude-code",
    env: { CLAUDECODE: "1" },
    payload: after,
    reads: (answer: string) => JSON.parse(answer).hookSpecificOutput.updatedToolOutput.stdout,
  },
  {
    agent: "codex",
    env: {},
    payload: (cwd: string, stdout: string, id: string) =>
      JSON.stringify({
        session_id: "s1",
        turn_id: "t1",
        model: "m",
        permission_mode: "default",
        transcript_path: null,
        cwd,
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_input: { command: "env" },
        tool_response: stdout,
        tool_use_id: id,
      }),
    reads: (answer: string) => JSON.parse(answer).reason,
  },
  {
    agent: "copilot",
    env: { COPILOT_CLI: "1", SWARM_NATIVE_EVENT: "postToolUse" },
    payload: (cwd: string, stdout: string) =>
      JSON.stringify({
        sessionId: "s1",
        timestamp: 1_794_770_611_000,
        cwd,
        toolName: "bash",
        toolArgs: { command: "env" },
        toolResult: { resultType: "success", textResultForLlm: stdout },
      }),
    reads: (answer: string) => JSON.parse(answer).modifiedResult.textResultForLlm,
  },
] as const;

async function rowsOf({ home, cwd }: Place) {
  const runtime = await openRuntime({ home, cwd, env: {}, log });
  const rows = await runtime.store.listRunEvents({ limit: 5 });
  await runtime.close();
  return rows;
}

for (const hasDaemon of [true, false]) {
  suite(`secrets in the output of tools, ${hasDaemon ? "with" : "without"} a daemon`, () => {
    for (const { agent, env, payload, reads } of agents)
      test(`${agent} is given the output without them, and the row says which forms`, async (t) => {
        const here = place(t, "node");
        writeFileSync(join(here.home, "config.yaml"), "redact: true\n");
        if (hasDaemon) await daemon(t, here);
        const args = [agent, "--guard"];
        const masked = await call(here, payload(here.cwd, `TOKEN is ${token}\n`, "t1"), [], { args, env });
        assert.equal(masked.exitCode, 0, masked.stderr);
        assert.match(reads(masked.stdout), /TOKEN is \[redacted\]/);
        assert.ok(!masked.stdout.includes(token));
        const [row] = await rowsOf(here);
        const { name, kind, mode, reason } = row?.handlers?.[0] ?? {};
        assert.deepEqual(
          [name, kind, mode, reason],
          ["swarm/redact", "redact", "transform", "1 masked (github-token 1)"],
        );
        assert.ok(!everythingIn(here.home).includes(token), "the secret is nowhere in SWARM_HOME");
      });

    test("an output without a secret is left as it is, also once its calls are known", async (t) => {
      const here = place(t, "node");
      writeFileSync(join(here.home, "config.yaml"), "redact: true\npolicy: starter\n");
      if (hasDaemon) await daemon(t, here);
      for (let calls = 0; calls < 4; calls++)
        assert.deepEqual(await call(here, after(here.cwd, "fine", `t${calls}`)), silent);
      const { stdout } = await call(here, after(here.cwd, token, "last"));
      assert.match(stdout, /"stdout":"\[redacted\]"/);
    });

    test("a project may switch it on and needs nobody's approval for that, and may not switch it off", async (t) => {
      const here = place(t, "node");
      writeFileSync(join(here.home, "config.yaml"), "");
      if (hasDaemon) await daemon(t, here);
      assert.deepEqual(await call(here, after(here.cwd, token, "t1")), silent);
      writeFileSync(join(here.cwd, "swarm.yaml"), "redact: true\n");
      assert.match((await call(here, after(here.cwd, token, "t2"))).stdout, /\[redacted\]/);
      writeFileSync(join(here.home, "config.yaml"), "redact: true\n");
      writeFileSync(join(here.cwd, "swarm.yaml"), "redact: { disable: [github-token] }\n");
      assert.match((await call(here, after(here.cwd, token, "t3"))).stdout, /\[redacted\]/);
    });
  });
}

const silent = { exitCode: 0, stdout: "", stderr: "" };

/** Every file of the home as one text; those of the database too, in which texts stand as they are. */
function everythingIn(home: string): string {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

test("it is listed, tried, switched off and examined like any hook", async (t: TestContext) => {
  const place = new SwarmPlace(t);
  writeFileSync(join(place.project, "swarm.yaml"), "redact: { forms: [github-token, jwt] }\n");
  const { hooks } = await place.json<{ hooks: Record<string, unknown>[] }>("hooks", "list");
  assert.deepEqual(
    hooks.map(({ name, event, kind, mode, on_failure, trust }) => [
      name,
      event,
      kind,
      mode,
      on_failure,
      trust,
    ]),
    [["swarm/redact", "tool.after", "redact", "transform", "deny", "own"]],
  );
  const payload = { tool_name: "Bash", tool_input: {}, tool_output: { stdout: token } };
  writeFileSync(join(place.project, "payload.json"), JSON.stringify(payload));
  const test = ["hooks", "test", "tool.after", "--file", "payload.json"];
  const { data } = await place.json<{ data: { tool_output: unknown } }>(...test);
  assert.deepEqual(data.tool_output, { stdout: "[redacted]" });
  assert.match((await place.swarm(...test)).stdout, /swarm\/redact .* 1 masked \(github-token 1\)/);
  await place.json("hooks", "disable", "swarm/redact");
  const off = await place.json<{ data: { tool_output: unknown } }>(...test);
  assert.deepEqual(off.data.tool_output, { stdout: token });
});
