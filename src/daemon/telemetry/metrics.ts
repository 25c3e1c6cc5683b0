import { version } from "../../base/version.ts";
import type { RunEvent } from "../../record/port/run-event.ts";
import { Counter, gauge, Histogram } from "./exposition.ts";

/** Where rows are told of as they are written. */
interface Recorded {
  onRecorded(listener: (row: RunEvent) => void): () => void;
}

/** What is looked up when somebody reads. */
export interface Levels {
  readonly recordedRows: number;
  readonly pendingDeliveries: number;
  readonly pendingApprovals: number;
  readonly streamReaders: number;
  readonly droppedSpans: number;
}

/** Counts what is recorded, while it is switched on: there is no listener otherwise. */
export class Metrics {
  readonly #recorded: Recorded;
  #counts: Counts | null = null;
  #stopListening: () => void = () => undefined;

  constructor(recorded: Recorded) {
    this.#recorded = recorded;
  }

  /** Counts begin at nothing each time, as after a start: whoever reads counters expects that. */
  switch(isOn: boolean): void {
    if (isOn === (this.#counts !== null)) return;
    this.#stopListening();
    const counts = isOn ? new Counts() : null;
    this.#counts = counts;
    this.#stopListening =
      counts === null ? () => undefined : this.#recorded.onRecorded((row) => counts.count(row));
  }

  /** In Prometheus' text format, version 0.0.4; null while it is off. */
  text(levels: Levels): string | null {
    return this.#counts === null ? null : `${this.#counts.text()}${levelsText(levels)}`;
  }
}

class Counts {
  readonly #events = new Counter("swarm_events_total", "Events that were decided.");
  readonly #seconds = new Histogram("swarm_event_duration_seconds", "How long events took to decide.");
  readonly #calls = new Counter("swarm_hook_calls_total", "Calls of hooks, by how they ended.");
  readonly #callSeconds = new Histogram("swarm_hook_duration_seconds", "How long calls of hooks took.");
  readonly #changes = new Counter("swarm_changes_total", "Settings that somebody changed.");
  readonly #logins = new Counter("swarm_logins_total", "Logins, and callers who were turned away.");

  count({ kind, event, verdict, outcome, ms, handlers }: RunEvent): void {
    if (kind === "emit") {
      this.#events.add({ event, verdict, outcome });
      this.#seconds.observe({ event }, ms / 1_000);
    }
    if (kind === "change") this.#changes.add({ event });
    if (kind === "login") this.#logins.add({ outcome });
    for (const { name: hook, kind: type, status, ms: tookMs } of handlers) {
      // An observer that is still to come is told of by a row of its own.
      if (status === "scheduled") continue;
      this.#calls.add({ hook, kind: type, status });
      if (status !== "skipped") this.#callSeconds.observe({ kind: type }, tookMs / 1_000);
    }
  }

  text(): string {
    const all = [this.#events, this.#seconds, this.#calls, this.#callSeconds, this.#changes, this.#logins];
    return all.map((one) => one.text()).join("");
  }
}

function levelsText(levels: Levels): string {
  return [
    gauge("swarm_record_rows", "Rows of the record.", levels.recordedRows),
    gauge("swarm_webhook_deliveries_pending", "Deliveries that wait.", levels.pendingDeliveries),
    gauge("swarm_approvals_pending", "Questions that wait for a person.", levels.pendingApprovals),
    gauge("swarm_stream_readers", "Who reads the stream.", levels.streamReaders),
    gauge("swarm_spans_dropped", "Spans nobody took, since the start.", levels.droppedSpans),
    gauge("swarm_build_info", "Always 1.", 1, { version: version() }),
    gauge("process_resident_memory_bytes", "Memory of the daemon.", process.memoryUsage.rss()),
    gauge(
      "process_start_time_seconds",
      "When it started.",
      Math.round(Date.now() / 1_000 - process.uptime()),
    ),
  ].join("");
}
