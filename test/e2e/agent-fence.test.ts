import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { call, daemon, isThere, payload, place, tools } from "./client-harness.ts";
import { bin, endOf, Place } from "./harness.ts";

interface Claim {
  readonly lease: { readonly epoch: number };
}

/** As Claude Code calls a hook, in a session of an agent or of a person. */
async function toolCall(place: Place, session_id: string, token: string | null, id: string) {
  const env = { ...place.env, CLAUDECODE: "1", ...(token !== null && { SWARM_AGENT_TOKEN: token }) };
  const payload = {
    hook_event_name: "PreToolUse",
    session_id,
    cwd: place.project,
    tool_name: "Bash",
    tool_use_id: id,
    tool_input: { command: "ls" },
  };
  const child = spawn(process.execPath, [bin, "hook", "claude-code", "--guard"], { env, cwd: place.project });
  child.stdin.end(JSON.stringify(payload));
  const { status, stdout, stderr } = await endOf(child);
  assert.equal(status, 0, stderr);
  const { hookSpecificOutput: answer } = JSON.parse(stdout === "" ? "{}" : stdout) as {
    hookSpecificOutput?: { permissionDecision: string; permissionDecisionReason: string };
  };
  return answer?.permissionDecision === "deny" ? answer.permissionDecisionReason : null;
}

/** A command of an agent: its token is its identity. */
async function asAgent(place: Place, token: string, ...args: string[]) {
  const env = { ...place.env, SWARM_AGENT_TOKEN: token };
  return endOf(spawn(process.execPath, [bin, ...args], { env, cwd: place.project }));
}

for (const isUp of [true, false]) {
  test(`an agent that has lost its task runs no tool, ${isUp ? "with" : "without"} a daemon`, async (t) => {
    const place = new Place(t);
    if (isUp) await place.up();
    const register = (id: string) => place.json<{ token: string }>("agents", "register", "--id", id);
    const [{ token: a }, { token: b }] = [await register("a"), await register("b")];
    await place.json("task", "add", "something", "--id", "t");
    const claimed = await asAgent(place, a, "task", "claim", "--json");
    assert.equal(claimed.status, 0, claimed.stderr);
    assert.equal((JSON.parse(claimed.stdout) as Claim).lease.epoch, 1);
    assert.equal(await toolCall(place, "sa", a, "call1"), null);
    assert.partialDeepStrictEqual(await place.json("task", "show", "t"), {
      state: "working",
      owner: "agent:a",
      sessions: 1,
    });

    const other = await asAgent(place, b, "task", "report", "t", "--epoch", "1", "--summary", "mine");
    assert.match(other.stderr, /SWARM_LEASE_STALE/);
    const accepts = await asAgent(place, a, "task", "accept", "t", "--reason", "it is fine");
    assert.match(accepts.stderr, /a worker.*takes a person.*\[SWARM_ROLE_REFUSED\]/);
    const elsewhere = await asAgent(place, a, "task", "add", "more");
    assert.match(elsewhere.stderr, /a worker adds tasks below its own, t/);

    await place.json("task", "cancel", "t", "--reason", "not wanted");
    assert.match((await toolCall(place, "sa", a, "call2")) ?? "", /the task is cancelled.*not wanted/);
    await place.json("task", "reopen", "t");
    assert.equal((await asAgent(place, b, "task", "claim", "t")).status, 0);
    assert.match(
      (await toolCall(place, "sa", a, "call3")) ?? "",
      /your task was given to another agent: agent:b/,
    );
    assert.equal(await toolCall(place, "sb", b, "call4"), null);
    assert.equal(await toolCall(place, "person", null, "call5"), null);

    await place.json("agents", "kill", "b", "--reason", "enough");
    assert.match((await toolCall(place, "sb", b, "call6")) ?? "", /agent b is killed: enough/);
    const gone = await asAgent(place, b, "task", "list");
    assert.match(gone.stderr, /SWARM_TOKEN_REFUSED/);
  });
}

for (const kind of ["native", "curl", "node"] as const) {
  const skip = isThere(kind) ? false : `needs ${tools[kind].join(" or ")}`;
  test(`the ${kind} client hands over whose call it is`, { skip }, async (t) => {
    const here = place(t, kind);
    await daemon(t, here);
    const run = (...args: string[]) =>
      endOf(
        spawn(process.execPath, [bin, ...args, "--json"], { env: { ...process.env, SWARM_HOME: here.home } }),
      );
    const { stdout } = await run("agents", "register", "--id", "a");
    const { token } = JSON.parse(stdout) as { token: string };
    const toolOf = (env: NodeJS.ProcessEnv, id: string) =>
      call(here, payload(here.cwd, "ls", id), ["--guard"], { env: { CLAUDECODE: "1", ...env } });
    const first = await toolOf({ SWARM_AGENT_TOKEN: token }, "t1");
    assert.deepEqual([first.exitCode, first.stdout.includes("deny")], [0, false], first.stderr);
    await run("agents", "kill", "a", "--reason", "enough");
    const second = await toolOf({}, "t2");
    assert.match(second.stdout, /"permissionDecision":"deny".*agent a is killed: enough/);
  });
}
