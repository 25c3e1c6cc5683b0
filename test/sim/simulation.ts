import { isHeld } from "../../src/swarm/tasks/port/transitions.ts";
import { roles, SimAgents } from "./agents.ts";
import type { Breaking } from "./breaking.ts";
import { demand, Violation } from "./history.ts";
import { SimOperators } from "./operators.ts";
import { noFaults } from "./unreliable-store.ts";
import { World } from "./world.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly steps: number;
  readonly breaking?: Breaking | null;
}

export interface Simulated {
  readonly seed: number;
  /** How many were taken, before everything was wound up. */
  readonly steps: number;
  /** What must never be and was; null: nothing. */
  readonly violation: string | null;
  readonly log: readonly string[];
  /** SHA-256 of the log in hex. */
  readonly digest: string;
  /** Tasks by their state at the end. */
  readonly states: Readonly<Record<string, number>>;
  readonly rows: number;
}

const wantedAgents = 5;

/** Runs the swarm for some steps under chosen numbers, then lets all that is under way come to its end. */
export async function simulate({ seed, steps, breaking = null }: SimulationOptions): Promise<Simulated> {
  const world = await World.open({ seed, breaking });
  // Some seeds are calm, so that what needs a long undisturbed way is seen as well.
  const harm = world.pick([0, 1, 1, 3]) ?? 0;
  world.faults = { failsBefore: 0.01 * harm, failsAfter: 0.01 * harm, isSlow: 0.04 * harm };
  world.refuses = 0.03 * harm;
  const agents = new SimAgents(world);
  const operators = new SimOperators(world, agents);
  let taken = 0;
  try {
    for (; taken < steps; taken++) await world.step(() => next(world, agents, operators));
    await windUp(world, agents);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
  } finally {
    await world.close();
  }
  const states: Record<string, number> = {};
  for (const id of world.history.taskIds) {
    const state = world.history.stateOf(id) ?? "unknown";
    states[state] = (states[state] ?? 0) + 1;
  }
  return {
    ...{ seed, steps: world.violation === null ? taken : Math.min(taken + 1, steps) },
    violation: world.violation?.message ?? null,
    ...{ log: world.log, digest: world.digest(), rows: world.history.seq },
    states,
  };
}

async function next(world: World, agents: SimAgents, operators: SimOperators): Promise<void> {
  if (world.waiting.length > 0 && world.chance(0.25)) return world.answer();
  const chosen = world.random();
  if (chosen < 0.12) return world.clock.setWall(world.below(20_000));
  if (chosen < 0.15) return world.clock.setWall(world.below(700_000));
  if (chosen < 0.155) return world.clock.setWall(-world.below(60_000));
  if (chosen < 0.23) return world.sweep();
  if (chosen < 0.235) return world.restart(world.chance(0.2));
  if (chosen < 0.36) return operators.act();
  const { alive } = agents;
  if (alive.length < wantedAgents && world.chance(0.3))
    return agents.register(world.chance(0.3) ? world.pick(roles) : null);
  const agent = world.pick(alive);
  if (agent !== undefined) agents.act(agent);
}

/** Without faults and without agents that are not to be relied on, everything has to come to where it can stay. */
async function windUp(world: World, agents: SimAgents): Promise<void> {
  world.faults = noFaults;
  world.refuses = 0;
  while (world.waiting.length > 0) await world.step(() => world.answer(0));
  // Longer than any lease, pause, reservation or wrong clock.
  for (let times = 0; times < 3; times++) {
    world.clock.setWall(2 * 3_600_000);
    await world.step(() => world.sweep());
  }
  await world.step(() => nothingIsStuck(world));
  await world.step(() => agents.register());
  const worker = agents.alive.at(-1);
  demand(worker !== undefined, () => "no agent can be registered");
  for (let isGiven = true; isGiven; ) {
    worker.lease = null;
    await world.step(() => agents.claim(worker));
    isGiven = worker.lease !== null;
    await world.step(() => agents.report(worker));
  }
  await world.step(async () => {
    const left = (await world.store.tasks.list({ limit: 1_000 })).find(
      ({ state, unmet }) => state === "open" && unmet === 0,
    );
    demand(left === undefined, () => `task ${left?.task_id} is ready and nobody is given it`);
  });
  await world.check(true);
}

/** What happens by itself has happened: nobody holds a task for ever, and nothing waits for a sweep. */
async function nothingIsStuck(world: World): Promise<void> {
  for (const { task_id, state, retry_at, no_change } of await world.store.tasks.list({ limit: 1_000 })) {
    const isRetried = state === "failed" && retry_at !== null;
    const isDone = state === "reported" && no_change;
    const isStuck = isHeld(state) || isRetried || isDone;
    demand(!isStuck, () => `task ${task_id} stays ${state} for ever`);
  }
}

/** Of so many seeds the one that needs the fewest steps until something is wrong; null: nothing is. */
export async function findShortest(from: number, seeds: number, options: Omit<SimulationOptions, "seed">) {
  let shortest: Simulated | null = null;
  for (let seed = from; seed < from + seeds; seed++) {
    const steps: number = shortest === null ? options.steps : shortest.steps - 1;
    if (steps < 1) break;
    const simulated = await simulate({ ...options, seed, steps });
    if (simulated.violation !== null) shortest = simulated;
  }
  return shortest;
}
