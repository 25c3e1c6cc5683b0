import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFile } from "../../store/sqlite/harness.cases.ts";
import { SwarmBench } from "../harness.cases.ts";
import { pauseMs } from "./after-attempt.ts";

const process = { place: "here", pid: 7, born: "1" };
const a = (epoch: number) => ({ actor: "agent:a", epoch });
const b = (epoch: number) => ({ actor: "agent:b", epoch });

test("a claim gives the task and a lease of ten minutes, and asks hooks before", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "t", goal: "Implement feature X", role: "backend", scope: ["src/"] });
  const { task, lease } = await bench.swarm.leases.claim({ actor: "agent:a", role: "backend" });
  assert.deepEqual(lease, { epoch: 1, expires_at: "2026-01-01T00:10:00.000Z" });
  assert.deepEqual([task.state, task.owner, task.attempts], ["claimed", "agent:a", 0]);
  const said = { task_id: "t", goal: "Implement feature X", role: "backend", priority: 2 };
  const payload = { ...said, scope: ["src/"], complexity: "medium" };
  assert.deepEqual(bench.told, [
    { event: "task.created", data: payload, actor: "human:ann" },
    { event: "task.claimed", data: { ...payload, agent_id: "a" }, actor: "agent:a" },
  ]);
  const rows = (await bench.rows()).map(({ event, reason, task: id }) => [event, reason, id]);
  assert.deepEqual(rows, [
    ["task.changed", "add t: open", "t"],
    ["task.changed", "claim t: open → claimed (epoch 1)", "t"],
  ]);
});

test("a claim that is refused leaves nothing behind, and says why", async (t) => {
  const bench = new SwarmBench(t);
  const [before] = await bench.add({ task_id: "t" });
  const head = await bench.store.head();
  bench.refusals["task.claimed"] = "not on a Friday";
  const refused = bench.swarm.leases.claim({ actor: "agent:a", role: null });
  await assert.rejects(refused, { code: "SWARM_TASK_REFUSED", message: /claim of task t .*not on a Friday/ });
  assert.deepEqual(await bench.swarm.tasks.find("t"), before);
  assert.deepEqual(await bench.store.head(), head);
  delete bench.refusals["task.claimed"];
  assert.equal((await bench.swarm.leases.claim({ actor: "agent:b", role: null })).lease.epoch, 1);
});

test("two who claim at once are given different tasks", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "one" }, { task_id: "two" });
  const wish = (actor: string) => bench.swarm.leases.claim({ actor, role: null });
  const claimed = await Promise.all([wish("agent:a"), wish("agent:b")]);
  assert.deepEqual(claimed.map(({ task }) => task.task_id).sort(), ["one", "two"]);
  await assert.rejects(wish("agent:c"), { code: "SWARM_TASK_NONE_READY" });
});

test("a task that cannot be claimed says what it waits for", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "t", depends_on: ["n"] }, { task_id: "n" });
  const claim = () => bench.swarm.leases.claim({ actor: "agent:a", role: null, taskId: "t" });
  await assert.rejects(claim(), { code: "SWARM_TASK_NOT_READY", message: /waits for n \(open\)/ });
  await bench.swarm.decisions.accept("n", "human:ann", "it is there");
  await claim();
  await assert.rejects(claim(), { message: /claimed: agent:a has it/ });
});

