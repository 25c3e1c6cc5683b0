import type { TestContext } from "node:test";
import { type ManualClock, manualClock } from "../engine/testing/index.ts";
import type { EmitRequest } from "../daemon/runtime/port/emit.ts";
import { SwarmError } from "../base/errors.ts";
import { Outcome } from "../engine/events/outcome.ts";
import { validatePayload } from "../engine/events/validate.ts";
import { completeEntry } from "../record/audit/complete-entry.ts";
import type { Audit, Recorded } from "../record/port/audit.ts";
import type { RunEvent } from "../record/port/run-event.ts";
import type { Store } from "../store/port/store.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { temporaryFile } from "../store/sqlite/harness.cases.ts";
import { Swarm, type SwarmOptions } from "./service.ts";
import type { GivenTask, StoredTask } from "./tasks/port/task.ts";

/** An audit log that writes each entry and its changes in one transaction, and nothing more. */
export function plainAudit(store: Store, clock: { now(): number }): Audit {
  const record: Audit["record"] = async (given, ...changes): Promise<Recorded> => {
    const entry = completeEntry(given, new Date(clock.now()).toISOString());
    await store.append([{ entry }], changes);
    return entry;
  };
  return { record, intent: () => Promise.reject(new Error("no intents here")) };
}

export interface Told {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly actor: string | undefined;
}

/** A swarm on a store of its own, whose clock the test moves and whose hooks are the test's. */
export class SwarmBench {
  readonly clock: ManualClock = manualClock(Date.UTC(2026, 0, 1));
  readonly store: Store;
  readonly swarm: Swarm;
  readonly told: Told[] = [];
  /** Reasons of refusals by event. */
  readonly refusals: Record<string, string> = {};
  readonly endedPids = new Set<number>();
  /** What happens while hooks decide. */
  onAsked: (told: Told) => Promise<void> = async () => undefined;
  readonly #atRow = new Map<string, (write: () => Promise<Recorded>) => Promise<Recorded>>();
  #ids = 0;

  constructor(t: TestContext, file: string = temporaryFile(t), options: Partial<SwarmOptions> = {}) {
    this.store = openSqliteStore(file);
    t.after(() => this.store.close());
    this.swarm = new Swarm({
      store: this.store,
      audit: this.#audit(plainAudit(this.store, this.clock)),
      emit: (request) => this.#emit(request),
      clock: this.clock,
      log: {
        warn: (message) => void this.told.push({ event: "warning", data: { message }, actor: undefined }),
      },
      newId: (prefix) => `${prefix}_${++this.#ids}`,
      newToken: () => `token${++this.#ids}`,
      hasEnded: ({ pid }) => this.endedPids.has(pid),
      ...options,
    });
  }

  async add(...given: Partial<GivenTask>[]): Promise<StoredTask[]> {
    const tasks = given.map((one) => ({ goal: "something to do", ...one }));
    return this.swarm.tasks.add(tasks, { actor: "human:ann", cwd: "/p" });
  }

  /** A task with this id, claimed by this agent. */
  async claimed(task_id: string, actor = "agent:a", more: Partial<GivenTask> = {}) {
    await this.add({ task_id, ...more });
    return this.swarm.leases.claim({ actor, role: null, taskId: task_id });
  }

  async state(taskId: string): Promise<string> {
    return (await this.swarm.tasks.find(taskId)).state;
  }

  /** The next row of this action fails: before it is written, or after it was. */
  failsAt(action: string, isWritten = false): void {
    this.#atRow.set(action, async (write) => {
      if (isWritten) await write();
      throw new SwarmError("SWARM_STORE_FAILED", { location: "the store", problem: "as planned" });
    });
  }

  /** The next row of this action is written, and not answered before the function that is returned is called. */
  holdsAnswerOf(action: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#atRow.set(action, async (write) => {
      const recorded = await write();
      await promise;
      return recorded;
    });
    return resolve;
  }

  async rows(): Promise<RunEvent[]> {
    return this.store.readRunEvents(0, 1_000_000);
  }

  names(): string[] {
    return this.told.map(({ event }) => event);
  }

  #audit(audit: Audit): Audit {
    const record: Audit["record"] = async (entry, ...changes) => {
      const write = (): Promise<Recorded> => audit.record(entry, ...changes);
      const [action = ""] = (entry.reason ?? "").split(" ", 1);
      const special = this.#atRow.get(action);
      this.#atRow.delete(action);
      return special === undefined ? write() : special(write);
    };
    return { ...audit, record };
  }

  async #emit({ event, data, actor }: EmitRequest): Promise<Outcome> {
    validatePayload(event as never, data);
    this.told.push({ event, data: data as Told["data"], actor });
    await this.onAsked({ event, data: data as Told["data"], actor });
    const outcome = new Outcome(event as never, data as never);
    const reason = this.refusals[event];
    if (reason !== undefined)
      outcome.decision = { ...outcome.decision, verdict: "deny", reason, hook: "test" };
    return outcome;
  }
}
