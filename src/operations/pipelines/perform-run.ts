import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { oneLine } from "../../base/show.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { ReportEnd } from "../../record/port/audit.ts";
import type { PipelineStep } from "./port/pipeline.ts";
import type { DigestedPath, PipelineRunEnded } from "./port/pipeline-store.ts";
import { type CodeCommit, codeCommit } from "./code-commit.ts";
import { endedAs, nowOf, originOf, pipelineSource, type RunContext } from "./context.ts";
import { Unreadable } from "./digest-files.ts";
import { metricsOf, versionOf } from "./lineage.ts";
import { performStep } from "./perform-step.ts";
import { takeSnapshot } from "./snapshot.ts";

/**
 * Takes a run that is announced and ours to its end: hooks are told, and may refuse; the data are taken; the steps run,
 * each after those it needs; how it ended is written in one transaction with the version it made.
 */
export async function performRun(context: RunContext, report: ReportEnd): Promise<void> {
  const { options, run, pipeline } = context;
  const beganMs = options.clock.monotonicMs();
  const code = await codeCommit(pipeline.folder, options.env);
  const state: RunState = { data: run.data, code };
  let problem: string | null;
  try {
    problem = await attempt(context, state);
  } catch (error) {
    // A mistake of ours, or a store that cannot be written to: the run must not stay open for it.
    problem = oneLine((error as Error).message, 1_000);
    options.log.warn(`pipeline run ${run.run_id}: ${(error as Error).stack}`, {});
  }
  const ms = options.clock.monotonicMs() - beganMs;
  const isEnded = context.signal.aborted && problem !== null;
  const status = problem === null ? "completed" : isEnded ? endedAs(context) : "failed";
  const reason = isEnded ? endReason(context) : problem;
  await end(context, state, report, status, reason, ms);
  await tellOrLog(context.options.log, () =>
    options.emit({
      event: "session.end",
      data: { reason: status, duration_s: Math.round(ms) / 1_000 },
      origin: originOf(run),
    }),
  );
}

interface RunState {
  data: DigestedPath | null;
  readonly code: CodeCommit | null;
}

/** Null when every step is done. */
async function attempt(context: RunContext, state: RunState): Promise<string | null> {
  const { options, run, earlier } = context;
  const resumed = earlier.size > 0;
  try {
    const title = { session_title: `pipeline ${run.pipeline}`, source: pipelineSource, resumed };
    const { decision } = await options.emit({ event: "session.start", data: title, origin: originOf(run) });
    const { verdict, hook, reason, stop } = decision;
    if (verdict === "deny") return `denied by ${oneLine(`${hook ?? "a hook"}: ${reason ?? ""}`, 1_000)}`;
    if (stop !== null) return oneLine(`stopped by a hook: ${stop}`, 1_000);
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return `it could not be judged: ${error.message}`;
  }
  try {
    state.data = await takeSnapshot(context);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return oneLine(error.message, 1_000);
  }
  await recordData(context, state.data);
  writeRun(context, state, "running", null, null);
  return performSteps(context, state);
}

async function recordData({ options, run, tell: say }: RunContext, data: DigestedPath | null): Promise<void> {
  if (data === null || run.data !== null) return;
  const reason = oneLine(`data ${data.path}, ${data.bytes} bytes, SHA-256 ${data.sha256}`, 1_000);
  const entry = { kind: "change", event: "pipeline.data", actor: "swarm", ...originOf(run), reason } as const;
  const { run_id, owner } = run;
  await options.audit.record(entry, { kind: "pipeline_snapshot", run_id, owner, data });
  say(reason);
}

/** Independent steps side by side, as many as the pipeline says. After a failure none begins; those at work finish. */
async function performSteps(context: RunContext, state: RunState): Promise<string | null> {
  const { pipeline, done, signal } = context;
  const waiting = new Set<PipelineStep>(pipeline.steps);
  const atWork = new Set<Promise<void>>();
  const problems: string[] = [];
  const begin = (step: PipelineStep): void => {
    waiting.delete(step);
    const working = performStep(context, step, state.data)
      .then((problem) => void (problem !== null && problems.push(`step ${step.name}: ${problem}`)))
      .finally(() => {
        atWork.delete(working);
        writeRun(context, state, "running", null, null);
      });
    atWork.add(working);
  };
  for (;;) {
    for (const step of waiting) {
      if (problems.length > 0 || signal.aborted || atWork.size >= pipeline.maxParallel) break;
      if (step.needs.every((need) => done.has(need))) begin(step);
    }
    if (atWork.size === 0) break;
    try {
      await Promise.race(atWork);
    } catch (error) {
      // Those beside it end first: nothing of a run is at work once it is over.
      await Promise.allSettled(atWork);
      throw error;
    }
  }
  if (problems.length > 0) return problems.join("; ");
  return waiting.size > 0 ? "it was ended" : null;
}

async function end(
  context: RunContext,
  state: RunState,
  report: ReportEnd,
  status: PipelineRunEnded["status"],
  reason: string | null,
  ms: number,
): Promise<void> {
  const { options, run } = context;
  const { run_id, owner } = run;
  const ended_at = nowOf(options);
  const version = status === "completed" ? await versionOf(context, state.data, state.code) : null;
  const after = JSON.stringify({ run_id, status, version });
  await report(
    { outcome: status === "completed" ? "completed" : "failed", reason, ms, after },
    { kind: "pipeline_run_ended", run_id, owner, status, ended_at, reason, version },
  );
  const made = (await options.store.findRun(run_id))?.version ?? null;
  writeRun(context, state, status, reason, made, version);
  const words = made === null ? "" : `, version ${made} of model ${run.model}`;
  context.tell(`run ${run_id} is ${status}${words}${reason === null ? "" : `: ${reason}`}`);
}

/** For whoever reads files: the same as the store has, with paths from the root. A disk that is full costs it, not the run. */
function writeRun(
  { options, pipeline, run, folder, done }: RunContext,
  { data, code }: RunState,
  status: string,
  reason: string | null,
  number: number | null,
  version: PipelineRunEnded["version"] = null,
): void {
  const { run_id, file, model, trigger, actor, is_forced, started_at } = run;
  const steps = [...done.values()];
  const outputs = steps.flatMap(({ step, outputs: made }) =>
    made.map(({ path, ...digest }) => ({ step, path: join(pipeline.folder, path), ...digest })),
  );
  const told = { run_id, pipeline: pipeline.name, file, folder: pipeline.folder, model, version: number };
  const how = {
    status,
    reason,
    trigger,
    actor,
    is_forced,
    started_at,
    ended_at: status === "running" ? null : nowOf(options),
  };
  const lineage = typeof version === "object" ? (version?.lineage ?? null) : null;
  try {
    folder.writeRun({ ...told, ...how, data, code, outputs, metrics: metricsOf({ done }), steps, lineage });
  } catch (error) {
    options.log.warn(`run.json of ${run_id} could not be written: ${(error as Error).message}`, {});
  }
}

function endReason(context: RunContext): string {
  if (endedAs(context) === "cancelled") return String(context.signal.reason);
  return "it was ended before it was done: it can be resumed";
}
