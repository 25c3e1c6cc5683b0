import type { Clock, Timer } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import { type Origin, originFields } from "../../engine/events/envelope.ts";
import type { PayloadInput } from "../../engine/events/names.ts";
import type { Approval, ApprovalStore } from "./port/approval-store.ts";
import type { EmitRequest } from "../../daemon/runtime/port/emit.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import { digestOf, type Question, subjectText } from "./question.ts";
import {
  checkYes,
  messageOf,
  type PersonCheck,
  problemAtUse,
  type RecordCheck,
  recordRefusal,
  type SignedDecision,
} from "./signed-decision.ts";

export interface ApprovalsOptions {
  readonly store: ApprovalStore;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Log;
  readonly person: PersonCheck;
  readonly record: RecordCheck;
  /** How long a question waits for its decision, and a decision for the call it is for. */
  readonly ttlMs: () => number;
  readonly emit: (request: EmitRequest) => Promise<unknown>;
}

/** How somebody waits for a decision. */
export interface Patience {
  readonly signal?: AbortSignal;
  /** How often it is looked whether another process has decided; what this one decides is told at once. */
  readonly lookEveryMs?: number;
  /** Whether a no is the last word, even one that has lapsed; otherwise the same is asked again then. */
  readonly isAskedOnce?: boolean;
}

/** Another process may decide: it is looked for this often, while an agent waits. */
const pollMs = 250;
/** A timer holds 24 days; the clock of the machine may be set meanwhile. */
const maxSleepMs = 3_600_000;
const minSleepMs = 10;

/**
 * Questions for a person. They are kept in the store, so that whoever asked may be gone by the time they are decided, and
 * so may this process. The row that announces a question is an intent, its decision the outcome of that.
 */
