import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Timer } from "../../../base/clock.ts";
import { SwarmError } from "../../../base/errors.ts";
import { isRunning, type ProcessIdentity, thisProcess } from "../../../base/process-identity.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { type BatchRun, isDone, noProgress, type StoredBatchRun } from "../port/batch-run.ts";
import type { BatchQuery } from "../port/batch-store.ts";
import type { MayRun, RunPermission } from "../../port/may-run.ts";
import type { RunSpec } from "../run-spec.ts";
import type { Emit } from "../../../daemon/runtime/port/emit.ts";
import { BatchEvents, originOf } from "./events.ts";
import type { Leg } from "./leg.ts";
import { Legs, type LegsOptions } from "./legs.ts";
import { permit, permitAgain } from "./permit.ts";
import { checkFree, progressOf, removeFiles, statsOf } from "./run-files.ts";
import { incomingFolder, isGzipFile, type Spooled, spool } from "./spool.ts";
import { type Asked, checkProcessor, type ProcessorKinds, type Submission, specOf } from "./submission.ts";
import { endOf, Waiting } from "./waiting.ts";

export interface BatchRunsOptions extends Omit<LegsOptions, "events" | "self"> {
  readonly home: string;
  readonly emit: Emit;
  readonly kinds: ProcessorKinds;
  readonly mayRun: MayRun;
  /** Records that come by themselves may not be more than this. */
  readonly uploadLimitBytes: () => number;
  readonly self?: ProcessIdentity;
}

/** How soon it is looked again for a runner whose daemon is gone: it makes its last checkpoint. */
const lookAgainMs = 500;

/** Batch runs: what is asked of them, from being submitted to being forgotten. */
export class BatchRuns {
  readonly #options: BatchRunsOptions;
  readonly #self: ProcessIdentity;
  readonly #events: BatchEvents;
  readonly #legs: Legs;
  readonly #waiting: Waiting;
  #isResident = false;
  #timer: Timer | null = null;

  constructor(options: BatchRunsOptions) {
    const { emit, log, self = thisProcess() } = options;
    this.#options = options;
    this.#self = self;
    this.#events = new BatchEvents(emit, log);
    this.#legs = new Legs({ ...options, self, events: this.#events });
    this.#waiting = new Waiting({ ...options, legs: this.#legs });
  }

