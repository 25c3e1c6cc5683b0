import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ask, startedDaemon } from "../../daemon/server/harness.cases.ts";
import { type ClaimedTask, ToolUser } from "./harness.cases.ts";
import { tools } from "./tools.ts";

async function opened(t: TestContext) {
  const started = await startedDaemon(t);
  const { runtime } = started.daemon;
  const { agents, tasks, leases } = await runtime.swarm.open();
  const asker = { actor: "human:ann", cwd: started.cwd };
  const register = (agent_id: string) => agents.register({ agent_id, ...asker, process: null });
  const add = (task_id: string, more = {}) => tasks.add([{ task_id, goal: `do ${task_id}`, ...more }], asker);
  const connect = async (token: string, mode?: "auto" | "legacy") => {
    const headers = { authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", started.daemon.address), {
      requestInit: { headers },
    });
    const user = await ToolUser.connect(transport, mode);
    t.after(() => user.client.close());
    return user;
  };
  const agent = async (id: string, mode?: "auto" | "legacy") => connect((await register(id)).token, mode);
  return { ...started, agents, tasks, leases, register, add, connect, agent };
}

for (const mode of ["auto", "legacy"] as const) {
  suite(`the swarm's tools over HTTP, ${mode}`, () => {
    test("are listed with schemas, and lead a task from its claim to its report", async (t) => {
      const { agent, add, tasks } = await opened(t);
      await add("a", { no_change: true, acceptance: "seen" });
      const user = await agent("builder", mode);
      const listed = (await user.client.listTools()).tools;
      assert.deepEqual(
        listed.map(({ name }) => name),
        tools.map(({ name }) => name),
      );
      for (const { name, description = "", inputSchema, outputSchema } of listed) {
        assert.ok(description.length > 20 && description.length < 250, name);
        assert.equal(inputSchema.additionalProperties, false, name);
        assert.ok(Object.keys(outputSchema?.properties ?? {}).length > 1, name);
      }
      const { task, lease } = await user.use<ClaimedTask>("claim_task");
      assert.deepEqual([task.task_id, task.goal, lease.epoch], ["a", "do a", 1]);
      assert.partialDeepStrictEqual(await user.use("get_task"), {
        task_id: "a",
        epoch: 1,
        acceptance: "seen",
      });
      const own = { task_id: "a", epoch: 1 };
      await user.use("update_progress", { ...own, progress: "looking" });
      assert.equal((await user.use("report_usage", { ...own, tokens: 70 })).tokens_used, 70);
      assert.equal((await user.use("report_usage", { ...own, tokens: 90 })).tokens_used, 90);
      const evidence = [{ what: "heap.txt" }];
      assert.equal((await user.use("report_task", { ...own, summary: "looked", evidence })).state, "landed");
      assert.match(await user.refused("get_task"), /^SWARM_TASK_NONE_HELD: .*\nWhat to do: .*claim_task/);
      assert.equal((await tasks.find("a")).owner, "agent:builder");
    });

    test("refuse a stale epoch and say what to do then", async (t) => {
      const { agent, add, leases, tasks } = await opened(t);
      await add("a");
      const user = await agent("slow", mode);
      await user.use("claim_task", { task_id: "a" });
      await leases.fail("a", { actor: "agent:slow", epoch: 1 }, "lost");
      const own = { task_id: "a", epoch: 1 };
      const wanted =
        /^SWARM_LEASE_STALE: lease 1 of task "a" is over.*\nWhat to do: Stop working on this task now/;
      assert.match(await user.refused("update_progress", { ...own, progress: "x" }), wanted);
      assert.match(await user.refused("report_usage", { ...own, tokens: 5 }), wanted);
      assert.match(await user.refused("report_task", { ...own, summary: "x" }), wanted);
      assert.match(await user.refused("fail_task", { ...own, error: "x" }), wanted);
      assert.match(await user.refused("ask_person", { ...own, question: "x" }), wanted);
      assert.equal((await tasks.find("a")).tokens_used, 0);
    });
  });
}

test("an agent sends a message as itself, whatever it calls itself", async (t) => {
  const { agent } = await opened(t);
  const [user] = [await agent("builder"), await agent("other")];
  const sent = await user.use("send_message", { to: "agent:other", body: "main is red" });
  assert.partialDeepStrictEqual(sent, { sender: "agent:builder", recipients: ["other"] });
  const forged = await user.refused("send_message", { to: "agent:other", body: "x", sender: "human:ann" });
  assert.match(forged, /^SWARM_OPTION_UNKNOWN/);
  assert.match(await user.refused("send_message", { to: "role:ops", body: "x" }), /^SWARM_MAIL_ADDRESS/);
});

