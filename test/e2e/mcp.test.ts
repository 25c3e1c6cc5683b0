import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isAlive } from "../../src/handlers/process/harness.cases.ts";
import { bin, endOf, gone, Place, until } from "./harness.ts";

const program = join(import.meta.dirname, "../../src/handlers/mcp-tool/server-program.cases.ts");

/** A home whose hooks call tools of one server, which notes its starts. */
class ToolPlace extends Place {
  constructor(
    t: TestContext,
    hooks: string,
    argv: readonly string[] = [process.execPath, program, "stdio", "new"],
  ) {
    super(t);
    mkdirSync(this.home, { recursive: true });
    const starts = join(this.folder, "starts");
    const server = `mcp_servers:\n  tools: { command: ${JSON.stringify(argv)}, env: { STARTS: ${starts} } }\n`;
    writeFileSync(join(this.home, "config.yaml"), `hooks:\n${hooks}${server}`);
  }

  starts(): number[] {
    const file = join(this.folder, "starts");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
  }
}

const hook = (tool: string, more = "") =>
  `  - { event: tool.before, type: mcp_tool, tool: ${tool}, name: ${tool}, mode: guard, on_failure: deny ${more} }\n`;
const input = JSON.stringify({
  session_id: "s1",
  transcript_path: "/t",
  cwd: "/",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "u1",
});

async function callHook(place: Place, ...args: string[]) {
  const child = place.start(process.execPath, [bin, "hook", "claude-code", "--guard", ...args]);
  child.stdin?.end(input);
  return endOf(child);
}

test("an agent's call without a daemon is judged by a tool, and nothing is left behind", async (t) => {
  const place = new ToolPlace(t, hook("deny"));
  const { status, stdout, stderr } = await callHook(place);
  assert.deepEqual([status, stderr], [0, ""]);
  const { hookSpecificOutput } = JSON.parse(stdout);
  assert.deepEqual(
    [hookSpecificOutput.permissionDecision, hookSpecificOutput.permissionDecisionReason],
    ["deny", "no"],
  );
  assert.equal(place.starts().length, 1);
  assert.deepEqual(place.starts().filter(isAlive), []);
});

test("an agent's call that is answered by its deadline leaves no server behind, not even a deaf one", async (t) => {
  const code = `require("fs").appendFileSync(process.env.STARTS, process.pid + "\\n");
    process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000);`;
  const place = new ToolPlace(t, hook("deny", ", timeout_s: 600"), [process.execPath, "-e", code]);
  const { status, stdout, stderr } = await callHook(place, "--timeout-ms", "3000");
  assert.match(`${status} ${stdout}${stderr}`, /deny|denied/);
  for (const pid of place.starts()) await gone(pid);
});

test("swarm hooks test shows the tool's hook, and ends the server before it ends itself", async (t) => {
  const place = new ToolPlace(t, hook("deny"));
  const { stdout } = await place.swarm("hooks", "test", "tool.before", "--tool", "Bash");
  assert.match(stdout, /^tool\.before: deny by deny\nreason: no\n/);
  assert.deepEqual(place.starts().filter(isAlive), []);
});

test("a daemon starts a server once for all that call it, logs what it says, and ends it when it stops", async (t) => {
  const place = new ToolPlace(t, hook("complain") + hook("deny"));
  const { child, port, ended } = await place.up();
  const data = { tool_name: "Bash", tool_input: {} };
  const calls = Array.from({ length: 5 }, () =>
    place.call(port, "POST", "/api/v1/events", { event: "tool.before", data }),
  );
  for (const { body } of await Promise.all(calls)) {
    assert.equal((body.decision as { verdict: string }).verdict, "deny");
  }
  assert.equal(place.starts().length, 1);
  child.kill("SIGTERM");
  const { status, stderr } = await ended;
  assert.equal(status, 0);
  assert.match(stderr, / info MCP server tools: the token is \[redacted\] /);
  assert.deepEqual(place.starts().filter(isAlive), []);
});

test("a server whose daemon was killed ends too, as servers do when nobody speaks to them any more", async (t) => {
  const place = new ToolPlace(t, hook("hang", ", timeout_s: 600"));
  const { pid, port } = await place.up();
  const data = { tool_name: "Bash", tool_input: {} };
  const call = place.call(port, "POST", "/api/v1/events", { event: "tool.before", data });
  const failed = assert.rejects(call);
  await until(() => place.starts().length === 1);
  process.kill(pid, "SIGKILL");
  await failed;
  for (const started of place.starts()) await gone(started);
});
