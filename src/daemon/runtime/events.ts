import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import { canonicalName, type EventName } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { validatePayload } from "../../engine/events/validate.ts";
import type { ApprovalService } from "../../policy/approvals/service.ts";
import type { StoreChange } from "../../store/port/store.ts";
import type { Flags } from "../flags/flags.ts";
import type { Traces } from "../telemetry/traces.ts";
import { actorOf } from "./actor-of.ts";
import type { Calls } from "./calls.ts";
import type { EventRecorder } from "./event-recorder.ts";
import type { EmitRequest } from "./port/emit.ts";
import type { InForce } from "./project.ts";
import type { Projects } from "./projects.ts";
import type { Unawaited } from "./unawaited.ts";

export interface EventsOptions {
  readonly clock: Clock;
  readonly flags: Flags;
  readonly projects: Projects;
  readonly calls: Calls;
  readonly approvals: ApprovalService;
  readonly recorder: EventRecorder;
  readonly traces: Traces;
  readonly unawaited: Unawaited;
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
    const { clock, recorder, flags, traces } = this.#options;
    const { data, origin = {}, actor = actorOf(origin), changes = [], waitsForPerson = false } = request;
    const event = canonicalName(request.event);
    const startedAtMs = clock.monotonicMs();
    const received = { event, data, origin, actor, changes, waitsForPerson, startedAtMs };
    try {
      return await this.#decide(received);
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      await recorder.failed(received, error);
      const tookMs = clock.monotonicMs() - startedAtMs;
      if (flags.isOn("traces")) traces.failed(event, data, origin, tookMs, error);
      throw error;
    }
  }

  /** `notes`: what of the outcome the caller cannot be told, in words. */
  async record(decided: Decided, notes: readonly string[] = []): Promise<void> {
    const { clock, approvals, recorder, unawaited } = this.#options;
    const following = approvals.follow(decided.outcome, decided);
    if (following !== null) unawaited.leave(following);
    await recorder.decided(decided, clock.monotonicMs() - decided.startedAtMs, notes);
  }

  async #decide(received: Received): Promise<Decided> {
    const { projects, calls, approvals } = this.#options;
    const { event, data, origin, actor, waitsForPerson } = received;
    validatePayload(event, data);
    const refreshing = projects.refresh(origin.cwd);
    const project = refreshing instanceof Promise ? await refreshing : refreshing;
    const { inForce } = project;
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
