import { rmSync } from "node:fs";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { redact } from "../../base/redact.ts";
import type { Pipeline } from "./port/pipeline.ts";
import type { PipelineRun, PipelineRunQuery, StepRun, StoredPipelineRun } from "./port/pipeline-store.ts";
import { cancelled, type EngineOptions, interrupted, nowOf, originOf, type RunContext } from "./context.ts";
import { performRun } from "./perform-run.ts";
import { planRun, type RunPlan } from "./plan.ts";
import { RunFolder } from "./run-folder.ts";

/** A pipeline that may run, as it was approved. */
export interface RunnablePipeline {
  readonly pipeline: Pipeline;
  readonly trustedBy: readonly string[];
}

export interface PipelinesOptions extends EngineOptions {
  /** As the files that hold for the folder say now. Throws SWARM_PIPELINE_UNKNOWN or SWARM_PIPELINE_UNTRUSTED. */
  readonly find: (name: string, cwd: string) => RunnablePipeline;
}

/** How somebody wants a pipeline run. */
export interface RunWish {
  readonly actor: string;
  readonly isForced?: boolean;
  /** A path, from the pipeline's folder; default the latest. */
  readonly data?: string | null;
  readonly trigger?: PipelineRun["trigger"];
  readonly cause?: string | null;
  /** Of the job's run that has this run. */
  readonly task?: string;
  readonly signal?: AbortSignal;
  readonly tell?: (line: string) => void;
}

interface OpenRun {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Runs of pipelines: one at a time of each, in this process or another; a second one is refused. */
export class Pipelines {
  readonly #options: PipelinesOptions;
  readonly #open = new Map<string, OpenRun>();
  #isLeaving = false;

  constructor(options: PipelinesOptions) {
    this.#options = options;
  }

