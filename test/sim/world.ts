import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SwarmError } from "../../src/base/errors.ts";
import type { EmitRequest } from "../../src/daemon/runtime/port/emit.ts";
import { Outcome } from "../../src/engine/events/outcome.ts";
import { type ManualClock, manualClock } from "../../src/engine/testing/index.ts";
import type { Store } from "../../src/store/port/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { Swarm } from "../../src/swarm/service.ts";
import type { Reservation } from "../../src/swarm/tasks/port/task-store.ts";
import type { StoredTask } from "../../src/swarm/tasks/port/task.ts";
import { randomFrom } from "../faults/random.ts";
import { type Breaking, breakStore, breakSwarm, type UsedStore } from "./breaking.ts";
import { demand, History, Violation } from "./history.ts";
import { type Faults, noFaults, UnreliableStore, type WaitingCall } from "./unreliable-store.ts";

/** Closing a store fsyncs it: 200 simulations on a disk wait for it longer than they compute. */
const memoryFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** What hooks are asked before; the rest they are told. */
const gates = ["task.created", "task.claimed", "agent.spawned"];

export interface WorldOptions {
  readonly seed?: number;
  readonly faults?: Faults;
  /** How often a hook refuses what it is asked, 0 to 1. */
  readonly refuses?: number;
  /** What is wrong in the service, to see whether it is found. */
  readonly breaking?: Breaking | null;
}

/** A lease as its holder knows it, however long ago. */
export interface KnownLease {
  readonly taskId: string;
  readonly epoch: number;
}

interface ActingAgent {
  readonly agentId: string;
  readonly token: string;
  readonly session: string;
  /** The last lease whose answer has reached it. */
  readonly lease: KnownLease | null;
}

/** The real swarm on a real store, with a clock, hooks, processes and faults that are the simulation's. */
export class World {
  readonly clock: ManualClock = manualClock(Date.UTC(2026, 0, 1));
  readonly random: () => number;
  readonly log: string[] = [];
  readonly history = new History();
  /** Processes that have ended, as `PID:BORN`. */
  readonly ended = new Set<string>();
  /** Calls of the store and of hooks that have not been answered, oldest first. */
  readonly waiting: WaitingCall[] = [];
  faults: Faults;
  refuses: number;
  swarm: Swarm;
  store: Store;
  /** Rises with every start of the daemon. */
  generation = 0;
  violation: Violation | null = null;
  readonly #folder = mkdtempSync(join(memoryFolder, "swarm-sim-"));
  readonly #file = join(this.#folder, "swarm.db");
  readonly #breaking: Breaking | null;
  #used: UsedStore;
  readonly #reserved = new Map<string, Reservation>();
  readonly #sessions = new Map<string, ActingAgent>();
  readonly #touched = new Set<string>();
  /** How many writes were made of which the daemon does not know, and how many of them a sweep has found out since. */
  #unsure = 0;
  #settled = 0;
  #ids = 0;
  #step = 0;
  #isDirty = false;

  static async open(options: WorldOptions = {}): Promise<World> {
    return new World(options, await emptyStore());
  }

  private constructor(
    { seed = 1, faults = noFaults, refuses = 0, breaking = null }: WorldOptions,
    empty: Uint8Array,
  ) {
    this.random = randomFrom(seed);
    this.faults = faults;
    this.refuses = refuses;
    this.#breaking = breaking;
    writeFileSync(this.#file, empty);
    this.store = openSqliteStore(this.#file);
    this.#used = breakStore(breaking, this.store);
    this.swarm = this.#newSwarm();
  }

  get now(): number {
    return this.clock.now();
  }

  /** Whole numbers from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.random() * bound);
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  note(line: string): void {
    this.log.push(line);
  }

  /** One thing happens, and all that follows from it without waiting; then everything has to be in order. */
  async step(work: () => unknown): Promise<void> {
    this.#step++;
    await this.#guarded(async () => {
      await work();
      await setImmediate();
      await this.check();
    });
  }

  /** Somebody asks the daemon for something. The answer may come after many steps, or never. */
  ask<T>(
    who: string,
    what: string,
    call: (swarm: Swarm) => Promise<T>,
    onAnswer?: (answer: T) => void,
  ): void {
    const { generation } = this;
    const said = `${this.#step} +${this.now - Date.UTC(2026, 0, 1)} ${who} ${what}`;
    this.note(said);
    call(this.swarm).then(
      (answer) => {
        if (generation !== this.generation) return;
        this.note(`  ${said}: yes`);
        this.#blame(() => onAnswer?.(answer));
      },
      (error: unknown) => {
        this.note(`  ${said}: ${error instanceof SwarmError ? error.code : String(error)}`);
        if (!(error instanceof SwarmError)) this.violation ??= asViolation(error);
      },
    );
  }

