import type { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import type { Origin } from "../events/envelope.ts";
import type { Outcome } from "../events/outcome.ts";
import type { Hook } from "./definition.ts";
import type { Engine } from "./engine.ts";

/** Tells of failed handlers: a warning once per hook and kind of failure, and `hook.failed` every time. */
export class Failures {
  readonly #engine: Engine;
  readonly #log: Log;
  readonly #warned = new WeakMap<Hook, Set<string>>();

  constructor(engine: Engine, log: Log) {
    this.#engine = engine;
    this.#log = log;
  }

  report(
    hook: Hook,
    outcome: Outcome,
    origin: Origin | undefined,
    status: "failed" | "timed_out" | "skipped",
    error: SwarmError,
  ): void {
    this.#warnOnce(hook, error);
    // A hook of hook.failed that fails must not call itself for ever.
    if (hook.event === "hook.failed" || !this.#engine.isHeard("hook.failed")) return;
    // A storm of failures must not become a queue without end; the warning has told of the first.
    if (this.#engine.background.queued >= 2 * limits.queuedObservations) return;
    const event_id = outcome.id;
    this.#engine.background.later(() => {
      this.#engine.background.enter();
      const told = this.#engine.emit(
        "hook.failed",
        {
          name: hook.name,
          event: hook.event,
          event_id,
          status,
          code: error.code,
          error: error.message,
          kind: hook.kind,
          mode: hook.mode,
          plugin: hook.plugin,
          on_failure: hook.onFailure,
          timeout_ms: hook.timeoutMs,
        },
        origin,
      );
      void Promise.resolve(told)
        .then((outcome) => this.#engine.listener.emitted?.(outcome, origin))
        .finally(() => this.#engine.background.leave());
    });
  }

  #warnOnce(hook: Hook, error: SwarmError): void {
    const warned = this.#warned.get(hook) ?? new Set();
    if (warned.has(error.code)) return;
    this.#warned.set(hook, warned.add(error.code));
    try {
      const logged = this.#log.warn(error.message, { code: error.code, hook: hook.name, event: hook.event });
      if (logged instanceof Promise) logged.catch(() => undefined);
    } catch {
      // A log that throws must not turn a handler's failure into the host's; hook.failed still tells of it.
    }
  }
}
