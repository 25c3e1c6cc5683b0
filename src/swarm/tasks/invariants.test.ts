import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { SwarmError } from "../../base/errors.ts";
import type { RunEvent } from "../../record/port/run-event.ts";
import { SwarmBench } from "../harness.cases.ts";
import { whyStale } from "./move.ts";
import type { StoredTask } from "./port/task.ts";
import { isHeld, type TaskAction, type TaskState, type Transition, transitions } from "./port/transitions.ts";

const ids = ["a", "b", "c"];
const agents = ["agent:x", "agent:y"];
/** What an action is refused with when it comes at the wrong time; anything else is a mistake. */
const expected = ["SWARM_TASK_STATE", "SWARM_LEASE_STALE", "SWARM_TASK_NONE_READY", "SWARM_TASK_NOT_READY"];

interface Lease {
  readonly actor: string;
  readonly task: string;
  readonly epoch: number;
}

/** Whatever anybody may do, with every lease that was ever given out: also those that are over. */
class Play {
  readonly bench: SwarmBench;
  readonly #leases: Lease[] = [];
  #known = new Map<string, StoredTask>();

  constructor(t: TestContext) {
    this.bench = new SwarmBench(t);
  }

  async step([what, which, who]: readonly [number, number, number]): Promise<void> {
    const { swarm, clock, endedPids } = this.bench;
    const { leases, decisions } = swarm;
    const id = ids[which % ids.length] as string;
    const lease = this.#leases[which % Math.max(1, this.#leases.length)];
    const held = lease ?? { actor: "agent:x", task: id, epoch: 1 };
    const { task } = held;
    const steps: (() => Promise<unknown>)[] = [
      async () => {
        const actor = agents[who % agents.length] as string;
        const process = who % 3 === 0 ? { place: "here", pid: which, born: "1" } : null;
        const claimed = await leases.claim({ actor, role: null, process });
        this.#leases.push({ actor, task: claimed.task.task_id, epoch: claimed.lease.epoch });
      },
      () => leases.progress(task, held, "on it", who * 100),
      () => leases.renew(task, held),
      () => leases.report(task, held, { summary: "done", evidence: [{ what: "it" }], tokens: who * 150 }),
      () => leases.fail(task, held, "no"),
      () => leases.pause(task, held, "limit", null),
      () => leases.ask(task, held, "which?"),
      () => decisions.cancel(id, "human:ann", "no"),
      () => decisions.reopen(id, "human:ann"),
      () => decisions.retry(id, "human:ann"),
      () => decisions.answer(id, "human:ann", "that"),
      () => decisions.sendBack(id, "human:ann", "more"),
      () =>
        who === 0 ? decisions.accept(id, "human:ann", "by hand") : decisions.block(id, "human:ann", "wait"),
      () => decisions.unblock(id, "human:ann"),
      () => clock.advance(who * 97_000),
      async () => {
        endedPids.add(which);
        await swarm.sweep();
      },
      () => swarm.sweep(),
    ];
    const before = await swarm.tasks.find(task);
    const act = steps[what % steps.length] as () => Promise<unknown>;
    const isDone = await act().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof SwarmError) || !expected.includes(error.code)) throw error;
        return false;
      },
    );
    const isHolders = what % steps.length >= 1 && what % steps.length <= 6;
    if (isDone && isHolders)
      assert.deepEqual(
        [before.epoch, before.owner],
        [held.epoch, held.actor],
        "only who has the task acts on it",
      );
    await this.#check();
  }

  async #check(): Promise<void> {
    const tasks = await Promise.all(ids.map((id) => this.bench.swarm.tasks.find(id)));
    for (const task of tasks) {
      const before = this.#known.get(task.task_id) ?? task;
      for (const counter of ["attempts", "resumes", "retries", "sessions", "tokens_used", "epoch"] as const)
        assert.ok(task[counter] >= before[counter], `${counter} of ${task.task_id} went back`);
      assert.ok(task.attempts <= task.epoch, "an attempt is a claim");
      assert.equal(isHeld(task.state), task.lease_until !== null, `${task.state} has a lease or none`);
      if (isHeld(task.state)) assert.notEqual(task.owner, null);
      const valid = this.#leases.filter(
        ({ task: id, epoch }) => id === task.task_id && whyStale(task, epoch) === null,
      );
      assert.ok(new Set(valid.map(({ epoch }) => epoch)).size <= 1, "one epoch is valid at most");
      if (before.state === "landed") assert.equal(task.state, "landed", "what has landed stays landed");
    }
    const unmet = tasks.filter(({ task_id, state }) => task_id !== "c" && state !== "landed").length;
    assert.equal(tasks.find(({ task_id }) => task_id === "c")?.unmet, unmet);
    this.#known = new Map(tasks.map((task) => [task.task_id, task]));
  }

  /** Each task's rows lead, one legal step after the other, from its beginning to how it stands. */
  async checkRecord(): Promise<void> {
    const rows = await this.bench.rows();
    for (const id of ids) {
      let state: TaskState = "open";
      for (const { action, from, to } of rows.flatMap((row) => stepOf(row, id))) {
        assert.equal(from, state, `${action} of ${id} follows what was before`);
        const row: Transition = transitions[action];
        assert.ok(row.from.includes(from) && row.to.includes(to), `${action}: ${from} → ${to}`);
        state = to;
      }
      assert.equal(await this.bench.state(id), state);
    }
    const completed = this.bench.told.filter(({ event }) => event === "task.completed");
    const done = completed.map(({ data }) => data.task_id);
    assert.equal(new Set(done).size, done.length, "none is done twice");
  }
}

function stepOf({ reason, task }: RunEvent, id: string) {
  const found = /^(\w+) \w+: (\w+) → (\w+) \(epoch \d+\)$/.exec(reason ?? "");
  if (task !== id || found === null) return [];
  const [, action, from, to] = found as unknown as [string, TaskAction, TaskState, TaskState];
  return [{ action, from, to }];
}

test("whatever anybody does in whatever order, no counter goes back and no lease is held twice", async (t) => {
  const step = fc.tuple(fc.nat(16), fc.nat(11), fc.nat(4));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120, size: "max" }), async (steps) => {
      const play = new Play(t);
      await play.bench.add(
        { task_id: "a", no_change: true },
        { task_id: "b" },
        { task_id: "c", depends_on: ["a", "b"] },
      );
      for (const one of steps) await play.step(one);
      await play.checkRecord();
    }),
    { numRuns: 40 },
  );
});