  /** A call made by the holder of a lease; where it is answered with a yes, the lease must have been its own. */
  askAsHolder<T>(
    agent: ActingAgent,
    what: string,
    call: (swarm: Swarm) => Promise<T>,
    onAnswer?: () => void,
  ): void {
    const { lease, agentId } = agent;
    if (lease === null) return;
    const { taskId, epoch } = lease;
    const from = this.history.seq;
    this.ask(agentId, `${what} ${taskId}@${epoch}`, call, () => {
      this.#mustHaveHeld(`${agentId} could ${what} ${taskId} with epoch ${epoch}`, agent, lease, from);
      onAnswer?.();
    });
  }

  /** A tool call of an agent's session, decided as the daemon does. */
  toolCall(agent: ActingAgent): void {
    const { session, token, agentId } = agent;
    this.ask(agentId, "calls a tool", async ({ fence, agents }) => {
      const isNew = fence.bind(session, token);
      this.#sessions.set(session, agent);
      const sign = fence.signOfLife(session, this.now);
      if (sign !== null) await agents.alive(sign, isNew);
    });
    const denied = this.swarm.fence.whyDenied(session);
    this.note(`  ${agentId} ${denied === null ? "runs it" : "is denied"}`);
  }

  sweep(): void {
    const unsure = this.#unsure;
    this.ask(
      "daemon",
      "sweeps",
      (swarm) => swarm.sweep(),
      () => {
        this.#settled = Math.max(this.#settled, unsure);
      },
    );
  }

  /** The daemon is killed, whatever it was doing, and another one started. */
  async restart(reopens = false): Promise<void> {
    this.note(`${this.#step} the daemon is killed with ${this.waiting.length} calls unanswered`);
    this.waiting.length = 0;
    this.generation++;
    this.#sessions.clear();
    if (reopens) {
      await this.store.close();
      this.store = openSqliteStore(this.#file);
      this.#used = breakStore(this.#breaking, this.store);
    }
    this.swarm = this.#newSwarm();
    const { faults } = this;
    this.faults = noFaults;
    await this.swarm.agents.load();
    this.faults = faults;
    this.sweep();
  }

  /** Lets one of the calls that wait go on. */
  answer(at = this.below(this.waiting.length)): void {
    const [call] = this.waiting.splice(at, 1);
    if (call === undefined) return;
    this.note(`${this.#step} ${call.label} goes on`);
    call.goOn();
  }

  /** The record is followed as far as it goes, and what is stored compared with it. */
  async check(isAll = false): Promise<void> {
    if (this.violation !== null) throw this.violation;
    if (this.#isDirty || isAll) {
      this.#isDirty = false;
      const rows = await this.store.readRunEvents(this.history.seq, 1_000);
      const texts = rows.length === 0 ? [] : await this.store.readPayloads(this.history.seq, 1_000);
      const textOf = new Map(texts.map(({ seq, after }) => [seq, after]));
      for (const row of rows)
        for (const id of this.history.follow(row, textOf.get(row.seq) ?? null)) this.#touched.add(id);
      if (isAll) await this.#checkAll();
      else for (const id of this.#touched) await this.#checkOne(id);
      this.#touched.clear();
      this.history.checkCompletions();
    }
    this.#checkFence();
  }

  digest(): string {
    return createHash("sha256").update(this.log.join("\n")).digest("hex");
  }

  async close(): Promise<void> {
    this.generation++;
    await this.store.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #checkOne(id: string): Promise<void> {
    const stored = await this.store.tasks.find(id);
    demand(stored !== null, () => `task ${id} is in the record and not in the store`);
    this.history.compare(stored);
    this.#reserved.delete(id); // a task that is written is not set aside any more
  }

  async #checkAll(): Promise<void> {
    const all = await this.store.tasks.list({ limit: 1_000_000 });
    const { taskIds } = this.history;
    demand(all.length === taskIds.length, () => `${all.length} tasks are stored, ${taskIds.length} recorded`);
    for (const id of taskIds) await this.#checkOne(id);
  }

  /** Whose lease is over runs no tool; who has one is not kept from it. Until the daemon knows what it has written, it cannot. */
  #checkFence(): void {
    if (this.#settled < this.#unsure || this.waiting.some(({ isWritten }) => isWritten)) return;
    for (const [session, agent] of this.#sessions) {
      const { lease, agentId } = agent;
      if (lease === null) continue;
      const { taskId, epoch } = lease;
      const tenure = this.history.tenure(taskId, epoch);
      const hasIt = tenure !== undefined && tenure.until === null;
      const denied = this.swarm.fence.whyDenied(session);
      demand(hasIt || denied !== null, () => `${agentId} runs tools and has lost ${taskId} (epoch ${epoch})`);
      const isKept = hasIt && denied !== null && !denied.startsWith("agent ");
      demand(!isKept, () => `${agentId} has ${taskId} (epoch ${epoch}) and is denied its tools: ${denied}`);
    }
  }

  #mustHaveHeld(what: string, { agentId }: ActingAgent, { taskId, epoch }: KnownLease, from: number): void {
    const tenure = this.history.tenure(taskId, epoch);
    const isOwn = tenure !== undefined && tenure.actor === `agent:${agentId}`;
    demand(isOwn, () => `${what}, a lease that was ${tenure?.actor ?? "nobody"}'s`);
    const { until } = tenure;
    demand(until === null || until > from, () => `${what}, which row ${until} had ended`);
  }