test("a stale epoch can do nothing, and is told who has the task", async (t) => {
  const bench = new SwarmBench(t);
  const { leases } = bench.swarm;
  await bench.claimed("t");
  await bench.clock.advance(600_000);
  await bench.swarm.sweep();
  await bench.clock.advance(pauseMs(1));
  const { lease } = await leases.claim({ actor: "agent:b", role: null });
  assert.equal(lease.epoch, 2);
  const before = await bench.swarm.tasks.find("t");
  const stale = {
    code: "SWARM_LEASE_STALE",
    message: /given to another agent: agent:b has it, with epoch 2/,
  };
  await assert.rejects(leases.renew("t", a(1)), stale);
  await assert.rejects(leases.progress("t", a(1), "still here"), stale);
  await assert.rejects(leases.report("t", a(1), { summary: "done" }), stale);
  await assert.rejects(leases.fail("t", a(1), "no"), stale);
  await assert.rejects(leases.ask("t", a(1), "what?"), stale);
  await assert.rejects(leases.pause("t", a(1), "limit", null), stale);
  await assert.rejects(leases.report("t", a(2), { summary: "done" }), {
    code: "SWARM_LEASE_STALE",
    message: /agent:b has the task/,
  });
  await assert.rejects(leases.report("t", a(9), { summary: "done" }), { message: /its epoch is 2/ });
  assert.deepEqual(await bench.swarm.tasks.find("t"), before);
  assert.equal((await leases.report("t", b(2), { summary: "done" })).state, "reported");
});

test("a lease that was lost is stale before anybody else has the task", async (t) => {
  const bench = new SwarmBench(t);
  await bench.claimed("t");
  await bench.clock.advance(600_000);
  await bench.swarm.sweep();
  const late = bench.swarm.leases.report("t", a(1), { summary: "done" });
  await assert.rejects(late, { code: "SWARM_LEASE_STALE", message: /taken back: nothing was heard/ });
});

test("what is reported is not done, but for what changes no files", async (t) => {
  const bench = new SwarmBench(t);
  const { leases } = bench.swarm;
  await bench.claimed("t");
  await leases.report("t", a(1), { summary: "done", files_changed: ["a.ts"] });
  assert.deepEqual([await bench.state("t"), bench.names().includes("task.completed")], ["reported", false]);
  await bench.claimed("look", "agent:a", { no_change: true, role: "qa" });
  await assert.rejects(leases.report("look", a(1), { summary: "fine" }), {
    code: "SWARM_TASK_EVIDENCE_MISSING",
  });
  await bench.clock.advance(2_500);
  await leases.report("look", a(1), { summary: "fine", evidence: [{ what: "logs" }], tokens: 45_000 });
  assert.equal(await bench.state("look"), "landed");
  assert.partialDeepStrictEqual(bench.told.at(-1), {
    event: "task.completed",
    data: {
      task_id: "look",
      agent_id: "a",
      summary: "fine",
      files_changed: [],
      duration_s: 2.5,
      tokens_used: 45_000,
      role: "qa",
    },
  });
});

test("a failure is retried by itself after 10 s × 2^(n−1), until five came within 15 minutes", async (t) => {
  const bench = new SwarmBench(t);
  const { leases, decisions } = bench.swarm;
  await bench.claimed("t");
  const pauses = [10_000, 20_000, 40_000, 80_000];
  for (const [at, pause] of pauses.entries()) {
    const failed = await leases.fail("t", a(at + 1), "Test suite failed", { ending: "timed_out" });
    assert.deepEqual([failed.state, failed.ending, failed.attempts], ["failed", "timed_out", at + 1]);
    await bench.clock.advance(pause - 1);
    assert.deepEqual((await bench.swarm.sweep()).retried, []);
    await bench.clock.advance(1);
    assert.deepEqual((await bench.swarm.sweep()).retried, ["t"]);
    await leases.claim({ actor: "agent:a", role: null });
  }
  const last = await leases.fail("t", a(5), "Test suite failed");
  assert.deepEqual([last.retry_at, last.attempts, last.retries], [null, 5, 4]);
  assert.match(last.reason ?? "", /not retried: 5 attempts within 15 minutes/);
  await bench.clock.advance(86_400_000);
  assert.deepEqual((await bench.swarm.sweep()).retried, []);
  assert.equal((await decisions.retry("t", "human:ann")).state, "open");
  assert.partialDeepStrictEqual(bench.told.at(-1), { event: "task.retried", data: { retry_count: 5 } });
  assert.deepEqual([1, 2, 5, 6, 7, 1_000].map(pauseMs), [10_000, 20_000, 160_000, 300_000, 300_000, 300_000]);
});