  /** Resolves when the run has begun; it goes on by itself. */
  async start(name: string, cwd: string, wish: RunWish): Promise<StoredPipelineRun> {
    await this.sweep();
    const { actor, isForced = false, trigger = "manual", cause = null } = wish;
    const found = this.#options.find(name, cwd);
    const { source, folder, model } = found.pipeline;
    const run: PipelineRun = {
      run_id: newId("pr", this.#options.clock.now()),
      pipeline: name,
      file: source.file,
      folder,
      model,
      status: "running",
      trigger,
      cause,
      actor,
      is_forced: isForced,
      owner: newId("po"),
      intent_id: newId("evt"),
      data: null,
      version: null,
      started_at: nowOf(this.#options),
      ended_at: null,
      reason: null,
    };
    return this.#begin(run, found, wish, []);
  }

  /** Goes on with a run that ended before it was done: with its data, after the last step that is finished. */
  async resume(runId: string, wish: RunWish): Promise<StoredPipelineRun> {
    await this.sweep();
    const { store, find } = this.#options;
    const before = await this.find(runId);
    const { pipeline, status, folder, file } = before;
    if (status === "running") throw new SwarmError("SWARM_PIPELINE_BUSY", { pipeline, run: runId });
    if (status === "completed") throw new SwarmError("SWARM_PIPELINE_RUN_ENDED", { run: runId, status });
    const found = find(pipeline, folder);
    if (found.pipeline.source.file !== file)
      throw new SwarmError("SWARM_PIPELINE_UNKNOWN", { pipeline, folder });
    const { seq: _seq, ...row } = before;
    const run = { ...row, actor: wish.actor, owner: newId("po"), intent_id: newId("evt") };
    return this.#begin(run, found, wish, await store.stepsOf(runId));
  }

  /** As one try of a job's slot: goes on with the run of the try before, if there was one that did not end well. */
  async startOrResume(name: string, cwd: string, wish: RunWish & { readonly cause: string }) {
    await this.sweep();
    const before = await this.#options.store.runOfCause(wish.cause);
    const isLeft = before !== null && before.pipeline === name && before.status !== "completed";
    return isLeft ? this.resume(before.run_id, wish) : this.start(name, cwd, wish);
  }

  /** Ends a run of this process. */
  async cancel(runId: string, actor: string): Promise<StoredPipelineRun> {
    const open = this.#open.get(runId);
    if (open === undefined) {
      const { status } = await this.find(runId);
      if (status === "running") throw new SwarmError("SWARM_PIPELINE_ELSEWHERE", { run: runId });
      throw new SwarmError("SWARM_PIPELINE_RUN_ENDED", { run: runId, status });
    }
    open.abort.abort(`${cancelled} by ${actor}`);
    return this.ended(runId);
  }

  /** What a run would do now. */
  plan(name: string, cwd: string, { isForced = false, data = null }: Partial<RunWish>): Promise<RunPlan> {
    const { pipeline } = this.#options.find(name, cwd);
    const { signal } = new AbortController();
    return planRun({ store: this.#options.store, pipeline, isForced, givenData: data, signal });
  }

  /** Resolves when a run of this process is over; one of another is as it is. */
  async ended(runId: string): Promise<StoredPipelineRun> {
    await this.#open.get(runId)?.done;
    return this.find(runId);
  }

  async find(runId: string): Promise<StoredPipelineRun> {
    const found = await this.#options.store.findRun(runId);
    if (found === null) throw new SwarmError("SWARM_PIPELINE_RUN_UNKNOWN", { run: runId });
    return found;
  }

  async list(query: PipelineRunQuery): Promise<StoredPipelineRun[]> {
    await this.sweep();
    return this.#options.store.listRuns(query);
  }

  steps(runId: string): Promise<StepRun[]> {
    return this.#options.store.stepsOf(runId);
  }

  /** Runs whose process is gone are interrupted, and what they have left running is ended. */
  async sweep(): Promise<void> {
    const { home, store, audit } = this.#options;
    for (const run of await store.openRuns()) {
      const folder = new RunFolder(home, run.run_id);
      // Whoever runs it holds its lock, and loses it only with its life.
      if (this.#open.has(run.run_id) || !folder.take()) continue;
      try {
        folder.endLeftOvers();
        const { run_id, owner, intent_id: ref } = run;
        const reason = "the process that ran it ended: it can be resumed";
        const row = {
          kind: "outcome",
          event: "pipeline.run",
          actor: "swarm",
          ...originOf(run),
          ref,
        } as const;
        const end = { status: "interrupted", ended_at: nowOf(this.#options), reason, version: null } as const;
        await audit.record(
          { ...row, outcome: "failed", reason },
          { kind: "pipeline_run_ended", run_id, owner, ...end },
        );
      } catch (error) {
        const isSeenTo = error instanceof SwarmError && error.code === "SWARM_PIPELINE_RUN_LOST";
        if (!isSeenTo) throw error;
      } finally {
        folder.release();
      }
    }
  }

  /** Ends every run at once, and begins no more; they can be resumed. */
  abort(): void {
    this.#isLeaving = true;
    for (const { abort } of this.#open.values()) abort.abort(interrupted);
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.#isLeaving = true;
    await Promise.all([...this.#open.values()].map(({ done }) => done));
  }

  async #begin(
    run: PipelineRun,
    { pipeline, trustedBy }: RunnablePipeline,
    wish: RunWish,
    earlier: readonly StepRun[],
  ): Promise<StoredPipelineRun> {
    if (this.#isLeaving) throw new SwarmError("SWARM_NOT_SERVING", { state: "stopping" });
    const { home, audit } = this.#options;
    const { run_id, owner, actor, intent_id } = run;
    const isNew = run.ended_at === null;
    const folder = new RunFolder(home, run_id);
    if (!folder.take()) throw new SwarmError("SWARM_PIPELINE_BUSY", { pipeline: run.pipeline, run: run_id });
    const abort = new AbortController();
    try {
      const told = { pipeline: run.pipeline, file: run.file, is_forced: run.is_forced, cause: run.cause };
      const steps = pipeline.steps.map(({ name, run: command }) => ({ step: name, command }));
      const before = JSON.stringify(redact({ run_id, ...told, is_resumed: !isNew, steps }));
      const row = { id: intent_id, event: "pipeline.run", actor, ...originOf(run), before };
      const report = await audit.intent(
        row,
        isNew
          ? { kind: "pipeline_run_started", run }
          : { kind: "pipeline_run_resumed", run_id, owner, actor, intent_id },
      );
      const context: RunContext = {
        options: this.#options,
        pipeline,
        run,
        folder,
        trustedBy,
        tasks: [run_id, ...(wish.task === undefined ? [] : [wish.task])],
        givenData: wish.data ?? null,
        earlier: new Map(earlier.map((step) => [step.step, step])),
        done: new Map(),
        signal: abort.signal,
        tell: wish.tell ?? (() => undefined),
      };
      this.#follow(context, abort, wish.signal, performRun(context, report));
    } catch (error) {
      folder.release();
      if (isNew) rmSync(folder.path, { recursive: true, force: true });
      throw error;
    }
    return this.find(run_id);
  }

  #follow(
    context: RunContext,
    abort: AbortController,
    signal: AbortSignal | undefined,
    work: Promise<void>,
  ): void {
    const { run, folder, options } = context;
    const onAbort = (): void => abort.abort(interrupted);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener("abort", onAbort);
    const done = work
      // How it ended could not be written: it is found as interrupted, once its lock is free.
      .catch((error: Error) => void options.log.warn(`pipeline run ${run.run_id}: ${error.message}`, {}))
      .finally(() => {
        signal?.removeEventListener("abort", onAbort);
        this.#open.delete(run.run_id);
        folder.release();
      });
    this.#open.set(run.run_id, { abort, done });
  }
}
