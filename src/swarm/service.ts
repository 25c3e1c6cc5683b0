import type { Clock, Timer } from "../base/clock.ts";
import { SwarmError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Part } from "../base/part.ts";
import type { Emit } from "../daemon/runtime/port/emit.ts";
import type { Audit } from "../record/port/audit.ts";
import type { Store } from "../store/port/store.ts";
import { Agents } from "./agents/agents.ts";
import { Fence } from "./agents/fence.ts";
import { ClaimWhenReady } from "./tasks/claim-when-ready.ts";
import { Mail } from "./mail/mail.ts";
import { Decisions } from "./tasks/decisions.ts";
import { TaskEvents } from "./tasks/events.ts";
import { Leases } from "./tasks/leases.ts";
import type { OwnerProcess, Task } from "./tasks/port/task.ts";
import { Sweep, type SweepOptions, type Swept } from "./tasks/sweep.ts";
import { Tasks } from "./tasks/tasks.ts";
import { TaskWriter } from "./tasks/writer.ts";

/** All that is not the same twice comes in here: with another clock, ids and processes the swarm runs in a simulation. */
export interface SwarmOptions {
  readonly store: Pick<Store, "tasks" | "agents" | "mail">;
  readonly audit: Audit;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: (prefix: string) => string;
  /** Whether a process is known to have ended. */
  readonly hasEnded: (process: OwnerProcess) => boolean;
  readonly newToken: () => string;
  readonly fence?: Fence;
}

const sweepEveryMs = 5_000;

/** The swarm: what there is to do, who does it, and what becomes of it. Nothing happens by itself but what `start` starts. */
export class Swarm implements Part {
  readonly agents: Agents;
  readonly fence: Fence;
  readonly mail: Mail;
  readonly tasks: Tasks;
  readonly leases: Leases;
  readonly claimWhenReady: ClaimWhenReady;
  readonly decisions: Decisions;
  readonly #options: SwarmOptions;
  readonly #sweep: Sweep;
  #timer: Timer | null = null;
  #sweeping: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(options: SwarmOptions) {
    this.#options = options;
    const { store, emit, log, newId, hasEnded, fence = new Fence() } = options;
    this.fence = fence;
    const onWritten = (task: Task, isClaimed: boolean): void => {
      fence.noteTask(task, isClaimed);
      this.claimWhenReady.noteTask(task);
    };
    const writer = new TaskWriter({ ...options, store: store.tasks, onWritten });
    const events = new TaskEvents(emit, log);
    const common = { store: store.tasks, writer, events, newId };
    this.tasks = new Tasks(common);
    this.leases = new Leases(common);
    this.claimWhenReady = new ClaimWhenReady(this.leases, options.clock);
    this.decisions = new Decisions(common);
    const onLost: SweepOptions["onLost"] = async (_task, holder, ending) => {
      if (ending === "stalled") await this.agents.stalled(holder);
    };
    const complete = (taskId: string) => this.leases.completeReported(taskId);
    this.#sweep = new Sweep({ ...common, hasEnded, complete, onLost });
    this.agents = new Agents({
      ...options,
      fence,
      store: store.agents,
      tasks: store.tasks,
      renew: (taskId, epoch) => this.leases.prolong(taskId, epoch),
      countSession: (taskId, holder) => this.leases.countSession(taskId, holder),
      takeBack: (task, why) => this.#sweep.lose(task, "crashed", why),
    });
    this.mail = new Mail({ ...options, store: store.mail, agents: store.agents });
  }

  /** Takes back what was lost and retries what is due, now. */
  sweep(): Promise<Swept> {
    return this.#sweep.run();
  }

  /** Sweeps from now on by itself. No model is asked for it. */
  async start(): Promise<void> {
    await this.#sweepOrLog();
    this.#next();
  }

  abort(): void {
    this.#isStopped = true;
    this.#timer?.close();
  }

  async stop(): Promise<void> {
    this.abort();
    await this.#sweeping;
  }

  #next(): void {
    if (this.#isStopped) return;
    this.#timer = this.#options.clock.setTimer(() => {
      this.#sweeping = this.#sweepOrLog().then(() => this.#next());
    }, sweepEveryMs);
  }

  /** A store that is busy may not be next time. */
  async #sweepOrLog(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      this.#options.log.warn(error.message, { code: error.code });
    }
  }
}