test("every path counts in the same counters, and no claim resets them", async (t) => {
  const bench = new SwarmBench(t);
  const { leases, decisions, tasks } = bench.swarm;
  await bench.claimed("t", "agent:a", { max_attempts: 3 });
  await leases.progress("t", a(1), "half", 1_000);
  await leases.progress("t", a(1), "more", 1_500);
  await leases.fail("t", a(1), "no", { tokens: 1_500 });
  await decisions.retry("t", "human:ann");
  await leases.claim({ actor: "agent:b", role: null });
  assert.partialDeepStrictEqual(await tasks.find("t"), { attempts: 1, tokens_used: 1_500 });
  await leases.progress("t", b(2), "again", 200);
  await bench.clock.advance(600_000);
  await bench.swarm.sweep();
  assert.partialDeepStrictEqual(await tasks.find("t"), { attempts: 2, resumes: 1, tokens_used: 1_700 });
  await bench.clock.advance(20_000);
  await leases.claim({ actor: "agent:a", role: null });
  await leases.report("t", a(3), { summary: "done" });
  const back = await decisions.sendBack("t", "human:ann", "tests are missing");
  assert.deepEqual([back.state, back.attempts, back.ending], ["failed", 3, "sent_back"]);
  assert.match(back.reason ?? "", /all of its 3 attempts are used/);
  await decisions.retry("t", "human:ann");
  const { task } = await leases.claim({ actor: "agent:a", role: null });
  assert.deepEqual([task.attempts, task.max_attempts, task.resumes, task.retries], [3, 4, 1, 2]);
});

test("a holder that is lost three times is resumed, and then a person is asked", async (t) => {
  const bench = new SwarmBench(t);
  const { leases, tasks } = bench.swarm;
  await bench.add({ task_id: "t" });
  for (const resumes of [1, 2, 3, 4]) {
    await leases.claim({ actor: "agent:a", role: null, process });
    await leases.progress("t", a(resumes), `step ${resumes}`);
    bench.endedPids.clear();
    assert.deepEqual((await bench.swarm.sweep()).lost, []);
    bench.endedPids.add(7);
    assert.deepEqual((await bench.swarm.sweep()).lost, ["t"]);
    const task = await tasks.find("t");
    assert.deepEqual([task.resumes, task.ending, task.owner], [resumes, "crashed", null]);
    assert.match(task.resume_note ?? "", new RegExp(`process 7 of agent:a ended.*step ${resumes}`));
    if (resumes < 4) {
      assert.equal(task.state, "open");
      await assert.rejects(leases.claim({ actor: "agent:b", role: null }), { code: "SWARM_TASK_NONE_READY" });
    } else assert.equal(task.state, "needs_input");
    await bench.clock.advance(300_000);
  }
  const answered = await bench.swarm.decisions.answer("t", "human:ann", "use the other port");
  assert.match(answered.resume_note ?? "", /The answer: use the other port/);
  assert.deepEqual([answered.state, answered.resumes], ["open", 4]);
});

test("a rate limit costs no attempt, and the task waits for the reset", async (t) => {
  const bench = new SwarmBench(t);
  const { leases } = bench.swarm;
  await bench.claimed("t");
  const resetsAt = "2026-01-01T05:00:00.000Z";
  const paused = await leases.pause("t", a(1), "usage limit", resetsAt);
  assert.deepEqual(
    [paused.state, paused.ending, paused.attempts, paused.resumes, paused.setbacks, paused.ready_at],
    ["open", "rate_limited", 0, 0, [], resetsAt],
  );
  await bench.clock.advance(5 * 3_600_000 - 1);
  await assert.rejects(leases.claim({ actor: "agent:a", role: null }), { code: "SWARM_TASK_NONE_READY" });
  await bench.clock.advance(1);
  assert.equal((await leases.claim({ actor: "agent:a", role: null })).lease.epoch, 2);
});

