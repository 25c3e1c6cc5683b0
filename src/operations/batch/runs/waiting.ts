import type { Clock } from "../../../base/clock.ts";
import { SwarmError } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import type { Audit } from "../../../record/port/audit.ts";
import { type BatchRun, type BatchState, progressIn } from "../port/batch-run.ts";
import type { BatchRunEnded } from "../port/batch-store.ts";
import type { RunPermission } from "../../port/may-run.ts";
import type { RunSpec } from "../run-spec.ts";
import { originOf } from "./events.ts";
import type { Legs } from "./legs.ts";

export interface WaitingOptions {
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Log;
  readonly legs: Legs;
}

/** The runs of this process that wait for an approval. */
export class Waiting {
  readonly #options: WaitingOptions;
  readonly #open = new Map<string, { readonly leave: AbortController; readonly done: Promise<void> }>();

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  has(runId: string): boolean {
    return this.#open.has(runId);
  }

  /** Begins the run once somebody has approved it, and ends it when somebody has not. It goes on by itself. */
  add(run: BatchRun, spec: RunSpec, actor: string, permission: RunPermission | Promise<RunPermission>): void {
    const { log } = this.#options;
    const { run_id } = run;
    const leave = new AbortController();
    const done = this.#settle(run, spec, actor, permission, leave.signal)
      .catch((error: Error) => void log.warn(`batch run ${run_id}: ${error.message}`, { run_id }))
      .finally(() => this.#open.delete(run_id));
    this.#open.set(run_id, { leave, done });
  }

  /** Waits no longer; the question stays, and so does the run. */
  async stop(runId: string): Promise<void> {
    const waiting = this.#open.get(runId);
    waiting?.leave.abort();
    await waiting?.done;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((runId) => this.stop(runId)));
  }

  async #settle(
    run: BatchRun,
    spec: RunSpec,
    actor: string,
    given: RunPermission | Promise<RunPermission>,
    signal: AbortSignal,
  ): Promise<void> {
    const { audit, clock, legs } = this.#options;
    const permission = await given;
    const decided = permission.verdict === "ask" ? await permission.decided(signal) : permission;
    if (decided === null) return;
    const isApproved = "isApproved" in decided ? decided.isApproved : decided.verdict === "allow";
    const problem = isApproved ? await begun(() => legs.begin(run, spec, actor, false)) : null;
    if (isApproved && problem === null) return;
    const reason = problem ?? ("reason" in decided ? decided.reason : "it is not allowed");
    const row = { event: "batch.cancelled", actor: "swarm", reason, ...originOf(spec) };
    await audit.record({ kind: "change", ...row }, endOf(run, "cancelled", reason, clock));
  }
}

/** Why an approved run cannot begin: a file of its processor's is not, or is no longer, approved. Null: it has begun. */
async function begun(begin: () => Promise<void>): Promise<string | null> {
  try {
    await begin();
    return null;
  } catch (error) {
    const isFile = error instanceof SwarmError && error.code.startsWith("SWARM_FILE_");
    if (!isFile) throw error;
    return error.message;
  }
}

/** The end of a run as it is; whoever has it by then is the only one who can write it. */
export function endOf(run: BatchRun, state: BatchState, reason: string, clock: Clock): BatchRunEnded {
  const { run_id, leg, owner } = run;
  const ended_at = new Date(clock.now()).toISOString();
  const progress = progressIn(run);
  return { kind: "batch_run_ended", run_id, leg, owner, state, reason, ended_at, progress };
}
