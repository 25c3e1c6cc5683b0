import type { KnownLease, World } from "./world.ts";

const place = "sim";
export const roles = ["backend", "qa"] as const;

/** An agent as it sees itself: what it holds is what it was answered last, and may be long over. */
export interface SimAgent {
  readonly agentId: string;
  readonly token: string;
  readonly session: string;
  readonly role: string | null;
  readonly pid: number | null;
  lease: KnownLease | null;
  /** The daemon it has asked for a task and not been answered by. */
  claimsFrom: number | null;
  /** Used by its present attempt. */
  tokens: number;
  /** It does nothing until then, as if its machine slept; then it goes on as if nothing had happened. */
  sleepsUntil: number;
  isGone: boolean;
}

/** The agents of a simulation: they come, work, forget to say goodbye, and come back when they should not. */
export class SimAgents {
  readonly all: SimAgent[] = [];
  readonly #world: World;
  #ids = 0;

  constructor(world: World) {
    this.#world = world;
  }

  get alive(): SimAgent[] {
    return this.all.filter(({ isGone }) => !isGone);
  }

  register(role: string | null = null): void {
    const world = this.#world;
    const number = ++this.#ids;
    const [agent_id, pid] = [`a${number}`, number % 3 === 0 ? null : 1_000 + number];
    const process = pid === null ? null : { place, pid, born: "1" };
    const wish = { actor: "human:ann", cwd: "/p", agent_id, role: role ?? undefined, process };
    world.ask(
      "ann",
      `registers ${agent_id}`,
      ({ agents }) => agents.register(wish),
      ({ token }) => {
        const own = { agentId: agent_id, token, session: `s${number}`, role, pid };
        this.all.push({ ...own, lease: null, claimsFrom: null, tokens: 0, sleepsUntil: 0, isGone: false });
      },
    );
  }

  claim(agent: SimAgent, taskId: string | null = null): void {
    const { agentId, role, pid } = agent;
    const { generation } = this.#world;
    if (agent.claimsFrom === generation) return;
    agent.claimsFrom = generation;
    const process = pid === null ? null : { place, pid, born: "1" };
    const wish = { actor: `agent:${agentId}`, role, taskId, process };
    this.#world.ask(
      agentId,
      `claims ${taskId ?? "the next task"}`,
      ({ leases }) =>
        leases.claim(wish).finally(() => {
          agent.claimsFrom = null;
        }),
      ({ task, lease }) => {
        agent.lease = { taskId: task.task_id, epoch: lease.epoch };
        agent.tokens = 0;
        this.#world.note(`  ${agentId} has ${task.task_id}@${lease.epoch}`);
      },
    );
  }

  /** What an agent does next is chosen at random, but for what it must do. */
  act(agent: SimAgent): void {
    const world = this.#world;
    if (agent.sleepsUntil > world.now) return;
    if (agent.lease === null) {
      if (world.chance(0.1)) this.leave(agent);
      else this.claim(agent);
      return;
    }
    const chosen = world.random();
    if (chosen < 0.2) world.toolCall(agent);
    else if (chosen < 0.3) this.renew(agent);
    else if (chosen < 0.5) this.progress(agent);
    else if (chosen < 0.68) this.report(agent);
    else if (chosen < 0.76) this.fail(agent);
    else if (chosen < 0.8) this.pause(agent, (world.random() - 0.2) * 3_600_000);
    else if (chosen < 0.83) this.askPerson(agent);
    else if (chosen < 0.88) this.heartbeat(agent);
    else if (chosen < 0.92) this.leave(agent);
    else if (chosen < 0.95) this.die(agent);
    else if (chosen < 0.98) this.sleep(agent, world.below(1_800_000));
    else this.giveUp(agent);
  }

  renew(agent: SimAgent): void {
    this.#hold(agent, "renew", (leases, id, holder) => leases.renew(id, holder));
  }

  progress(agent: SimAgent): void {
    agent.tokens += this.#world.below(1_000);
    const { tokens } = agent;
    this.#hold(agent, "progress", (leases, id, holder) => leases.progress(id, holder, "at it", tokens));
  }

  report(agent: SimAgent): void {
    const { tokens } = agent;
    const report = { summary: "done", evidence: [{ what: "tests" }], tokens };
    this.#hold(agent, "report", (leases, id, holder) => leases.report(id, holder, report), true);
  }

  fail(agent: SimAgent): void {
    const { tokens } = agent;
    const options = { ending: this.#world.chance(0.5) ? "failed" : "timed_out", tokens } as const;
    this.#hold(agent, "fail", (leases, id, holder) => leases.fail(id, holder, "tests fail", options), true);
  }

  /** Its own clock says when the limit is reset, and may be wrong. */
  pause(agent: SimAgent, inMs: number): void {
    const resetsAt = new Date(this.#world.now + inMs).toISOString();
    this.#hold(agent, "pause", (leases, id, holder) => leases.pause(id, holder, "limit", resetsAt), true);
  }

  askPerson(agent: SimAgent): void {
    this.#hold(agent, "ask", (leases, id, holder) => leases.ask(id, holder, "which one?"), true);
  }

  heartbeat({ agentId }: SimAgent): void {
    this.#world.ask(agentId, "gives a sign of life", ({ agents }) => agents.heartbeat(agentId, null));
  }

  /** It says that it ends. */
  leave(agent: SimAgent): void {
    const { agentId } = agent;
    agent.isGone = true;
    this.#world.ask(agentId, "ends", ({ agents }) => agents.complete(agentId, "bye"));
  }

  /** It ends without a word; its process can be looked up where it named one. */
  die(agent: SimAgent): void {
    const { agentId, pid } = agent;
    agent.isGone = true;
    if (pid !== null) this.#world.ended.add(`${pid}:1`);
    this.#world.note(`${agentId} dies`);
  }

  sleep(agent: SimAgent, ms: number): void {
    agent.sleepsUntil = this.#world.now + ms;
    this.#world.note(`${agent.agentId} sleeps for ${ms} ms`);
  }

  /** It forgets its task without a word, and asks for another. */
  giveUp(agent: SimAgent): void {
    agent.lease = null;
    this.#world.note(`${agent.agentId} forgets its task`);
  }

  #hold(agent: SimAgent, what: string, call: HeldCall, isLast = false): void {
    const { lease, agentId } = agent;
    if (lease === null) return;
    const holder = { actor: `agent:${agentId}`, epoch: lease.epoch };
    this.#world.askAsHolder(
      agent,
      what,
      ({ leases }) => call(leases, lease.taskId, holder),
      () => {
        if (isLast && agent.lease === lease && this.#world.chance(0.8)) agent.lease = null;
      },
    );
    // Some insist on a lease that is over, others look for another task sooner or later.
    if (this.#world.chance(0.05)) agent.lease = null;
  }
}

type Leases = World["swarm"]["leases"];
type HeldCall = (
  leases: Leases,
  taskId: string,
  holder: { readonly actor: string; readonly epoch: number },
) => Promise<unknown>;