test("a renewed lease lasts longer, and one that was renewed meanwhile is not taken back", async (t) => {
  const bench = new SwarmBench(t);
  const { leases } = bench.swarm;
  await bench.claimed("t");
  await bench.clock.advance(500_000);
  const { expires_at } = await leases.renew("t", a(1));
  assert.equal(expires_at, "2026-01-01T00:18:20.000Z");
  await bench.clock.advance(500_000);
  assert.deepEqual(await bench.swarm.sweep(), { lost: [], retried: [] });
  await bench.clock.advance(100_000);
  assert.deepEqual((await bench.swarm.sweep()).lost, ["t"]);
});

test("a swarm that is started sweeps by itself, at the start and again", async (t) => {
  const bench = new SwarmBench(t);
  await bench.claimed("t");
  await bench.clock.advance(600_000);
  await bench.swarm.start();
  assert.equal(await bench.state("t"), "open");
  await bench.swarm.leases.claim({ actor: "agent:b", role: null }).catch(() => undefined);
  await bench.clock.advance(10_000);
  await bench.swarm.leases.claim({ actor: "agent:b", role: null, process });
  bench.endedPids.add(7);
  await bench.clock.advance(5_000);
  await bench.swarm.stop();
  assert.equal(await bench.state("t"), "open");
  assert.equal(bench.clock.pendingTimers, 0);
});

test("a task that is given something to wait for while hooks decide about its claim is not claimed", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "t" }, { task_id: "first", role: "qa" });
  bench.onAsked = async ({ event }) => {
    if (event === "task.claimed")
      await bench.swarm.tasks.edit("t", { depends_on: ["first"] }, { actor: "human:ann", cwd: "/p" });
  };
  const claim = bench.swarm.leases.claim({ actor: "agent:a", role: null, taskId: "t" });
  await assert.rejects(claim, { code: "SWARM_TASK_NOT_READY", message: /waits for first \(open\)/ });
  assert.equal(await bench.state("t"), "open");
});

test("what changes no files is completed by the next sweep where a crash or the store came between", async (t) => {
  const file = temporaryFile(t);
  const bench = new SwarmBench(t, file);
  await bench.claimed("t", "agent:a", { no_change: true });
  bench.failsAt("complete");
  const reported = await bench.swarm.leases.report("t", a(1), {
    summary: "fine",
    evidence: [{ what: "logs" }],
  });
  assert.equal(reported.state, "reported");
  const restarted = new SwarmBench(t, file);
  await restarted.swarm.sweep();
  assert.deepEqual([await bench.state("t"), restarted.names()], ["landed", ["task.completed"]]);
  await bench.swarm.sweep();
  assert.deepEqual(
    bench.names().filter((name) => name === "task.completed"),
    [],
  );
});

test("attempts that are used are not exceeded by an edit, and a person who reopens a task allows one more", async (t) => {
  const bench = new SwarmBench(t);
  await bench.claimed("t", "agent:a", { max_attempts: 2 });
  await bench.swarm.leases.fail("t", a(1), "no");
  const edit = bench.swarm.tasks.edit("t", { max_attempts: 1 }, { actor: "human:ann", cwd: "/p" });
  await assert.rejects(edit, {
    code: "SWARM_OPTION_INVALID",
    message: /max_attempts.*more than the 1 it has used/,
  });
  await bench.swarm.decisions.retry("t", "human:ann");
  await bench.swarm.leases.claim({ actor: "agent:a", role: null });
  await bench.swarm.leases.fail("t", a(2), "no");
  await bench.swarm.decisions.cancel("t", "human:ann", "enough");
  assert.equal((await bench.swarm.decisions.reopen("t", "human:ann")).max_attempts, 3);
});