export class Approvals {
  readonly #options: ApprovalsOptions;
  /** Those who wait, by approval. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #isStopping = false;
  #isWatching = false;
  #timer: Timer | null = null;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  /**
   * What has been decided of a question. The same question finds the same approval; one that was approved is used up by
   * this call, one that was denied stays so until it lapses. Still pending: nobody has decided within `waitMs`, or
   * whoever asked does not wait any longer.
   */
  async settle(question: Question, waitMs: number, patience: Patience = {}): Promise<Approval> {
    const digest = digestOf(question);
    const untilMs = this.#options.clock.monotonicMs() + waitMs;
    for (;;) {
      const checked = await this.#inForce(digest, question);
      const asked =
        checked ??
        (patience.isAskedOnce ? await this.#refused(digest) : null) ??
        (await this.#ask(question, digest));
      const approval = asked?.status === "pending" ? await this.#wait(asked, untilMs, patience) : asked;
      // A yes that came after the look, while it was asked or waited for, is checked like any other.
      if (approval?.status === "approved" && approval !== checked) continue;
      if (
        approval !== null &&
        (approval.status !== "approved" || (await this.#use(approval, question.actor, question.origin)))
      ) {
        return approval;
      }
      // Another call has used it, or another process has asked meanwhile: look again.
    }
  }

  /** Decides a pending one. Of several who do so at once one does, the others are told. */
  async decide(
    id: string,
    status: "approved" | "denied",
    by: string,
    comment: string | null,
    signed: SignedDecision | null = null,
    page: string | null = null,
  ): Promise<Approval> {
    await this.expire();
    const { store, clock, ttlMs, person } = this.#options;
    const approval = await store.find(id);
    if (approval === null) throw new SwarmError("SWARM_APPROVAL_UNKNOWN", { id });
    const isYes = status === "approved";
    // A no is safe, whoever says it; and of one that is decided the decision is told, not what this one lacks.
    if (isYes && approval.status === "pending")
      await checkYes(this.#options, approval, { comment, signed, page, by });
    const expiresAt = new Date(clock.now() + ttlMs()).toISOString();
    const proof = isYes ? signed : null;
    await this.#close(approval, status, by, comment, proof?.expires_at ?? expiresAt, proof);
    if (proof !== null) await person.keepCounter(proof);
    return (await store.find(id)) ?? approval;
  }

  /** The agent was to ask its own user, and has gone on since: that was a yes, and it is used up. */
  async answeredByHost(id: string, by: string): Promise<void> {
    const { store, log, person } = this.#options;
    try {
      const approval = await store.find(id);
      if (approval?.status !== "pending" || (await person.isRequired())) return;
      await this.#close(
        approval,
        "approved",
        by,
        "asked and answered in the agent itself",
        approval.expires_at,
      );
      await this.#use(approval, by, originOf(approval));
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      if (error.code !== "SWARM_APPROVAL_DECIDED") log.warn(error.message, { approval: id });
    }
  }

  /** Ends questions as their time runs out, until the function it returns is called. */
  watch(): () => void {
    this.#isWatching = true;
    this.#arm();
    return () => {
      this.#isWatching = false;
      this.#timer?.close();
    };
  }

  /** Ends the questions whose time is over: nobody has said yes, so it is no. */
  async expire(): Promise<void> {
    const { store, log } = this.#options;
    for (const approval of await store.lapsed(this.#now())) {
      try {
        await this.#close(approval, "expired", "swarm", null, approval.expires_at);
      } catch (error) {
        if (!(error instanceof SwarmError)) throw error;
        // Another process was faster, or the disk is full: then it is tried again.
        if (error.code !== "SWARM_APPROVAL_DECIDED") log.warn(error.message, { approval: approval.id });
      }
    }
  }

  /** Whoever waits goes on without a decision; the questions stay. */
  stopWaiting(): void {
    this.#isStopping = true;
    for (const id of this.#waiting.keys()) this.#tell(id);
  }

  #arm(): void {
    const { store, clock, log } = this.#options;
    const next = async (): Promise<void> => {
      await this.expire();
      const lapse = await store.nextLapse();
      this.#timer?.close();
      if (lapse === null || !this.#isWatching) return;
      const leftMs = Math.max(Date.parse(lapse) - clock.now(), minSleepMs);
      this.#timer = clock.setTimer(() => this.#arm(), Math.min(leftMs, maxSleepMs));
    };
    next().catch((error: Error) => log.warn(error.message, { event: "approval.decided" }));
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }

  /** A yes that does not count is none: the same is asked again. */
  async #inForce(digest: string, question: Question): Promise<Approval | null> {
    await this.expire();
    const found = await this.#options.store.findInForce(digest, this.#now());
    if (found?.status !== "approved") return found;
    const problem = await problemAtUse(this.#options, found, question);
    if (problem === null) return found;
    this.#options.log.warn(`approval ${found.id} does not count: ${problem}`, { approval: found.id });
    await recordRefusal(this.#options.audit, found, problem, "swarm", question.origin);
    return null;
  }

  /** The no to a question, whenever it was said. */
  async #refused(digest: string): Promise<Approval | null> {
    const last = await this.#options.store.findLatest(digest);
    return last?.status === "denied" || last?.status === "expired" ? last : null;
  }

  /** Null when the same was asked at the same moment. */
  async #ask(question: Question, digest: string): Promise<Approval | null> {
    const { audit, clock, store, ttlMs, emit } = this.#options;
    const { event, kind, name, rule, reason, actor, origin } = question;
    const from = originFields(origin);
    const id = newId("apr", clock.now());
    const intentId = newId("evt", clock.now());
    const expiresAt = new Date(clock.now() + ttlMs()).toISOString();
    const subject = subjectText(question);
    const row = { id, digest, event, kind, name, rule, reason, subject, ...from };
    const asked = {
      requested_by: actor,
      requested_at: this.#now(),
      expires_at: expiresAt,
      intent_id: intentId,
    };
    const entry = {
      id: intentId,
      event: "approval.requested",
      actor,
      hook: rule,
      reason,
      ...from,
      before: subject,
    };
    try {
      await audit.record(
        { ...entry, kind: "intent", outcome: "open", verdict: "ask" },
        { kind: "approval_asked", row: { ...row, ...asked } },
      );
    } catch (error) {
      if (error instanceof SwarmError && error.code === "SWARM_APPROVAL_PENDING") return null;
      throw error;
    }
    // The question stands, whatever becomes of those who are told of it.
    await tellOrLog(this.#options.log, () =>
      emit({
        event: "approval.requested",
        data: {
          approval_id: id,
          name,
          digest,
          ...(rule !== null && { rule }),
          ...(reason !== null && { reason }),
          expires_at: expiresAt,
          requested_by: actor,
          subject: JSON.parse(subject),
        } satisfies PayloadInput<"approval.requested">,
        origin: { ...from, source: "approvals" } as Origin,
      }),
    );
    if (this.#isWatching) this.#arm();
    return store.find(id);
  }

  async #close(
    approval: Approval,
    status: "approved" | "denied" | "expired",
    by: string,
    comment: string | null,
    expiresAt: string,
    signed: SignedDecision | null = null,
  ): Promise<void> {
    const { audit, emit } = this.#options;
    const { id, intent_id: ref, digest, name, rule, reason } = approval;
    const said = comment === null ? status : `${status}: ${comment}`;
    const entry = {
      event: "approval.requested",
      ref,
      actor: by,
      hook: rule,
      ...originFields(approval),
    };
    const outcome = status === "approved" ? "completed" : "denied";
    const verdict = status === "approved" ? "allow" : "deny";
    const time = signed?.decided_at ?? this.#now();
    const signature = signed === null ? null : JSON.stringify(signed);
    const after =
      signed === null
        ? null
        : JSON.stringify({ signed: messageOf(approval, comment, signed), proof: signed });
    await audit.record(
      { ...entry, kind: "outcome", outcome, verdict, reason: said, after },
      { kind: "approval_decided", id, status, time, by, comment, expires_at: expiresAt, signature },
    );
    this.#tell(id);
    await tellOrLog(this.#options.log, () =>
      emit({
        event: "approval.decided",
        data: {
          approval_id: id,
          name,
          digest,
          decision: status,
          decided_by: by,
          ...(comment !== null && { comment }),
          ...(signed !== null && { signed_by: signed.key_id }),
          ...(rule !== null && { rule }),
          ...(reason !== null && { reason }),
        } satisfies PayloadInput<"approval.decided">,
        origin: originOf(approval),
      }),
    );
  }

  /** Whether it was this call that used it. */
  async #use({ id, rule, name, intent_id: ref }: Approval, actor: string, origin: Origin): Promise<boolean> {
    const event: RecordedChange = "approval.used";
    const entry = {
      kind: "change",
      event,
      ref,
      actor,
      hook: rule,
      ...originFields(origin),
    } as const;
    try {
      const change = { kind: "approval_used", id, time: this.#now() } as const;
      await this.#options.audit.record({ ...entry, reason: `${id} for ${name}` }, change);
      return true;
    } catch (error) {
      if (error instanceof SwarmError && error.code === "SWARM_APPROVAL_USED") return false;
      throw error;
    }
  }

  /** The approval once it is decided, or as it is when the time is over. */
  async #wait(asked: Approval, untilMs: number, patience: Patience): Promise<Approval> {
    const { store, clock } = this.#options;
    const { signal, lookEveryMs = pollMs } = patience;
    let approval = asked;
    while (!this.#isStopping && !signal?.aborted && approval.status === "pending") {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      await this.#changed(approval.id, Math.min(leftMs, lookEveryMs), signal);
      await this.expire();
      approval = (await store.find(approval.id)) ?? approval;
    }
    return approval;
  }

  #changed(id: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = (): void => {
        timer.close();
        signal?.removeEventListener("abort", done);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = this.#options.clock.setTimer(done, timeoutMs);
      waiting.add(done);
      signal?.addEventListener("abort", done);
    });
  }

  #tell(id: string): void {
    for (const done of [...(this.#waiting.get(id) ?? [])]) done();
  }
}

function originOf({ session, agent, task, cwd }: Approval): Origin {
  return {
    session: session ?? undefined,
    agent: agent ?? undefined,
    task: task ?? undefined,
    cwd: cwd ?? undefined,
    source: "approvals",
  };
}
