import type { Log } from "../../../base/log.ts";
import { tellOrLog } from "../../../base/tell-or-log.ts";
import type { Emit } from "../../../daemon/runtime/port/emit.ts";
import type { Outcome } from "../../../engine/events/outcome.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import type { BatchProgress, BatchState } from "../port/batch-run.ts";
import type { StoreChange } from "../../../store/port/store.ts";
import type { RunSpec } from "../run-spec.ts";
import { errorsFile, resultsFile } from "./run-files.ts";

/** Tells hooks what becomes of runs. */
export class BatchEvents {
  readonly #emit: Emit;
  readonly #log: Log;

  constructor(emit: Emit, log: Log) {
    this.#emit = emit;
    this.#log = log;
  }

  /** Asks: a denial means that it does not run. Throws when it cannot be decided. */
  started(spec: RunSpec, leg: number, actor: string): Promise<Outcome> {
    const [data, origin] = [startedPayload(spec, leg), originOf(spec)];
    return this.#emit({ event: "batch.started", data, origin, actor, waitsForPerson: true });
  }

  /** With the counts of the run, which are kept or not as its row is. */
  async checkpoint(spec: RunSpec, progress: BatchProgress, change: StoreChange): Promise<void> {
    const data = { ...told(spec), ...countsOf(progress), offset_bytes: progress.results_bytes };
    await tellOrLog(this.#log, () =>
      this.#emit({
        event: "batch.checkpoint",
        data,
        origin: originOf(spec),
        actor: "swarm",
        changes: [change],
      }),
    );
  }

  async completed(
    spec: RunSpec,
    state: BatchState,
    progress: BatchProgress,
    stats: JsonObject,
  ): Promise<void> {
    const files = {
      output: resultsFile(spec.output),
      ...(progress.failed_count > 0 && { errors: errorsFile(spec.output) }),
    };
    const data = { ...told(spec), state, ...countsOf(progress), ...files, stats };
    await tellOrLog(this.#log, () =>
      this.#emit({ event: "batch.completed", data, origin: originOf(spec), actor: "swarm" }),
    );
  }

  /** Also of one that was cancelled or interrupted: it has not been completed. */
  async failed(spec: RunSpec, progress: BatchProgress, error: string): Promise<void> {
    const data = { ...told(spec), ...countsOf(progress), error };
    await tellOrLog(this.#log, () =>
      this.#emit({ event: "batch.failed", data, origin: originOf(spec), actor: "swarm" }),
    );
  }
}

/** What is about to happen, all of it: rules and guards judge what will run. */
export function startedPayload(spec: RunSpec, leg: number) {
  const { input, output, config, concurrency } = spec;
  return { ...told(spec), input, output, config, concurrency, leg };
}

/** A run is what its events and rows belong to. */
export function originOf({ run_id: task, cwd }: RunSpec) {
  return { source: "batch", task, cwd };
}

function told({ run_id, name, processor }: RunSpec) {
  return { run_id, name: name ?? run_id, processor };
}

function countsOf({ done_count, failed_count, duration_ms }: BatchProgress) {
  return { done_count, failed_count, duration_s: Math.round(duration_ms) / 1_000 };
}