  /** Runs it, or has it wait for an approval; throws when it may not run, and nothing is left of it then. */
  async submit(submission: Submission): Promise<StoredBatchRun> {
    const { home, store, kinds, uploadLimitBytes, copiesOf } = this.#options;
    const { run_id, records, actor } = submission;
    const asked = specOf(submission, home, kinds);
    if ((await store.find(run_id)) !== null) throw new SwarmError("SWARM_BATCH_RUN_TAKEN", { runId: run_id });
    checkFree(asked.output, records !== null);
    const spooled = records === null ? null : await spool(records, home, uploadLimitBytes());
    let isPlaced = false;
    try {
      const spec = await withInput(asked, spooled);
      // Before anybody is asked for a run that could not start.
      await copiesOf(spec);
      const permission = await permit(spec, 1, actor, { ...this.#options, events: this.#events });
      if (permission.verdict === "deny") throw denied(run_id, permission.reason);
      await spooled?.moveTo(spec.input);
      isPlaced = true;
      await this.#take(this.#newRun(spec, actor), spec, actor, permission, true);
    } catch (error) {
      // Of two who submit the same id at once one has it, and its records are not the other's to remove.
      const isTaken = error instanceof SwarmError && error.code === "SWARM_BATCH_RUN_TAKEN";
      if (!isPlaced || isTaken || (await store.find(run_id)) === null) await spooled?.discard();
      throw error;
    }
    return this.#found(run_id);
  }

  /** Goes on with a run that is not completed, from its last checkpoint. */
  async resume(runId: string, actor: string): Promise<StoredBatchRun> {
    const { store, kinds, copiesOf } = this.#options;
    const run = await this.find(runId);
    const spec = specIn(run);
    if (run.state === "waiting_approval" && !this.#isAlive(run.owner)) {
      if (await store.takeOver(runId, run.owner, this.#self)) this.#waitAgain(run, actor);
      return this.#found(runId);
    }
    const isOver = ["failed", "cancelled", "interrupted"].includes(run.state);
    const note = isDone(run.state) && run.failed_count > 0 ? "; records that failed are not tried again" : "";
    if (!isOver) throw misplaced(run, `one that failed, was cancelled or interrupted${note}`);
    checkProcessor(spec, kinds);
    await copiesOf(spec);
    const permission = await permit(spec, run.leg + 1, actor, { ...this.#options, events: this.#events });
    if (permission.verdict === "deny") throw denied(runId, permission.reason);
    await this.#take(run, spec, actor, permission, false);
    return this.#found(runId);
  }

  /** Ends a run, wherever it is followed; what is durable stays. Resolves when it is over, or has been told to be. */
  async cancel(runId: string, actor: string): Promise<StoredBatchRun> {
    const { audit, clock } = this.#options;
    const run = await this.find(runId);
    const reason = `cancelled by ${actor}`;
    const origin = originOf(specIn(run));
    const row = { kind: "change", event: "batch.cancelled", actor, reason: runId, ...origin } as const;
    if (run.state === "waiting_approval") {
      await audit.record(row, endOf(run, "cancelled", reason, clock));
      await this.#waiting.stop(runId);
      return this.#found(runId);
    }
    if (run.state !== "running") throw misplaced(run, "one that is under way");
    const leg = this.#legs.find(runId);
    const runner = run.runner !== null && this.#isAlive(run.runner) ? run.runner.pid : null;
    if (leg === null && runner === null)
      throw misplaced({ ...run, state: "starting elsewhere" }, "one that is under way");
    await audit.record(row);
    if (leg !== null) {
      leg.stop("cancelled", reason);
      await this.#legs.ended(runId);
    } else if (runner !== null) process.kill(runner, "SIGTERM");
    return this.#found(runId);
  }

  /** Forgets a run that is over and removes its files. Its rows in the record stay. */
  async purge(runId: string, actor: string): Promise<StoredBatchRun> {
    const run = await this.find(runId);
    if (run.state === "running" || run.state === "waiting_approval") throw misplaced(run, "one that is over");
    const spec = specIn(run);
    const row = { event: "batch.purged", actor, reason: runId, ...originOf(spec) };
    await this.#options.audit.record(
      { kind: "change", ...row },
      { kind: "batch_run_removed", run_id: runId },
    );
    await removeFiles(spec);
    return run;
  }

  async list(query: BatchQuery): Promise<StoredBatchRun[]> {
    await this.settleGone();
    return (await this.#options.store.list(query)).map((run) => this.#asOfNow(run));
  }

  async find(runId: string): Promise<StoredBatchRun> {
    await this.settleGone();
    return this.#found(runId);
  }

  /** The leg of a run that is followed here; null: it is not. */
  leg(runId: string): Leg | null {
    return this.#legs.find(runId);
  }

  /** What a run came to; null before it is completed. */
  stats(run: BatchRun): JsonObject | null {
    return statsOf(specIn(run));
  }

  /** Has this process be the one that looks after what others have left behind. */
  async start(): Promise<void> {
    this.#isResident = true;
    rmSync(incomingFolder(this.#options.home), { recursive: true, force: true });
    await this.settleGone();
  }

  /** Runs whose process is gone are `interrupted`; who waits for an approval waits on, here if this one stays. */
  async settleGone(): Promise<void> {
    const { store, clock } = this.#options;
    let isLeaving = false;
    for (const run of await store.open()) {
      const isOurs = this.#legs.find(run.run_id) !== null || this.#waiting.has(run.run_id);
      if (isOurs || this.#isAlive(run.owner)) continue;
      if (run.state === "waiting_approval") {
        if (this.#isResident && (await store.takeOver(run.run_id, run.owner, this.#self)))
          this.#waitAgain(run, run.created_by);
      } else if (run.runner !== null && this.#isAlive(run.runner)) isLeaving = true;
      else await this.#interrupt(run);
    }
    if (isLeaving && this.#isResident && this.#timer === null)
      this.#timer = clock.setTimer(() => {
        this.#timer = null;
        void this.settleGone().catch((error: Error) => void this.#options.log.warn(error.message, {}));
      }, lookAgainMs);
  }

  abort(): void {
    this.#legs.abort();
  }

  /** Has runs make a checkpoint and leave; they are `interrupted`. Who waits for an approval waits for whoever comes next. */
  async stop(): Promise<void> {
    this.#timer?.close();
    this.#isResident = false;
    await this.#waiting.close();
    await this.#legs.close("the process that followed it stopped");
  }

  /** Starts it, or has it wait, as it is permitted. */
  async #take(
    run: BatchRun,
    spec: RunSpec,
    actor: string,
    permission: Exclude<RunPermission, { verdict: "deny" }>,
    isNew: boolean,
  ): Promise<void> {
    if (permission.verdict === "allow") return this.#legs.begin(run, spec, actor, isNew);
    const { audit } = this.#options;
    const { run_id, leg: after_leg, state: from } = run;
    const { reason } = permission;
    const owner = this.#self;
    const waiting = { ...run, state: "waiting_approval", owner, reason } as const;
    const row = { event: "batch.started", actor, ...originOf(spec), reason, verdict: "ask" } as const;
    await audit.record(
      { kind: "change", ...row },
      isNew
        ? { kind: "batch_run_added", run: waiting }
        : { kind: "batch_run_waits", run_id, after_leg, from, owner, reason },
    );
    this.#waiting.add(waiting, spec, actor, permission);
  }

  /** Asks the same question again, of a run whose process is gone. */
  #waitAgain(run: BatchRun, actor: string): void {
    const spec = specIn(run);
    const again = permitAgain(spec, run.leg + 1, run.reason ?? "it waits for an approval", this.#options);
    this.#waiting.add({ ...run, owner: this.#self }, spec, actor, again);
  }

  async #interrupt(run: StoredBatchRun): Promise<void> {
    const { audit, clock } = this.#options;
    const spec = specIn(run);
    const reason = "the process that followed it ended";
    const progress = progressOf(spec, run.input_size) ?? run;
    const row = { event: "batch.started", actor: "swarm", ...originOf(spec), ref: run.intent_id };
    const ended = { ...endOf(run, "interrupted", reason, clock), progress };
    try {
      await audit.record({ kind: "outcome", ...row, outcome: "failed", reason }, ended);
    } catch (error) {
      if (error instanceof SwarmError && error.code === "SWARM_BATCH_RUN_LOST") return; // another was faster
      throw error;
    }
    await this.#events.failed(spec, progress, reason);
  }

  async #found(runId: string): Promise<StoredBatchRun> {
    const run = await this.#options.store.find(runId);
    if (run === null) throw new SwarmError("SWARM_BATCH_RUN_UNKNOWN", { runId });
    return this.#asOfNow(run);
  }

  /** With the counts of its last checkpoint, wherever it runs. */
  #asOfNow(run: StoredBatchRun): StoredBatchRun {
    if (run.state !== "running") return run;
    const leg = this.#legs.find(run.run_id);
    return { ...run, ...(leg?.progress ?? progressOf(specIn(run), run.input_size)) };
  }

  /** A process elsewhere cannot be looked up: a home is one machine's, so it is one of an earlier boot or container. */
  #isAlive({ place, pid, born }: ProcessIdentity): boolean {
    return place === this.#self.place && isRunning(pid, born);
  }

  #newRun(spec: RunSpec, created_by: string): BatchRun {
    const { run_id, name, processor } = spec;
    const created_at = new Date(this.#options.clock.now()).toISOString();
    const none = { reason: null, runner: null, intent_id: null, started_at: null, ended_at: null };
    return {
      ...{ run_id, name, processor, spec: { ...spec }, leg: 0, state: "running", owner: this.#self },
      ...{ created_at, created_by, ...none, ...noProgress },
    };
  }
}

async function withInput(spec: Asked, spooled: Spooled | null): Promise<RunSpec> {
  if (spooled !== null) {
    const input = join(spec.output, spooled.name);
    return { ...spec, input, is_gzip: spooled.isGzip, is_spooled: true };
  }
  const input = spec.input ?? "";
  try {
    return { ...spec, input, is_gzip: await isGzipFile(input) };
  } catch (error) {
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_BATCH_INPUT_UNREADABLE", { input, problem }, { cause: error });
  }
}

export function specIn({ spec }: BatchRun): RunSpec {
  return spec as unknown as RunSpec;
}

function denied(runId: string, reason: string): SwarmError {
  return new SwarmError("SWARM_BATCH_DENIED", { runId, reason });
}

function misplaced(
  { run_id: runId, state }: { run_id: string; state: string },
  expected: string,
): SwarmError {
  return new SwarmError("SWARM_BATCH_RUN_STATE", { runId, state, expected });
}
