import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { FlagValues } from "../../config/flags.ts";
import type { Config } from "../../config/hook-config.ts";
import type { EngineListener } from "../../engine/hooks/engine.ts";
import type { Webhooks } from "../../operations/webhooks/service.ts";
import { emitEntry, observedEntry } from "../../record/audit/entry.ts";
import type { Audit, NewEntry } from "../../record/port/audit.ts";
import type { StoreChange } from "../../store/port/store.ts";
import type { Traces } from "../telemetry/traces.ts";
import { actorOf } from "./actor-of.ts";
import { logObserved } from "./log-hooks.ts";
import type { ConfigChange, HookOf, Project } from "./project.ts";
import type { Unawaited } from "./unawaited.ts";

export interface EventRecorderOptions {
  readonly audit: Audit;
  readonly webhooks: Webhooks;
  readonly traces: Traces;
  readonly log: Log;
  readonly unawaited: Unawaited;
}

/** Records what nobody has emitted: what observers came to, failures of hooks, and that a project's files have changed. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
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

  /** Records what an engine does by itself. */
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
