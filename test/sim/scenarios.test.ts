import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { GivenTask } from "../../src/swarm/tasks/port/task.ts";
import { type SimAgent, SimAgents } from "./agents.ts";
import { World } from "./world.ts";

// What has gone wrong in other systems, each once as it happened there. After every step all invariants are checked.

const ann = { actor: "human:ann", cwd: "/p" };

/** A swarm in which only what the test says happens. */
async function calm(t: TestContext, agentCount: number, ...tasks: Partial<GivenTask>[]) {
  const world = await World.open();
  t.after(() => world.close());
  const agents = new SimAgents(world);
  await world.step(() =>
    world.swarm.tasks.add(
      tasks.map((task) => ({ goal: "work", ...task })),
      ann,
    ),
  );
  for (let count = 0; count < agentCount; count++) await world.step(() => agents.register());
  const own = agents.all as [SimAgent, SimAgent, SimAgent];
  const find = (id: string) => world.swarm.tasks.find(id);
  const pass = (ms: number) => world.step(() => world.clock.setWall(ms));
  const sweep = () => world.step(() => world.sweep());
  return { world, agents, own, find, pass, sweep };
}

test("two find the same task ready and both claim it (beads#3575)", async (t) => {
  const { world, agents, own, find } = await calm(t, 3, { task_id: "t" });
  world.faults = { failsBefore: 0, failsAfter: 0, isSlow: 1 };
  await world.step(() => own.forEach((agent) => void agents.claim(agent)));
  world.faults = { ...world.faults, isSlow: 0 };
  assert.equal(world.waiting.length, 3);
  while (world.waiting.length > 0) await world.step(() => world.answer(0));
  assert.equal(own.filter(({ lease }) => lease !== null).length, 1);
  assert.equal((await find("t")).epoch, 1);
});

test("work is closed whose branch then vanishes: reported is not landed (gt#342, #2028; gc#1445)", async (t) => {
  const { world, agents, own, find } = await calm(
    t,
    2,
    { task_id: "t" },
    { task_id: "next", depends_on: ["t"] },
  );
  await world.step(() => agents.claim(own[0]));
  await world.step(() => agents.report(own[0]));
  assert.deepEqual([(await find("t")).state, (await find("next")).unmet], ["reported", 1]);
  await world.step(() => agents.claim(own[1]));
  assert.equal(own[1].lease, null, "what waits for it is not given out");
  await world.step(() => world.swarm.decisions.sendBack("t", ann.actor, "the branch has vanished"));
  assert.deepEqual([(await find("t")).state, (await find("t")).attempts], ["open", 1]);
});

test("an agent ends without an error and its task counts as done (Symphony)", async (t) => {
  const { world, agents, own, find } = await calm(t, 1, { task_id: "t" });
  await world.step(() => agents.claim(own[0]));
  await world.step(() => agents.leave(own[0]));
  const { state, ending, attempts } = await find("t");
  assert.deepEqual([state, ending, attempts], ["open", "crashed", 1]);
});

test("the claim of an owner that has died is never freed (bern#4453)", async (t) => {
  const tasks = [{ task_id: "t", priority: 0 }, { task_id: "u", priority: 1 }, { task_id: "v" }];
  const { world, agents, own, find, pass, sweep } = await calm(t, 3, ...tasks);
  for (const agent of own) await world.step(() => agents.claim(agent));
  // The number of a process alone says nothing: another one may have it by now.
  world.ended.add(`${own[0].pid}:2`);
  await sweep();
  assert.equal((await find("t")).state, "claimed");
  await world.step(() => agents.die(own[0]));
  await sweep();
  assert.equal((await find("t")).state, "open", "at the end of its process");
  await world.step(() => agents.die(own[1]));
  await world.step(() => world.restart(true));
  assert.equal((await find("u")).state, "open", "at the start of the daemon");
  assert.equal(own[2].pid, null);
  await world.step(() => agents.die(own[2]));
  await sweep();
  assert.equal((await find("v")).state, "claimed", "nobody can know yet");
  await pass(600_000);
  await sweep();
  assert.deepEqual([(await find("v")).state, (await find("v")).ending], ["open", "stalled"]);
});

test("a machine that slept goes on with what was given to another (bern: stale claims after 900 s)", async (t) => {
  const { world, agents, own, find, pass, sweep } = await calm(t, 2, { task_id: "t" });
  await world.step(() => agents.claim(own[0]));
  await world.step(() => world.toolCall(own[0]));
  await pass(660_000);
  await sweep();
  await pass(10_000);
  await world.step(() => agents.claim(own[1]));
  const before = await find("t");
  for (const act of ["progress", "renew", "report", "fail", "askPerson"] as const)
    await world.step(() => {
      own[0].lease = { taskId: "t", epoch: 1 };
      agents[act](own[0]);
    });
  assert.deepEqual(await find("t"), before);
  assert.match(world.swarm.fence.whyDenied(own[0].session) ?? "", /given to another agent: agent:a2 has it/);
  await world.step(() => world.restart());
  assert.match(world.swarm.fence.whyDenied(own[0].session) ?? "", /given to another agent/);
});

