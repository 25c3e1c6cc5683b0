import type { Clock, Timer } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Audit, EffectEnd, ReportEnd } from "../../record/port/audit.ts";
import type { DeliveryResult, PendingDelivery } from "./port/outbox-store.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { StoreChange } from "../../store/port/store.ts";

/** What became of the deliveries of one target. */
export interface BatchEnd {
  readonly results: readonly DeliveryResult[];
  readonly hasFailed: boolean;
  readonly error: string | null;
  readonly ms: number;
  /** What is written with the report. */
  readonly change: StoreChange;
}

/** Tells how it ended, once; when the promise resolves it is written. */
export type ReportBatch = (end: BatchEnd) => Promise<void>;

/** Targets that are quick end within this time of each other; what ended waits no longer for those that are slow. */
const togetherMs = 20;

/**
 * Says in the record what is about to be sent, and afterwards what came of it. Either row is fsynced, which takes as
 * long as ten deliveries: all targets that begin in one turn of the event loop share one announcement, and those that
 * end at about the same time one report.
 */
export class Announcements {
  readonly #audit: Audit;
  readonly #clock: Clock;
  #waiting: { readonly deliveries: readonly PendingDelivery[]; readonly settle: Settle<ReportBatch> }[] = [];

  constructor(audit: Audit, clock: Clock) {
    this.#audit = audit;
    this.#clock = clock;
  }

  /** Resolves when the announcement survives a power loss: then they may be sent. */
  announce(deliveries: readonly PendingDelivery[]): Promise<ReportBatch> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ deliveries, settle: { resolve, reject } });
      if (this.#waiting.length === 1) setImmediate(() => void this.#announceAll());
    });
  }

  async #announceAll(): Promise<void> {
    const all = this.#waiting;
    this.#waiting = [];
    const deliveries = all.flatMap((one) => one.deliveries);
    const before = deliveries.map(({ id, event_id, attempts }) => ({ id, event_id, attempt: attempts + 1 }));
    const event: RecordedChange = "webhook.delivery";
    const told = { event, actor: "swarm", hook: commonHook(deliveries), before: JSON.stringify(before) };
    try {
      const group = new Group(await this.#audit.intent(told), all.length, this.#clock);
      for (const { settle } of all) settle.resolve((end) => group.report(end));
    } catch (error) {
      for (const { settle } of all) settle.reject(error);
    }
  }
}

interface Settle<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** What was announced together. A crash between two of its reports leaves the rest pending, to be announced again. */
class Group {
  readonly #report: ReportEnd;
  readonly #clock: Clock;
  #unreported: number;
  #ended: { readonly end: BatchEnd; readonly settle: Settle<void> }[] = [];
  #timer: Timer | null = null;

  constructor(report: ReportEnd, count: number, clock: Clock) {
    this.#report = report;
    this.#unreported = count;
    this.#clock = clock;
  }

  report(end: BatchEnd): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#ended.push({ end, settle: { resolve, reject } });
      if (this.#ended.length === this.#unreported) void this.#tellAll();
      else this.#timer ??= this.#clock.setTimer(() => void this.#tellAll(), togetherMs);
    });
  }

  async #tellAll(): Promise<void> {
    this.#timer?.close();
    this.#timer = null;
    const all = this.#ended;
    this.#ended = [];
    this.#unreported -= all.length;
    try {
      await this.#write(all.map(({ end }) => end));
      for (const { settle } of all) settle.resolve();
    } catch (error) {
      for (const { settle } of all) settle.reject(error);
    }
  }

  async #write(ends: readonly BatchEnd[]): Promise<void> {
    try {
      await this.#report(told(ends), ...ends.map(({ change }) => change));
    } catch (error) {
      if (!(error instanceof SwarmError) || error.code !== "SWARM_TARGET_LOST") throw error;
      // Somebody else has a target by now and sends all of it again. What was sent was sent; the others are still ours.
      if (ends.length === 1) await this.#report({ ...told(ends), reason: error.message });
      else for (const end of ends) await this.#write([end]);
    }
  }
}

function told(ends: readonly BatchEnd[]): EffectEnd {
  const results = ends.flatMap((end) => end.results);
  const count = (state: string) => results.filter((result) => result.state === state).length;
  const [delivered, dead] = [count("delivered"), count("dead")];
  const counted = dead === 0 ? `${delivered} delivered` : `${delivered} delivered, ${dead} given up`;
  const errors = new Set(ends.flatMap(({ error }) => error ?? []));
  const after = results.map(({ id, state, last_status, last_error }) => ({
    id,
    state,
    last_status,
    last_error,
  }));
  return {
    outcome: ends.some(({ hasFailed }) => hasFailed) ? "failed" : "completed",
    reason: errors.size === 0 ? counted : `${counted}: ${[...errors].slice(0, 3).join("; ")}`,
    ms: Math.max(...ends.map(({ ms }) => ms)),
    after: JSON.stringify(after),
  };
}

/** Null where there are several. */
function commonHook(deliveries: readonly PendingDelivery[]): string | null {
  const [first] = deliveries;
  return first !== undefined && deliveries.every(({ hook }) => hook === first.hook) ? first.hook : null;
}
