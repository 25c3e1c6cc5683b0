import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { FlagValues } from "../../config/flags.ts";
import type { Config } from "../../config/hook-config.ts";
import type { EngineListener } from "../../engine/hooks/engine.ts";
import type { Webhooks } from "../../operations/webhooks/service.ts";
import { emitEntry, failedEntry, observedEntry } from "../../record/audit/entry.ts";
import type { Audit, NewEntry } from "../../record/port/audit.ts";
import type { StoreChange } from "../../store/port/store.ts";
import type { Traces } from "../telemetry/traces.ts";
import { actorOf } from "./actor-of.ts";
import type { Decided, Received } from "./events.ts";
import { logObserved, logOutcome } from "./log-hooks.ts";
import type { ConfigChange, HookOf, Project } from "./project.ts";
import type { Unawaited } from "./unawaited.ts";

export interface EventRecorderOptions {
  readonly audit: Audit;
  readonly webhooks: Webhooks;
  readonly traces: Traces;
  readonly log: Log;
  readonly unawaited: Unawaited;
}

/** Writes what has been decided into the record, with the deliveries that come of it, and shows it to traces and the log. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** `notes`: what of the outcome its caller could not be told. An action a guard has judged must not happen without a row. */
  async decided(decided: Decided, ms: number, notes: readonly string[]): Promise<void> {
    const { webhooks, traces, log } = this.#options;
    const { outcome, data, origin, actor, inForce } = decided;
    const changes = [...decided.changes, ...webhooks.take(outcome.id)];
    const entry = emitEntry(outcome, data, origin, actor, ms, inForce.hookOf);
    const reason = notes.length === 0 ? entry.reason : [entry.reason ?? [], notes].flat().join("; ");
    try {
      await this.#write({ ...entry, reason: reason ?? null }, changes);
    } catch (error) {
      if (!(error instanceof SwarmError) || decided.changes.some(({ kind }) => kind === "inbound_message"))
        throw error;
      const isGuarded = outcome.handlers.some(({ name }) => inForce.hookOf(name)?.onFailure === "deny");
      if (!isGuarded) throw error;
      const why = `this action is guarded and cannot be recorded: ${error.message}`;
      outcome.decision = { ...outcome.decision, verdict: "deny", reason: why, hook: "swarm" };
    }
    if (inForce.flags.traces) traces.emitted(outcome, data, origin, ms);
    if (inForce.config.logHooks === "debug") logOutcome(log, outcome, data);
  }

  /** An event that could not be decided. */
  async failed({ event, data, origin, actor }: Received, error: SwarmError): Promise<void> {
    await this.#options.audit.record(failedEntry(event, data, origin, actor, error));
  }

  /** Tells hooks that a project's files have changed. */
  async configChanged(project: Project, change: ConfigChange): Promise<void> {
    const { webhooks, log } = this.#options;
    const origin = { cwd: project.cwd, source: "config" };
    const { hooks, hookOf } = project.inForce;
    const outcome = await hooks.emit("config.changed", change, origin);
    try {
      await this.#write(emitEntry(outcome, change, origin, "swarm", 0, hookOf), webhooks.take(outcome.id));
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      // The event that made us look is judged by the new files, and recorded or refused by itself.
      project.forgetFiles();
      log.warn(error.message, { event: outcome.event });
    }
  }

  /** Records what an engine does by itself: what observers came to, and failures of hooks. */
  listener(hookOf: HookOf, flags: FlagValues, logHooks: Config["logHooks"]): EngineListener {
    const { traces, webhooks, log } = this.#options;
    return {
      observed: (outcome, origin = {}, record) => {
        this.#writeUnawaited(observedEntry(outcome, origin, record, actorOf(origin), hookOf));
        if (flags.traces) traces.observed(outcome, record);
        if (logHooks === "debug") logObserved(log, outcome, record);
      },
      emitted: (outcome, origin = {}) => {
        const entry = emitEntry(outcome, outcome.data, origin, "swarm", 0, hookOf);
        this.#writeUnawaited(entry, webhooks.take(outcome.id));
        if (flags.traces) traces.emitted(outcome, outcome.data, origin, 0);
      },
    };
  }

  #writeUnawaited(entry: NewEntry, changes: readonly StoreChange[] = []): void {
    const { log, unawaited } = this.#options;
    const written = this.#write(entry, changes);
    unawaited.leave(written.catch((error: Error) => void log.warn(error.message, { event: entry.event })));
  }

  async #write(entry: NewEntry, changes: readonly StoreChange[]): Promise<void> {
    const { audit, webhooks } = this.#options;
    await audit.record(entry, ...changes);
    webhooks.wake(changes);
  }
}
