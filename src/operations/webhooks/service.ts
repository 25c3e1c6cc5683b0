import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import { readOrMake } from "../../base/private-file.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import type { AnyEventName } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Outbound } from "../../net/outbound.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { NewDelivery, PendingDelivery } from "./port/outbox-store.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { Store, StoreChange } from "../../store/port/store.ts";
import { DeliveryWorker } from "./delivery-worker.ts";
import { Inbound, type InboundMessage, rememberMs } from "./inbound.ts";
import type { Attempt } from "./send.ts";
import { sendTest } from "./send-test.ts";
import type { Project } from "../../daemon/runtime/project.ts";
import { isWebhook, Receivers } from "./receivers.ts";

export interface WebhooksOptions {
  readonly home: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly store: Store;
  readonly audit: Audit;
  /** Its own: at the end it is closed before others'. */
  readonly outbound: Outbound;
  readonly projectOf: (cwd: string | undefined) => Promise<Project>;
  readonly emit: Emit;
}

/** What is being sent when the end comes has this long to arrive. */
const lastRequestsMs = 1_000;

/** Messages out and in: from an event to the outbox, from there to receivers, and from others to events. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #receivers: Receivers;
  readonly #inbound: Inbound<Outcome>;
  /** What webhooks have noted for events that are not recorded yet. */
  readonly #noted = new Map<string, NewDelivery[]>();
  #worker: DeliveryWorker | null = null;

  constructor(options: WebhooksOptions) {
    const { outbound, store, clock, projectOf, emit } = options;
    this.#options = options;
    this.#receivers = new Receivers(outbound, projectOf);
    this.#inbound = new Inbound({
      store: store.inbound,
      clock,
      find: async (name) =>
        (await projectOf(undefined)).config.inbound.find((source) => source.name === name),
      emit: ({ name, event }, data, change) =>
        emit({
          event: event as AnyEventName,
          data,
          origin: { source: name },
          actor: `inbound:${name}`,
          changes: [change],
        }),
    });
  }

  /** Notes what is to be sent because of an event. */
  readonly queue = (eventId: string, delivery: NewDelivery): void => {
    const noted = this.#noted.get(eventId);
    if (noted === undefined) this.#noted.set(eventId, [delivery]);
    else noted.push(delivery);
  };

  /** What is to be written with the event's row. */
  take(eventId: string): readonly StoreChange[] {
    const deliveries = this.#noted.get(eventId);
    if (deliveries === undefined) return [];
    this.#noted.delete(eventId);
    return [{ kind: "outbox_enqueue", deliveries }];
  }

  /** The worker, if this process has one, hears of what was queued; else the next daemon finds it. */
  wake(changes: readonly StoreChange[]): void {
    if (changes.some(({ kind }) => kind.startsWith("outbox_"))) this.#worker?.wake();
  }

  /** Sends what is in the outbox, from now until the end. */
  async start(): Promise<void> {
    const { home, log, clock, store, audit } = this.#options;
    this.#worker = new DeliveryWorker({
      outbox: store.outbox,
      audit,
      clock,
      log,
      owner: readOrMake(join(home, "daemon-id"), () => newId("dmn")),
      find: (delivery) => this.#receivers.find(delivery),
      onGivenUp: (delivery) => this.#tellGivenUp(delivery),
      abort: () => this.#options.outbound.close(),
    });
    await this.#worker.start();
  }

  /** Sends no more. */
  async stop(graceMs = lastRequestsMs): Promise<void> {
    await this.#worker?.stop(graceMs);
    await this.#options.outbound.close();
  }

  abort(): void {
    void this.stop(0);
  }

  /** Sends a message to a webhook now, to see whether it arrives; nothing of it is kept but the record. */
  async test(hook: HookConfig, actor: string): Promise<Attempt> {
    if (!isWebhook(hook)) throw new SwarmError("SWARM_HOOK_KIND", { hook: hook.name, expected: "webhook" });
    const { audit, clock } = this.#options;
    return sendTest(this.#receivers.of(hook), hook.action, audit, clock, actor);
  }

  /** Has a delivery that was given up, or delivered, sent again. */
  async replay(id: string, actor: string): Promise<void> {
    const { audit, clock } = this.#options;
    const event: RecordedChange = "webhook.replayed";
    const change = { kind: "outbox_replay", id, nowMs: clock.now() } as const;
    await audit.record({ kind: "change", event, actor, reason: id }, change);
    this.wake([change]);
  }

  /** Takes a message in; the event it became is decided when the promise resolves. */
  receive(message: InboundMessage): Promise<Outcome> {
    return this.#inbound.receive(message);
  }

  /** Forgets deliveries that ended long ago, and ids of messages that are too old to come again. */
  async expire(endedBeforeMs: number): Promise<number> {
    const { store, clock } = this.#options;
    await store.inbound.expire(clock.now() - rememberMs);
    return store.outbox.expire(endedBeforeMs);
  }

  /** Nothing is given up silently: a warning, and the event a failed hook has. */
  async #tellGivenUp(delivery: PendingDelivery): Promise<void> {
    const { id, hook, event, event_id, cwd, attempts, last_error } = delivery;
    const { log, emit } = this.#options;
    const problem = last_error ?? "for no reason that is known";
    const error = new SwarmError("SWARM_DELIVERY_GIVEN_UP", { hook, id, attempts, problem });
    log.warn(error.message, { code: error.code, hook, event });
    // A hook of hook.failed that fails must not call itself for ever.
    if (event === "hook.failed") return;
    const told = {
      status: "failed",
      code: error.code,
      error: error.message,
      kind: "webhook",
      mode: "observe",
    };
    const data = { name: hook, event, event_id, ...told };
    await emit({ event: "hook.failed", data, origin: { cwd: cwd ?? undefined }, actor: "swarm" });
  }
}