test("a second way of retrying bypasses the limit, or a claim resets it (github-symphony#783, detent#1926)", async (t) => {
  const { world, agents, own, find, pass, sweep } = await calm(t, 1, { task_id: "t", max_attempts: 4 });
  const again = async (end: () => unknown) => {
    own[0].lease = null;
    await world.step(() => agents.claim(own[0]));
    assert.notEqual(own[0].lease, null);
    await world.step(end);
    await pass(1_000_000);
    await sweep();
    await pass(300_000);
  };
  await again(() => agents.fail(own[0]));
  await again(() => undefined); // its lease ends
  await again(async () => {
    await world.swarm.decisions.cancel("t", ann.actor, "no");
    await world.swarm.decisions.reopen("t", ann.actor);
  });
  await again(async () => {
    await world.swarm.leases.report("t", { actor: "agent:a1", epoch: 4 }, { summary: "done", tokens: 500 });
    await world.swarm.decisions.sendBack("t", ann.actor, "no");
  });
  await again(() => agents.fail(own[0]));
  const { state, attempts, epoch, retry_at, reason, tokens_used } = await find("t");
  assert.deepEqual([state, attempts, epoch, retry_at, tokens_used], ["failed", 4, 5, null, 500]);
  assert.match(reason ?? "", /all of its 4 attempts are used/);
});

test("a task that fails at once is started again and again (gt#649)", async (t) => {
  const { world, agents, own, find, pass, sweep } = await calm(t, 1, { task_id: "t", max_attempts: 100 });
  let started = 0;
  for (let second = 0; second < 3_600; second += 5) {
    await world.step(() => agents.claim(own[0]));
    if (own[0].lease !== null) {
      started++;
      await world.step(() => agents.fail(own[0]));
      own[0].lease = null;
    }
    await pass(5_000);
    await sweep();
  }
  assert.deepEqual([started, (await find("t")).state, (await find("t")).retry_at], [5, "failed", null]);
});

test("a rate limit counts as a failure and burns the attempts", async (t) => {
  const { world, agents, own, find, pass } = await calm(t, 1, { task_id: "t", max_attempts: 1 });
  for (let times = 0; times < 10; times++) {
    await world.step(() => agents.claim(own[0]));
    await world.step(() => agents.pause(own[0], 60_000));
    own[0].lease = null;
    await world.step(() => agents.claim(own[0]));
    assert.equal(own[0].lease, null, "not before the limit is reset");
    await pass(60_000);
  }
  const { state, attempts, ending, epoch } = await find("t");
  assert.deepEqual([state, attempts, ending, epoch], ["open", 0, "rate_limited", 10]);
});

test("a second one is started while the first is alive (gt#566, AO#992)", async (t) => {
  const { world, agents, own } = await calm(t, 1, { task_id: "t" });
  await world.step(() => agents.claim(own[0]));
  const second = world.swarm.agents.register({ ...ann, agent_id: "a1" });
  await assert.rejects(second, { code: "SWARM_AGENT_EXISTS" });
  const other = world.swarm.leases.claim({ actor: "agent:a2", role: null, taskId: "t" });
  await assert.rejects(other, { code: "SWARM_TASK_NOT_READY", message: /agent:a1 has it/ });
  await world.step(() => agents.report(own[0]));
});

test("all endings look alike afterwards (Symphony keeps them apart)", async (t) => {
  const ids = [
    "failed",
    "timed_out",
    "crashed",
    "stalled",
    "rate_limited",
    "cancelled",
    "superseded",
  ] as const;
  const { world, find, pass, sweep } = await calm(t, 0, ...ids.map((task_id) => ({ task_id })), {
    task_id: "x",
  });
  const { leases, decisions } = world.swarm;
  const process = { place: "sim", pid: 9, born: "1" };
  for (const id of ids) {
    const actor = `agent:${id}`;
    const own = { actor, role: null, taskId: id, process: id === "crashed" ? process : null };
    await world.step(() => leases.claim(own));
    const holder = { actor, epoch: 1 };
    await world.step(async () => {
      if (id === "failed" || id === "timed_out") await leases.fail(id, holder, "no", { ending: id });
      else if (id === "crashed") world.ended.add("9:1");
      else if (id === "rate_limited") await leases.pause(id, holder, "limit", null);
      else if (id === "cancelled") await decisions.cancel(id, ann.actor, "no");
      else if (id === "superseded") await decisions.supersede(id, "x", ann.actor);
    });
  }
  await sweep();
  await pass(600_000);
  await sweep();
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await find(id)).ending)), [...ids]);
});