test("two agents who wait are given two tasks, as soon as there are any", async (t) => {
  const { agent, add } = await opened(t);
  const [a, b] = [await agent("a"), await agent("b", "legacy")];
  const waiting = [a, b].map((user) => user.use<ClaimedTask>("wait_for_task", { wait_s: 200 }));
  await add("one");
  await add("two");
  const given = (await Promise.all(waiting)).map(({ task }) => task.task_id);
  assert.deepEqual(given.toSorted(), ["one", "two"]);
});

test("a wait that is over, or was given up, claims nothing", async (t) => {
  const { agent, add, tasks } = await opened(t);
  const user = await agent("a");
  assert.match(
    await user.refused("wait_for_task", { wait_s: 0 }),
    /^SWARM_TASK_NONE_READY: .*wait_for_task/s,
  );
  const cancelled = new AbortController();
  const waiting = user.ask("wait_for_task", { wait_s: 200 }, cancelled.signal);
  await user.refused("claim_task"); // the wait has begun by now
  cancelled.abort();
  await assert.rejects(waiting);
  await user.refused("claim_task"); // and the daemon has heard that it was given up
  await add("later");
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal((await tasks.find("later")).state, "open");
});

test("the token decides who calls, and a person's is no agent's", async (t) => {
  const { connect, register, agents, token, port, add } = await opened(t);
  await add("a");
  await assert.rejects(connect("agt_wrong"), /401|SWARM_TOKEN_REFUSED/);
  const person = await connect(token);
  assert.match(await person.refused("claim_task"), /^SWARM_AGENT_TOKEN_MISSING: .*\nWhat to do: Register/);
  const { token: own } = await register("ended");
  const user = await connect(own);
  await agents.kill("ended", "human:ann", "no");
  await assert.rejects(user.ask("claim_task"), /401|SWARM_TOKEN_REFUSED/);
  const asked = async (headers: Record<string, string>) => {
    const all = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, ...headers };
    const { text } = await ask({ port, method: "POST", path: "/mcp", headers: all, body: "{}" });
    return (JSON.parse(text) as { code: string }).code;
  };
  assert.deepEqual(
    [
      await asked({ host: "evil.example" }),
      await asked({ origin: "http://evil.example" }),
      await asked({ authorization: "" }),
    ],
    ["SWARM_HOST_REFUSED", "SWARM_ORIGIN_REFUSED", "SWARM_TOKEN_REFUSED"],
  );
});

test("what is too long, unknown or of no task is refused in the catalogue's words", async (t) => {
  const { agent, add } = await opened(t);
  await add("a");
  const user = await agent("a");
  await user.use("claim_task");
  const own = { task_id: "a", epoch: 1 };
  const long = { ...own, progress: "x".repeat(300_000) };
  assert.match(
    await user.refused("update_progress", long),
    /^SWARM_OPTION_INVALID: .*at most 262144 characters/,
  );
  await assert.rejects(user.ask("update_progress", { ...own, progress: "x".repeat(5 << 20) }), /413|large/i);
  assert.match(await user.refused("update_progress", { ...own, epoch: "1", progress: "x" }), /epoch is "1"/);
  assert.match(await user.refused("update_progress", { epoch: 1, progress: "x" }), /task_id is undefined/);
  assert.match(await user.refused("report_task", { ...own, summary: "x", actor: "human:ann" }), /"actor"/);
  assert.match(await user.refused("claim_task", { pid: 1 }), /^SWARM_OPTION_UNKNOWN: .*"pid"/);
  assert.match(await user.refused("get_task", { task_id: "../a" }), /^SWARM_OPTION_INVALID/);
  assert.match(await user.refused("get_task", { task_id: "b" }), /^SWARM_TASK_UNKNOWN/);
});

test("texts of others are shown as they are, but for what cannot be seen and what is endless", async (t) => {
  const { agent, add } = await opened(t);
  const goal = `first\nsecond \u001b[2J\u202eevil\u200b ${"x".repeat(20_000)}`;
  await add("a", { goal, scope: Array.from({ length: 300 }, (_, at) => `src/${at}`) });
  const user = await agent("a");
  const { task } = await user.use<{ task: { goal: string; scope: string[] } }>("claim_task");
  assert.ok(task.goal.startsWith("first\nsecond \\u{1b}[2J\\u{202e}evil\\u{200b} xxx"));
  assert.match(task.goal, /… \[\d+ characters more\]$/);
  assert.ok(task.goal.length < 8_200);
  assert.equal(task.scope.length, 100);
});
