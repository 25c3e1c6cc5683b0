import type { Clock, Timer } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Endpoint } from "../../net/outbound.ts";
import { type OtlpTarget, otlpBody } from "./otlp.ts";
import type { Span } from "./span.ts";

export interface ExporterOptions {
  readonly target: OtlpTarget;
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly log: Log;
}

/** OpenTelemetry's own numbers. */
const everyMs = 5_000;
const batchSpans = 512;
const maxWaiting = 2_048;
const timeoutMs = 10_000;
/** At the end nobody waits long for a collector. */
const lastMs = 1_000;
/** What the specification lets be tried again. */
const passing = [429, 502, 503, 504];

/** Sends spans in batches, in the background. What cannot be sent is counted, and said once for as long as it lasts. */
export class Exporter {
  readonly #options: ExporterOptions;
  #waiting: Span[] = [];
  #timer: Timer | null = null;
  #sending: Promise<void> | null = null;
  #dropped = 0;
  #isFailing = false;
  #isClosed = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  get dropped(): number {
    return this.#dropped;
  }

  add(span: Span): void {
    if (this.#isClosed || this.#waiting.length >= maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= batchSpans) void this.#send(timeoutMs);
    else this.#soon();
  }

  /** Sends what waits, once, and then no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.close();
    await this.#sending;
    if (!this.#isFailing) await this.#send(lastMs);
    this.#dropped += this.#waiting.length;
    if (this.#waiting.length > 0) this.#warn(`${this.#waiting.length} spans were left`);
    this.#waiting = [];
  }

  #soon(): void {
    this.#timer ??= this.#options.clock.setTimer(() => void this.#send(timeoutMs), everyMs);
  }

  /** One request at a time: a collector that is slow gets larger batches, not more of them. */
  #send(withinMs: number): Promise<void> {
    this.#sending ??= this.#sendBatch(withinMs).finally(() => {
      this.#sending = null;
      if (this.#waiting.length > 0 && !this.#isClosed) this.#soon();
    });
    return this.#sending;
  }

  async #sendBatch(withinMs: number): Promise<void> {
    this.#timer?.close();
    this.#timer = null;
    const batch = this.#waiting.splice(0, batchSpans);
    if (batch.length === 0) return;
    const problem = await this.#post(batch, withinMs);
    if (problem === null) {
      this.#isFailing = false;
      return;
    }
    // Back to the front where it may yet be taken; the oldest go when there is no room.
    const kept = problem.isPassing ? [...batch, ...this.#waiting].slice(-maxWaiting) : this.#waiting;
    this.#dropped += batch.length + this.#waiting.length - kept.length;
    this.#waiting = kept;
    if (!this.#isFailing) this.#warn(problem.text);
    this.#isFailing = true;
  }

  async #post(batch: readonly Span[], withinMs: number) {
    const { endpoint, target } = this.#options;
    const headers = { "content-type": "application/json", ...target.headers };
    const deadline = { timeoutMs: withinMs, reason: () => new Error(`no answer within ${withinMs} ms`) };
    const body = otlpBody(batch, target.resource);
    try {
      const { status } = await endpoint.post({ headers, body, limitBytes: 4_096, deadline });
      if (status >= 200 && status < 300) return null;
      return { text: `status ${status}`, isPassing: passing.includes(status) };
    } catch (error) {
      return { text: (error as Error).message, isPassing: true };
    }
  }

  #warn(problem: string): void {
    this.#options.log.warn(`spans cannot be sent: ${problem}`, { dropped: this.#dropped });
  }
}
