import type { Clock } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import { noDecision } from "../../engine/events/decision.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import type { EventName } from "../../engine/events/names.ts";
import type { HandlerRecord, Outcome } from "../../engine/events/outcome.ts";
import type { Outbound } from "../../net/outbound.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import { Exporter } from "./exporter.ts";
import { otlpTarget } from "./otlp.ts";
import { cleanText, emitSpan, handlerSpan } from "./span.ts";

export interface TracesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: Outbound;
}

/** Calls whose end nobody has told of; those of events that failed stay until others push them out. */
const maxStarts = 10_000;

/**
 * One span per event and one per call of a hook. Only a process that stays sends any: a short one would keep its caller
 * waiting for a collector. Whoever has the flag off does not come here at all.
 */
export class Traces {
  readonly #options: TracesOptions;
  /** When calls began, by event and hook. */
  readonly #starts = new Map<string, number>();
  #exporter: Exporter | null = null;
  #isStaying = false;

  constructor(options: TracesOptions) {
    this.#options = options;
  }

  get dropped(): number {
    return this.#exporter?.dropped ?? 0;
  }

  /** This process stays: spans are sent from now on. Fails where the environment names no address. */
  start(): void {
    otlpTarget(this.#options.env);
    this.#isStaying = true;
  }

  /** The same handler, noting when each of its calls begins. */
  around(name: string, handler: HandlerFunction): HandlerFunction {
    return (data, call) => {
      this.#note(keyOf(call.id, name));
      return handler(data, call);
    };
  }

  emitted(outcome: Outcome, data: object, origin: Origin, tookMs: number): void {
    if (!this.#isStaying) return;
    const endMs = this.#options.clock.now();
    const startMs = endMs - tookMs;
    this.#add(emitSpan(outcome, data, origin, startMs, endMs));
    for (const record of outcome.handlers) {
      if (record.status === "scheduled" || record.status === "skipped") continue;
      this.#add(handlerSpan(outcome, record, this.#startOf(outcome, record) ?? startMs));
    }
  }

  /** An event that could not be decided. */
  failed(event: EventName, data: object, origin: Origin, tookMs: number, error: Error): void {
    if (!this.#isStaying) return;
    const endMs = this.#options.clock.now();
    const undecided = { event, id: newId("evt"), decision: noDecision };
    const span = emitSpan(undecided, data, origin, endMs - tookMs, endMs);
    this.#add({ ...span, error: cleanText(error.message) });
  }

  /** An observer ends after its event's own span. */
  observed(outcome: Outcome, record: HandlerRecord): void {
    if (!this.#isStaying) return;
    const endMs = this.#options.clock.now();
    this.#add(handlerSpan(outcome, record, this.#startOf(outcome, record) ?? endMs - record.ms));
  }

  async close(): Promise<void> {
    await this.#exporter?.close();
  }

  #add(span: Parameters<Exporter["add"]>[0]): void {
    this.#exporter ??= this.#open();
    this.#exporter.add(span);
  }

  #open(): Exporter {
    const { env, clock, log, outbound } = this.#options;
    const target = otlpTarget(env);
    // The user's own word, in the daemon's environment: a collector mostly runs next to it.
    const everywhere = ["0.0.0.0/0", "::/0"];
    const endpoint = outbound.endpoint({ name: "traces", url: target.url, allowPrivate: everywhere });
    return new Exporter({ target, endpoint, clock, log });
  }

  #note(key: string): void {
    if (!this.#isStaying) return;
    this.#starts.set(key, this.#options.clock.monotonicMs());
    const [oldest] = this.#starts.keys();
    if (this.#starts.size > maxStarts && oldest !== undefined) this.#starts.delete(oldest);
  }

  #startOf({ id }: Outcome, { name }: HandlerRecord): number | undefined {
    const key = keyOf(id, name);
    const startMs = this.#starts.get(key);
    this.#starts.delete(key);
    // Of the two clocks one has fractions and the other a date: how far they are apart changes when a machine sleeps.
    const { clock } = this.#options;
    return startMs === undefined ? undefined : clock.now() - (clock.monotonicMs() - startMs);
  }
}

function keyOf(id: string, name: string): string {
  return `${id} ${name}`;
}
