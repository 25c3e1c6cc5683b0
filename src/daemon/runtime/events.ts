import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import { canonicalName, type EventName } from "../../engine/events/names.ts";
import { Outcome } from "../../engine/events/outcome.ts";
import { validatePayload } from "../../engine/events/validate.ts";
import type { Webhooks } from "../../operations/webhooks/service.ts";
import type { ApprovalService } from "../../policy/approvals/service.ts";
import { emitEntry, failedEntry } from "../../record/audit/entry.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { StoreChange } from "../../store/port/store.ts";
import type { SwarmService } from "../../swarm/open-swarm.ts";
import type { Flags } from "../flags/flags.ts";
import type { Traces } from "../telemetry/traces.ts";
import { actorOf } from "./actor-of.ts";
import type { Calls } from "./calls.ts";
import { logOutcome } from "./log-hooks.ts";
import type { EmitRequest } from "./port/emit.ts";
import type { InForce } from "./project.ts";
import type { Projects } from "./projects.ts";
import type { Unawaited } from "./unawaited.ts";
import { unenforcedNotes } from "./unenforced.ts";

export interface EventsOptions {
  readonly clock: Clock;
  readonly flags: Flags;
  readonly projects: Projects;
  readonly calls: Calls;
  readonly approvals: ApprovalService;
  readonly audit: Audit;
  readonly webhooks: Webhooks;
  readonly traces: Traces;
  readonly log: Log;
  readonly unawaited: Unawaited;
  readonly swarm: Pick<SwarmService, "fence">;
}

/** A request with nothing left out. */
export interface Received {
  readonly event: EventName;
  readonly data: object;
  readonly origin: Origin;
  readonly actor: string;
  readonly waitsForPerson: boolean;
  readonly changes: readonly StoreChange[];
  readonly startedAtMs: number;
}

/** An event that hooks, rules and maybe a person have decided, and that is in no record yet. */
export interface Decided extends Received {
  readonly outcome: Outcome;
  /** What it was decided by. */
  readonly inForce: InForce;
}

/** The one way an event is decided and recorded, whoever it comes from. */
export class Events {
  readonly #options: EventsOptions;

  constructor(options: EventsOptions) {
    this.#options = options;
  }

  /** For a caller who can be told any outcome. */
  async emit(request: EmitRequest): Promise<Outcome> {
    const decided = await this.decide(request);
    await this.record(decided);
    return decided.outcome;
  }

  /** Decides by the files as they are now. Whoever asks has it recorded before it acts on it. */
  async decide(request: EmitRequest): Promise<Decided> {
    const { clock, audit, flags, traces } = this.#options;
    const { data, origin = {}, actor = actorOf(origin), changes = [], waitsForPerson = false } = request;
    const event = canonicalName(request.event);
    const startedAtMs = clock.monotonicMs();
    const received = { event, data, origin, actor, changes, waitsForPerson, startedAtMs };
    try {
      return await this.#decide(received);
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      await audit.record(failedEntry(event, data, origin, actor, error));
      const tookMs = clock.monotonicMs() - startedAtMs;
      if (flags.isOn("traces")) traces.failed(event, data, origin, tookMs, error);
      throw error;
    }
  }

  /**
   * Writes it into the record, with the deliveries that come of it. `notes`: what of the outcome the caller cannot be told, in
   * words. An action that a guard has judged must not happen without a row.
   */
  async record(decided: Decided, notes: readonly string[] = []): Promise<void> {
    const { clock, approvals, audit, webhooks, traces, log, unawaited } = this.#options;
    const { outcome, data, origin, actor, inForce } = decided;
    const following = approvals.follow(outcome, decided);
    if (following !== null) unawaited.leave(following);
    const ms = clock.monotonicMs() - decided.startedAtMs;
    const changes = [...decided.changes, ...webhooks.take(outcome.id)];
    const entry = emitEntry(outcome, data, origin, actor, ms, inForce.hookOf);
    const said = [entry.reason ?? [], unenforcedNotes(outcome), notes].flat();
    const reason = said.length === 0 ? null : said.join("; ");
    try {
      await audit.record({ ...entry, reason: reason ?? null }, ...changes);
      webhooks.wake(changes);
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

  async #decide(received: Received): Promise<Decided> {
    const { projects, calls, approvals } = this.#options;
    const { event, data, origin, actor, waitsForPerson } = received;
    validatePayload(event, data);
    const refreshing = projects.refresh(origin.cwd);
    const project = refreshing instanceof Promise ? await refreshing : refreshing;
    const { inForce } = project;
    const denial = event === "tool.before" ? this.#options.swarm.fence.whyDenied(origin.session) : null;
    if (denial !== null) return { ...received, outcome: fenced(data, denial), inForce };
    const outcome = await inForce.hooks.emit(event, data as never, origin);
    if (calls.reason !== null) throw calls.reason;
    if (outcome.decision.verdict === "ask") {
      await approvals.ask(outcome, {
        config: inForce.config,
        cwd: project.cwd,
        origin,
        actor,
        waitsForPerson,
      });
      if (calls.reason !== null) throw calls.reason;
    }
    return { ...received, outcome, inForce };
  }
}

/** An agent that has lost its task runs no tool, whatever hooks would say: they are not asked. */
function fenced(data: object, reason: string): Outcome {
  const outcome: Outcome = new Outcome("tool.before", data as never);
  outcome.decision = { ...outcome.decision, verdict: "deny", reason, hook: "swarm/lease" };
  return outcome;
}
