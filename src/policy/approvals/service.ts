import type { Clock } from "../../base/clock.ts";
import type { Config } from "../../config/hook-config.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { Approvals, type ApprovalsOptions } from "./approvals.ts";
import { isAskedOf, type Question, questionOf } from "./question.ts";
import type { PersonCheck } from "./signed-decision.ts";
import type { Approval } from "./port/approval-store.ts";
import { HostQuestions } from "./host-questions.ts";

/** Whose event it was, and under what it was decided. */
export interface Asking {
  readonly config: Config;
  /** Without links in it. */
  readonly cwd: string;
  readonly origin: Origin;
  readonly actor: string;
  /** Whether the caller waits for the decision itself, and lets nobody else make it. */
  readonly waitsForPerson: boolean;
}

/** Runs of jobs wait by the hundred, for hours: what another process decides may take this long to be heard of. */
const unattendedLookMs = 5_000;

/** Where the `ask` of a rule or hook becomes a person's decision. */
export class ApprovalService extends Approvals {
  readonly #clock: Clock;
  readonly #person: PersonCheck;
  readonly #hostQuestions = new HostQuestions();
  readonly #ttl: { ms: number };

  constructor({ ttlMs, ...options }: Omit<ApprovalsOptions, "ttlMs"> & { readonly ttlMs: number }) {
    const ttl = { ms: ttlMs };
    super({ ...options, ttlMs: () => ttl.ms });
    this.#ttl = ttl;
    this.#clock = options.clock;
    this.#person = options.person;
  }

  /** How long a decision made now holds for its call. */
  get decisionTtlMs(): number {
    return this.#ttl.ms;
  }

  /** Turns a decision to ask into what a person has decided, or into a question that waits for one. */
  async ask(outcome: Outcome, asking: Asking): Promise<void> {
    const { config, cwd, origin, actor } = asking;
    // A test of hooks is to show their verdicts, not to trouble anybody.
    if (!isAskedOf(outcome.event) || origin.source === "test") return;
    this.#ttl.ms = config.approvals.ttlMs;
    const { hook: rule, reason } = outcome.decision;
    const question = questionOf(outcome.event, outcome.data, {
      rule,
      reason,
      actor,
      origin: { ...origin, cwd },
    });
    const approval = await this.settle(question, waitMsOf(asking, this.#clock));
    const { id, status, expires_at } = approval;
    outcome.approval = { id, status, expires_at };
    outcome.decision = { ...outcome.decision, ...decided(approval, reason) };
    // An agent that asks its user itself would take his keypress, or its own, for the answer: here only a key's counts.
    if (status === "pending" && !asking.waitsForPerson && (await this.#person.isRequired()))
      outcome.decision = { ...outcome.decision, verdict: "deny" };
  }

  /**
   * What has been decided of something nobody is at the other end of; without a signal as it is now. Its `task` is the one
   * run it is about, so a question that lapsed while no daemon was there is answered: no.
   */
  settleUnattended(question: Question, { approvals }: Config, signal?: AbortSignal): Promise<Approval> {
    this.#ttl.ms = approvals.ttlMs;
    if (signal === undefined) return this.settle(question, 0, { isAskedOnce: true });
    return this.settle(question, Number.POSITIVE_INFINITY, {
      signal,
      lookEveryMs: unattendedLookMs,
      isAskedOnce: true,
    });
  }

  /** Keeps in mind what an agent was told to ask its user, and takes a call that ran after all for the answer. */
  follow(outcome: Outcome, { origin, actor }: Pick<Asking, "origin" | "actor">): Promise<void> | null {
    if (outcome.approval !== null) this.#hostQuestions.note(outcome, origin);
    const answered = this.#hostQuestions.answeredBy(outcome, origin);
    return answered === null ? null : this.answeredByHost(answered, actor);
  }
}

/** As long as the caller says; an agent's call as long as the user has configured, within the agent's own deadline. */
function waitMsOf({ origin, config }: Asking, clock: Clock): number {
  if (origin.personWaitMs !== undefined) return origin.personWaitMs;
  if (origin.native_event === undefined) return 0;
  const leftMs = (origin.answerByMs ?? Number.POSITIVE_INFINITY) - clock.monotonicMs();
  return Math.max(0, Math.min(config.approvals.waitMs, leftMs));
}

/** A decision in words. */
export function decided({ id, status, decided_by, comment }: Approval, reason: string | null) {
  const said = comment === null ? "" : `: ${comment}`;
  switch (status) {
    case "approved":
    case "used":
      return { verdict: "allow", reason: `approved by ${decided_by}${said} (${id})` } as const;
    case "denied":
      return { verdict: "deny", reason: `denied by ${decided_by}${said} (${id})` } as const;
    case "expired":
      return { verdict: "deny", reason: `nobody has approved this in time (${id})` } as const;
    case "pending": {
      const why = reason === null ? "" : `${reason}. `;
      const how = `A person can let this call pass once with: swarm approvals approve ${id}`;
      return { verdict: "ask", reason: `${why}${how}` } as const;
    }
  }
}
