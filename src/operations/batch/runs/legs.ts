import { existsSync } from "node:fs";
import { join } from "node:path";
import { SwarmError } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { bornOf, type ProcessIdentity } from "../../../base/process-identity.ts";
import { redact } from "../../../base/redact.ts";
import type { Audit } from "../../../record/port/audit.ts";
import type { BatchRun } from "../port/batch-run.ts";
import type { BatchStore } from "../port/batch-store.ts";
import type { TrustedCopy } from "../port/processor.ts";
import type { StoreChange } from "../../../store/port/store.ts";
import { type RunnerMessage, type RunnerOrder, type RunSpec, runFiles } from "../run-spec.ts";
import type { RunningBatch } from "../start-run.ts";
import { originOf, startedPayload } from "./events.ts";
import { Leg, type LegOptions } from "./leg.ts";

export interface LegsOptions extends LegOptions {
  readonly store: BatchStore;
  readonly audit: Audit;
  readonly self: ProcessIdentity;
  /** Where the approved bytes are of files that run code when they are loaded; throws when they are not approved. */
  readonly copiesOf: (spec: RunSpec) => Promise<Readonly<Record<string, TrustedCopy>>>;
  /** Starts the process that does a run. */
  readonly start: (
    order: Omit<RunnerOrder, "sandbox">,
    onMessage: (message: RunnerMessage) => void,
  ) => RunningBatch;
}

/** The runs this process follows. */
export class Legs {
  readonly #options: LegsOptions;
  readonly #open = new Map<string, { readonly leg: Leg; readonly done: Promise<void> }>();
  /** Announced, and about to be started. */
  readonly #beginning = new Set<Promise<void>>();
  #isLeaving = false;

  constructor(options: LegsOptions) {
    this.#options = options;
  }

  find(runId: string): Leg | null {
    return this.#open.get(runId)?.leg ?? null;
  }

  /** Announces the next leg, durably and with the run as it is then; only after that its process is started. */
  async begin(run: BatchRun, spec: RunSpec, actor: string, isNew: boolean): Promise<void> {
    if (this.#isLeaving) throw new SwarmError("SWARM_NOT_SERVING", { state: "stopping" });
    const begun = this.#begin(run, spec, actor, isNew);
    this.#beginning.add(begun);
    await begun.finally(() => this.#beginning.delete(begun));
  }

  async #begin(run: BatchRun, spec: RunSpec, actor: string, isNew: boolean): Promise<void> {
    const { audit, store, clock, self, start, copiesOf } = this.#options;
    const copies = await copiesOf(spec);
    const { run_id } = run;
    const intent_id = newId("evt");
    const started_at = new Date(clock.now()).toISOString();
    const begun: BatchRun = {
      ...run,
      ...{ state: "running", reason: null, leg: run.leg + 1, owner: self, runner: null },
      ...{ intent_id, started_at, ended_at: null },
    };
    const before = JSON.stringify(redact(startedPayload(spec, begun.leg)));
    const report = await audit.intent(
      { id: intent_id, event: "batch.started", actor, ...originOf(spec), before },
      isNew ? { kind: "batch_run_added", run: begun } : begunAfter(run, begun),
    );
    const leg = new Leg(begun, spec, report, this.#options);
    const is_resumed = existsSync(join(spec.output, runFiles.spec));
    let process: RunningBatch;
    try {
      process = start({ spec, is_resumed, copies }, (message) => leg.hear(message));
    } catch (error) {
      // As when a configuration was broken meanwhile: what was announced has its end.
      await leg.failed(error as Error);
      throw error;
    }
    const done = leg.follow(process).finally(() => this.#open.delete(run_id));
    this.#open.set(run_id, { leg, done });
    const { pid } = process;
    if (pid !== undefined)
      await store.setRunner(run_id, begun.leg, { place: self.place, pid, born: bornOf(pid) });
  }

  /** Resolves when the leg is over and recorded. */
  async ended(runId: string): Promise<void> {
    await this.#open.get(runId)?.done;
  }

  abort(): void {
    this.#isLeaving = true;
    for (const { leg } of this.#open.values()) leg.abort();
  }

  /** Has every run make a checkpoint and leave. */
  async close(reason: string): Promise<void> {
    this.#isLeaving = true;
    // One that is being started now would outlive us otherwise, with nobody to record its end.
    await Promise.allSettled(this.#beginning);
    for (const { leg } of this.#open.values()) leg.stop("interrupted", reason);
    await Promise.all([...this.#open.values()].map(({ done }) => done));
  }
}

function begunAfter({ run_id, leg: after_leg, state: from }: BatchRun, begun: BatchRun): StoreChange {
  const { owner } = begun;
  const announced = { intent_id: begun.intent_id ?? "", started_at: begun.started_at ?? "" };
  return { kind: "batch_run_begun", run_id, after_leg, from, owner, ...announced };
}