  #newSwarm(): Swarm {
    const { generation } = this;
    const isOver = (): boolean => generation !== this.generation;
    const { store, audit } = new UnreliableStore({
      real: () => this.#used,
      faults: () => this.faults,
      random: this.random,
      now: () => this.now,
      onWaiting: (call) => void (isOver() || this.waiting.push(call)),
      note: (line) => this.note(line),
      onReserved: (task, reservation) => this.#onReserved(task, reservation),
      onUnreserved: (taskId) => void this.#reserved.delete(taskId),
      onUnsure: () => {
        this.#unsure++;
      },
      onWrite: () => {
        this.#isDirty = true;
      },
    });
    const swarm = new Swarm({
      ...{ store, audit },
      emit: (request) => this.#emit(request),
      clock: this.clock,
      log: { warn: (message) => this.note(`  warning: ${message}`) },
      newId: (prefix) => `${prefix}_${++this.#ids}`,
      newToken: () => `token_${++this.#ids}`,
      hasEnded: ({ pid, born }) => this.ended.has(`${pid}:${born}`),
    });
    breakSwarm(this.#breaking, swarm);
    return swarm;
  }

  async #emit({ event, data }: EmitRequest): Promise<Outcome> {
    const outcome = new Outcome(event as never, data as never);
    if (event === "task.completed")
      this.#blame(() => this.history.completed(String((data as { task_id: string }).task_id)));
    if (!gates.includes(event)) return outcome;
    const { isSlow } = this.faults;
    if (isSlow > 0 && this.chance(isSlow)) {
      this.note(`  hook: ${event} is thought about`);
      await new Promise<void>((goOn) =>
        this.waiting.push({ label: `hook ${event}`, isWritten: false, goOn }),
      );
    }
    if (this.refuses > 0 && this.chance(this.refuses))
      outcome.decision = { ...outcome.decision, verdict: "deny", reason: "not now", hook: "simulated" };
    return outcome;
  }

  /** What is set aside has to be ready, and for one at a time. */
  async #onReserved({ task_id }: StoredTask, reservation: Reservation): Promise<void> {
    const stored = await this.store.tasks.find(task_id);
    const { now } = reservation;
    const isReady = stored?.state === "open" && stored.unmet === 0 && stored.ready_at <= now;
    const other = this.#reserved.get(task_id);
    this.#reserved.set(task_id, reservation);
    this.#blame(() => {
      demand(isReady, () => `task ${task_id} was set aside for a claim and is ${stored?.state}, not ready`);
      const isTaken = other !== undefined && other.until > now;
      demand(!isTaken, () => `task ${task_id} was set aside for two claims at once`);
    });
  }

  /** What is wrong is thrown by the next check: whoever is asked here must not swallow it. */
  #blame(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.violation ??= asViolation(error);
    }
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.violation ??= asViolation(error);
      this.note(`violated in step ${this.#step}: ${this.violation.message}`);
      throw this.violation;
    }
  }
}

let empty: Promise<Uint8Array> | null = null;

/** The file of an empty store. Making its tables takes longer than a simulation, so they are made once. */
function emptyStore(): Promise<Uint8Array> {
  empty ??= makeEmptyStore();
  return empty;
}

async function makeEmptyStore(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(memoryFolder, "swarm-sim-"));
  try {
    const file = join(folder, "swarm.db");
    await openSqliteStore(file).close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function asViolation(error: unknown): Violation {
  if (error instanceof Violation) return error;
  return new Violation(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
