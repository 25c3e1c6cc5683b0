import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmBench } from "../harness.cases.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { temporaryFile } from "../../store/sqlite/harness.cases.ts";
import { Swarm } from "../service.ts";
import { plainAudit } from "../harness.cases.ts";

const wish = { actor: "human:ann", cwd: "/p" };

/** An agent with a session that has claimed a task. */
async function working(bench: SwarmBench, agent_id: string, task_id: string) {
  const { token } = await bench.swarm.agents.register({ ...wish, agent_id, role: "backend" });
  bench.swarm.fence.bind(`session-${agent_id}`, token);
  const { lease } = await bench.swarm.leases.claim({
    actor: `agent:${agent_id}`,
    role: null,
    taskId: task_id,
  });
  return { token, epoch: lease.epoch };
}

test("a session whose task was given to another agent runs no tool, and the other one's does", async (t) => {
  const bench = new SwarmBench(t);
  const { fence } = bench.swarm;
  await bench.add({ task_id: "t" });
  await working(bench, "a", "t");
  assert.equal(fence.whyDenied("session-a"), null);
  await bench.clock.advance(600_000);
  await bench.swarm.sweep();
  assert.match(fence.whyDenied("session-a") ?? "", /it was taken back: nothing was heard of agent:a/);
  await bench.clock.advance(10_000);
  await working(bench, "b", "t");
  assert.match(fence.whyDenied("session-a") ?? "", /^your task was given to another agent: agent:b has it/);
  assert.equal(fence.whyDenied("session-b"), null);
  assert.partialDeepStrictEqual(
    bench.told.find(({ event }) => event === "agent.stalled"),
    { data: { agent_id: "a", task_id: "t", silent_s: 600, role: "backend" } },
  );
});

test("a cancelled task's session runs no tool, and one that has reported goes on", async (t) => {
  const bench = new SwarmBench(t);
  const { fence, leases, decisions } = bench.swarm;
  await bench.add({ task_id: "t" }, { task_id: "u" });
  await working(bench, "a", "t");
  const { epoch } = await working(bench, "b", "u");
  await decisions.cancel("t", "human:ann", "not wanted");
  assert.match(
    fence.whyDenied("session-a") ?? "",
    /the task is cancelled: cancelled by human:ann: not wanted/,
  );
  await leases.report("u", { actor: "agent:b", epoch }, { summary: "done" });
  assert.equal(fence.whyDenied("session-b"), null);
});

test("a session without a token is a person's, and another's token binds none that is bound", async (t) => {
  const bench = new SwarmBench(t);
  const { fence } = bench.swarm;
  await bench.add({ task_id: "t" });
  await working(bench, "a", "t");
  const { token } = await bench.swarm.agents.register({ ...wish, agent_id: "b" });
  fence.bind("session-a", token);
  fence.bind("a person's", "no token of ours");
  await bench.swarm.decisions.cancel("t", "human:ann", "not wanted");
  assert.notEqual(fence.whyDenied("session-a"), null, "it stays the one it was");
  assert.deepEqual([fence.whyDenied("a person's"), fence.whyDenied(undefined)], [null, null]);
});

test("the fence stands after a restart", async (t) => {
  const file = temporaryFile(t);
  const bench = new SwarmBench(t, file);
  await bench.add({ task_id: "t" });
  const { token } = await working(bench, "a", "t");
  await bench.swarm.decisions.cancel("t", "human:ann", "not wanted");
  const store = openSqliteStore(file);
  t.after(() => store.close());
  const { clock } = bench;
  const again = new Swarm({
    store,
    clock,
    audit: plainAudit(store, clock),
    emit: () => Promise.reject(new Error("nothing is told")),
    log: { warn: () => undefined },
    newId: (prefix) => `${prefix}_x`,
    newToken: () => "x",
    hasEnded: () => false,
  });
  await again.agents.load();
  again.fence.bind("session-a", token);
  assert.match(again.fence.whyDenied("session-a") ?? "", /the task is cancelled/);
});

test("an agent that was killed is nobody: its token, its lease and its tools end", async (t) => {
  const bench = new SwarmBench(t);
  const { fence, agents, leases } = bench.swarm;
  await bench.add({ task_id: "t" });
  const { epoch } = await working(bench, "a", "t");
  const { token_hash } = await agents.find("a");
  assert.deepEqual(fence.identify(token_hash), { agent_id: "a", role: "backend", kind: "worker" });
  await agents.kill("a", "human:ann", "works on the wrong branch");
  assert.equal(fence.identify(token_hash), null);
  assert.match(fence.whyDenied("session-a") ?? "", /agent a is killed: works on the wrong branch/);
  assert.partialDeepStrictEqual(await bench.swarm.tasks.find("t"), {
    state: "open",
    ending: "crashed",
    resumes: 1,
  });
  const late = leases.report("t", { actor: "agent:a", epoch }, { summary: "done" });
  await assert.rejects(late, { code: "SWARM_LEASE_STALE" });
  await assert.rejects(agents.heartbeat("a", null), { code: "SWARM_AGENT_ENDED" });
  assert.partialDeepStrictEqual(
    bench.told.find(({ event }) => event === "agent.killed"),
    { data: { agent_id: "a", reason: "works on the wrong branch" } },
  );
});

