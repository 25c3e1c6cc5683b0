import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmBench } from "../harness.cases.ts";

const asker = { actor: "human:ann", cwd: "/p" };

test("tasks that would wait for each other are refused with the circle, and none is added", async (t) => {
  const bench = new SwarmBench(t);
  const circle = bench.add(
    { task_id: "a", depends_on: ["b"] },
    { task_id: "b", depends_on: ["c"] },
    { task_id: "c", depends_on: ["a"] },
  );
  await assert.rejects(circle, { code: "SWARM_TASK_CYCLE", params: { cycle: ["a", "b", "c", "a"] } });
  await assert.rejects(bench.add({ task_id: "a", depends_on: ["a"] }), { code: "SWARM_TASK_CYCLE" });
  await bench.add({ task_id: "a" }, { task_id: "b", depends_on: ["a"] }, { task_id: "c", depends_on: ["b"] });
  const edit = bench.swarm.tasks.edit("a", { depends_on: ["c"] }, asker);
  await assert.rejects(edit, { code: "SWARM_TASK_CYCLE", params: { cycle: ["a", "c", "b", "a"] } });
  await assert.rejects(bench.add({ task_id: "x", parent: "y" }, { task_id: "y", parent: "x" }), {
    code: "SWARM_TASK_CYCLE",
  });
  assert.equal((await bench.swarm.tasks.list({ limit: 9 })).length, 3);
});

test("a hook that refuses one task of a file refuses the file", async (t) => {
  const bench = new SwarmBench(t);
  bench.refusals["task.created"] = "ERROR: Tasks must have a scope defined";
  await assert.rejects(bench.add({}, {}), { code: "SWARM_TASK_REFUSED", message: /must have a scope/ });
  assert.deepEqual([await bench.swarm.tasks.list({ limit: 9 }), await bench.rows()], [[], []]);
});

test("what is wrong with a task names it and the value", async (t) => {
  const bench = new SwarmBench(t);
  const wrong: readonly (readonly [object, string, RegExp])[] = [
    [{}, "SWARM_OPTION_INVALID", /goal/],
    [{ goal: "" }, "SWARM_OPTION_INVALID", /goal/],
    [{ goal: "x", gaol: 1 }, "SWARM_OPTION_UNKNOWN", /gaol/],
    [{ goal: "x", priority: 10 }, "SWARM_OPTION_INVALID", /priority/],
    [{ goal: "x", task_id: "../a" }, "SWARM_OPTION_INVALID", /task_id/],
    [{ goal: "x", role: "a b" }, "SWARM_OPTION_INVALID", /role/],
    [{ goal: "x", cwd: "src" }, "SWARM_OPTION_INVALID", /cwd/],
    [{ goal: "x", budget: { usd: -1 } }, "SWARM_OPTION_INVALID", /budget/],
    [{ goal: "x", budget: { euros: 1 } }, "SWARM_OPTION_INVALID", /budget/],
    [{ goal: "x".repeat(70_000) }, "SWARM_OPTION_INVALID", /goal/],
    [{ goal: "x", depends_on: ["nobody"] }, "SWARM_TASK_UNKNOWN", /nobody/],
    [{ goal: "x", parent: "nobody" }, "SWARM_TASK_UNKNOWN", /nobody/],
  ];
  for (const [given, code, message] of wrong)
    await assert.rejects(bench.swarm.tasks.add([given], asker), { code, message }, JSON.stringify(given));
  await assert.rejects(bench.swarm.tasks.add([{ goal: "x" }, {}], asker), {
    code: "SWARM_TASKS_INVALID",
    message: /task 2 of the file.*goal/,
  });
  assert.deepEqual(bench.names(), []);
});

test("an edit changes what is said and leaves what became of it", async (t) => {
  const bench = new SwarmBench(t);
  await bench.claimed("t");
  await bench.add({ task_id: "n" });
  const edited = await bench.swarm.tasks.edit("t", { goal: "something else", depends_on: ["n"] }, asker);
  assert.partialDeepStrictEqual(edited, { goal: "something else", state: "claimed", epoch: 1, unmet: 1 });
  await assert.rejects(bench.swarm.tasks.edit("t", { state: "landed" }, asker), {
    code: "SWARM_OPTION_UNKNOWN",
  });
  await assert.rejects(bench.swarm.tasks.edit("t", { parent: "n" }, asker), { code: "SWARM_OPTION_UNKNOWN" });
});

test("a worker adds tasks below its own and nowhere else", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "own" }, { task_id: "part", parent: "own" }, { task_id: "other" });
  const add = (given: object, within: string | null) =>
    bench.swarm.tasks.add([{ goal: "more of it", ...given }], { actor: "agent:a", cwd: "/p", within });
  const refused = { code: "SWARM_TASK_REFUSED", message: /a worker adds tasks below its own/ };
  await assert.rejects(add({}, "own"), refused);
  await assert.rejects(add({ parent: "other" }, "own"), refused);
  await assert.rejects(add({ parent: "own" }, null), refused);
  assert.equal((await add({ parent: "part" }, "own"))[0]?.parent, "part");
});

test("a tree has what is below a task", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "a" }, { task_id: "b", parent: "a" }, { task_id: "c", parent: "b" });
  const tree = await bench.swarm.tasks.tree("a");
  assert.equal(tree.children[0]?.children[0]?.task.task_id, "c");
});

test("a task that is cancelled takes what is below it along, and its holder's lease", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "a" }, { task_id: "b", parent: "a" }, { task_id: "c", parent: "a" });
  await bench.swarm.decisions.accept("c", "human:ann", "done by hand");
  await bench.swarm.leases.claim({ actor: "agent:x", role: null, taskId: "b" });
  await bench.swarm.decisions.cancel("a", "human:ann", "not wanted");
  assert.deepEqual(await Promise.all(["a", "b", "c"].map((id) => bench.state(id))), [
    "cancelled",
    "cancelled",
    "landed",
  ]);
  const late = bench.swarm.leases.report("b", { actor: "agent:x", epoch: 1 }, { summary: "done" });
  await assert.rejects(late, {
    code: "SWARM_LEASE_STALE",
    message: /the task is cancelled: cancelled by human:ann/,
  });
  assert.partialDeepStrictEqual(bench.told.at(-1), {
    event: "task.cancelled",
    data: { task_id: "b", agent_id: "x", cancelled_by: "human:ann" },
  });
  assert.equal((await bench.swarm.decisions.reopen("b", "human:ann")).state, "open");
  assert.equal((await bench.swarm.leases.claim({ actor: "agent:y", role: null })).lease.epoch, 2);
});

test("whoever waits for a task that is superseded waits for the one in its place", async (t) => {
  const bench = new SwarmBench(t);
  await bench.add({ task_id: "old" }, { task_id: "new" }, { task_id: "after", depends_on: ["old"] });
  await assert.rejects(bench.swarm.decisions.supersede("old", "after", "human:ann"), {
    code: "SWARM_TASK_CYCLE",
  });
  await bench.swarm.decisions.supersede("old", "new", "human:ann");
  assert.deepEqual((await bench.swarm.tasks.find("after")).depends_on, ["new"]);
  await bench.swarm.decisions.accept("new", "human:ann", "done");
  assert.deepEqual(
    (await bench.swarm.tasks.ready(null, 9)).map(({ task_id }) => task_id),
    ["after"],
  );
});
