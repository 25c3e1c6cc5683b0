import type { GivenTask, StoredTask } from "../../src/swarm/tasks/port/task.ts";
import type { TaskState } from "../../src/swarm/tasks/port/transitions.ts";
import { roles, type SimAgents } from "./agents.ts";
import type { World } from "./world.ts";

const ann = { actor: "human:ann", cwd: "/p" };
const maxUnfinished = 12;

/** What a person would do about a task in a state. */
const sensible: Readonly<Partial<Record<TaskState, readonly Doing[]>>> = {
  open: ["block", "edit", "cancel", "supersede"],
  claimed: ["edit", "cancel"],
  working: ["edit", "cancel", "supersede"],
  reported: ["accept", "accept", "accept", "sendBack"],
  blocked: ["unblock"],
  needs_input: ["answer"],
  failed: ["retry", "cancel"],
  cancelled: ["reopen"],
  superseded: ["reopen"],
};
const doings = [
  "accept",
  "sendBack",
  "answer",
  "block",
  "unblock",
  "retry",
  "cancel",
  "supersede",
  "reopen",
  "edit",
] as const;
export type Doing = (typeof doings)[number];

/** People who add tasks and decide about them, mostly sensibly. */
export class SimOperators {
  readonly #world: World;
  readonly #agents: SimAgents;
  #ids = 0;

  constructor(world: World, agents: SimAgents) {
    this.#world = world;
    this.#agents = agents;
  }

  async act(): Promise<void> {
    const world = this.#world;
    const tasks = await world.store.tasks.list({ limit: 40 });
    const unfinished = tasks.filter(({ state }) => !["landed", "cancelled", "superseded"].includes(state));
    if (unfinished.length < maxUnfinished && world.chance(0.5)) return this.add(tasks);
    if (world.chance(0.04)) return this.kill();
    // What waits for a person first: otherwise it piles up.
    const task =
      world.pick(unfinished.filter(({ state }) => sensible[state] !== undefined)) ?? world.pick(tasks);
    if (task === undefined) return;
    const chosen = world.chance(0.8) ? sensible[task.state] : doings;
    const doing = world.pick(chosen ?? doings);
    if (doing !== undefined) this.decide(doing, task.task_id, tasks);
  }

  add(tasks: readonly StoredTask[]): void {
    const world = this.#world;
    const given: Partial<GivenTask>[] = [];
    for (let left = 1 + world.below(3); left > 0; left--) {
      const needed = world.chance(0.4) ? world.pick(tasks) : undefined;
      const parent = world.chance(0.2) ? world.pick(tasks) : undefined;
      given.push({
        task_id: `t${++this.#ids}`,
        goal: "something",
        priority: world.below(4),
        no_change: world.chance(0.3),
        role: world.chance(0.3) ? (world.pick(roles) ?? null) : null,
        max_attempts: world.chance(0.5) ? 1 + world.below(4) : 10,
        depends_on: needed === undefined ? [] : [needed.task_id],
        parent: parent?.task_id ?? null,
      });
    }
    const ids = given.map(({ task_id }) => task_id).join(", ");
    world.ask("ann", `adds ${ids}`, (swarm) => swarm.tasks.add(given, ann));
  }

  decide(doing: Doing, taskId: string, others: readonly StoredTask[] = []): void {
    const { actor } = ann;
    const world = this.#world;
    const other = world.pick(others)?.task_id ?? taskId;
    const edit = world.pick<Partial<GivenTask>>([
      { priority: world.below(9) },
      { depends_on: [other] },
      { depends_on: [] },
      { max_attempts: 1 + world.below(5) },
    ]);
    world.ask("ann", `${doing} ${taskId}`, async ({ tasks, decisions }) => {
      if (doing === "edit") return tasks.edit(taskId, edit, ann);
      if (doing === "supersede") return decisions.supersede(taskId, other, actor);
      if (doing === "unblock" || doing === "retry" || doing === "reopen")
        return decisions[doing](taskId, actor);
      return decisions[doing](taskId, actor, "because");
    });
  }

  kill(): void {
    const agent = this.#world.pick(this.#agents.alive);
    if (agent === undefined) return;
    const { agentId } = agent;
    this.#world.ask("ann", `kills ${agentId}`, ({ agents }) => agents.kill(agentId, ann.actor, "enough"));
  }
}