test("an agent that is refused leaves nothing behind", async (t) => {
  const bench = new SwarmBench(t);
  bench.refusals["agent.spawned"] = "no more agents today";
  const refused = bench.swarm.agents.register({ ...wish, agent_id: "a", model: "sonnet", worktree: "/w" });
  await assert.rejects(refused, {
    code: "SWARM_TASK_REFUSED",
    message: /agent a was refused: no more agents/,
  });
  assert.deepEqual([await bench.swarm.agents.list({ limit: 9 }), await bench.rows()], [[], []]);
  assert.deepEqual(bench.told.at(-1)?.data, { agent_id: "a", model: "sonnet", worktree: "/w" });
});

test("a sign of life renews the lease, not at every event", async (t) => {
  const bench = new SwarmBench(t);
  const { fence, agents, tasks } = bench.swarm;
  await bench.add({ task_id: "t" });
  await working(bench, "a", "t");
  const first = fence.signOfLife("session-a", bench.clock.now());
  assert.deepEqual(first, { agent_id: "a", session: "session-a", task_id: "t", epoch: 1 });
  assert.equal(fence.signOfLife("session-a", bench.clock.now()), null);
  await bench.clock.advance(300_000);
  const next = fence.signOfLife("session-a", bench.clock.now());
  assert.ok(next !== null);
  await agents.alive(next, true);
  assert.partialDeepStrictEqual(await tasks.find("t"), {
    state: "working",
    sessions: 1,
    lease_until: "2026-01-01T00:15:00.000Z",
  });
  assert.partialDeepStrictEqual(await agents.find("a"), {
    session_id: "session-a",
    last_activity_at: "2026-01-01T00:05:00.000Z",
  });
  await agents.heartbeat("a", "running the tests");
  assert.partialDeepStrictEqual(bench.told.at(-1), {
    event: "agent.heartbeat",
    data: { agent_id: "a", session_id: "session-a", task_id: "t", progress: "running the tests" },
  });
  await bench.clock.advance(1_500);
  await agents.complete("a", "Added the endpoint");
  assert.partialDeepStrictEqual(bench.told.at(-1), {
    event: "agent.completed",
    data: { agent_id: "a", summary: "Added the endpoint", duration_s: 301.5 },
  });
});

test("a write that was made and said to have failed counts for the fence as well", async (t) => {
  const bench = new SwarmBench(t);
  const { fence, decisions, leases } = bench.swarm;
  await bench.add({ task_id: "t" }, { task_id: "u" });
  await working(bench, "a", "t");
  bench.failsAt("cancel", true);
  await assert.rejects(decisions.cancel("t", "human:ann", "not wanted"), { code: "SWARM_STORE_FAILED" });
  assert.match(fence.whyDenied("session-a") ?? "", /the task is cancelled/);
  // A claim whose answer was a failure gives no lease, whatever is looked up of it later.
  bench.failsAt("claim", true);
  const failing = leases.claim({ actor: "agent:a", role: null, taskId: "u" });
  await assert.rejects(failing, { code: "SWARM_STORE_FAILED" });
  await bench.swarm.sweep();
  assert.match(fence.whyDenied("session-a") ?? "", /the task is cancelled/);
});

test("writes of a task that are answered in another order than they were made leave the fence as it should be", async (t) => {
  const bench = new SwarmBench(t);
  const { fence, decisions, leases, agents } = bench.swarm;
  await bench.add({ task_id: "t" });
  const { token } = await agents.register({ ...wish, agent_id: "a" });
  fence.bind("session-a", token);
  const goOn = bench.holdsAnswerOf("claim");
  const claim = leases.claim({ actor: "agent:a", role: null, taskId: "t" });
  while ((await bench.state("t")) !== "claimed") await null;
  await decisions.cancel("t", "human:ann", "not wanted");
  goOn();
  assert.equal((await claim).lease.epoch, 1);
  assert.match(fence.whyDenied("session-a") ?? "", /the task is cancelled/);
});

test("a task that is claimed before its addition is answered is its holder's", async (t) => {
  const bench = new SwarmBench(t);
  const { fence, leases, agents } = bench.swarm;
  const { token } = await agents.register({ ...wish, agent_id: "a" });
  fence.bind("session-a", token);
  const goOn = bench.holdsAnswerOf("add");
  const added = bench.add({ task_id: "t" });
  while ((await bench.store.tasks.find("t")) === null) await null;
  await leases.claim({ actor: "agent:a", role: null, taskId: "t" });
  goOn();
  await added;
  assert.equal(fence.whyDenied("session-a"), null);
});
