import { join } from "node:path";
import { newId } from "../../base/ids.ts";
import type { OutputLog } from "../../base/output-log.ts";
import { redact } from "../../base/redact.ts";
import { oneLine } from "../../base/show.ts";
import type { PipelineStep } from "./port/pipeline.ts";
import type { DigestedPath, Metrics, StepRun } from "./port/pipeline-store.ts";
import { type JudgedCommand, judgeCommand, runCommand, tellHooks } from "./command.ts";
import { endedAs, nowOf, originOf, type RunContext, variablesOf } from "./context.ts";
import { digestPath, Unreadable } from "./digest-files.ts";
import { readMetrics } from "./read-metrics.ts";
import { findReuse } from "./reuse.ts";
import { stepDigest } from "./step-digest.ts";

/** Takes one step to its end; null when it is done, else why it is not. */
export async function performStep(
  context: RunContext,
  step: PipelineStep,
  data: DigestedPath | null,
): Promise<string | null> {
  const { options, pipeline, run, done, earlier, signal, tell } = context;
  try {
    const digest = await stepDigest(pipeline, step, data, done, signal);
    const reusing = { store: options.store, pipeline, isForced: run.is_forced, earlier, signal };
    const reuse = await findReuse(reusing, step, digest);
    if ("row" in reuse) return await skip(context, step, digest, reuse.row, reuse.isOwn);
    const input = {
      command: step.run,
      environment: step.environment,
      step: step.name,
      pipeline: pipeline.name,
    };
    const onWait = (reason: string) => tell(`step ${step.name} waits: ${oneLine(reason, 500)}`);
    const judged = await judgeCommand(options, input, originOf(run), signal, onWait);
    if ("problem" in judged) return await refuse(context, step, digest, judged.problem);
    return await execute(context, step, digest, judged, data);
  } catch (error) {
    if (error instanceof Unreadable) return refuse(context, step, "", oneLine(error.message, 1_000));
    throw error;
  }
}

async function skip(
  context: RunContext,
  step: PipelineStep,
  digest: string,
  before: StepRun,
  isOwn: boolean,
): Promise<null> {
  const { options, done, tell } = context;
  const { outputs, metrics } = before;
  const made_by = before.made_by ?? before.run_id;
  const row: StepRun = isOwn
    ? before
    : {
        ...emptyRow(context, step, digest),
        status: "skipped",
        outputs,
        metrics,
        made_by,
        ended_at: nowOf(options),
      };
  if (!isOwn)
    await record(context, row, "completed", `${step.name} is skipped: ${made_by} has made the same`);
  done.set(step.name, row);
  tell(
    isOwn
      ? `step ${step.name} was done before`
      : `step ${step.name} is skipped: nothing has changed since ${made_by}`,
  );
  return null;
}

/** It had no effect: it was not let, or what it reads could not be. */
async function refuse(context: RunContext, step: PipelineStep, digest: string, why: string): Promise<string> {
  const status = context.signal.aborted ? endedAs(context) : "failed";
  const ended_at = nowOf(context.options);
  const row: StepRun = { ...emptyRow(context, step, digest), status, reason: why, ended_at };
  await record(context, row, "denied", `${step.name}: ${why}`);
  context.tell(`step ${step.name} did not run: ${why}`);
  return why;
}

async function execute(
  context: RunContext,
  step: PipelineStep,
  digest: string,
  judged: JudgedCommand,
  data: DigestedPath | null,
): Promise<string | null> {
  const { options, run, folder, signal, tell, done } = context;
  const { audit, clock } = options;
  const { log, path: log_path } = folder.openLog(step.name);
  try {
    const began: StepRun = { ...emptyRow(context, step, digest), status: "running", log_path };
    const before = JSON.stringify(redact({ ...judged.input, digest, data }));
    const row = { id: newId("evt"), event: "pipeline.step", actor: "swarm", ...originOf(run), before };
    const report = await audit.intent(row, { kind: "pipeline_step", owner: run.owner, row: began });
    tell(`step ${step.name} runs`);
    const beganMs = clock.monotonicMs();
    const { tries, exitCode, problem } = await tryCommand(context, step, judged, data, log);
    const made = problem === null ? await madeBy(context, step) : { outputs: [], metrics: {}, problem };
    const ms = clock.monotonicMs() - beganMs;
    const reason = made.problem === null ? null : oneLine(made.problem, 1_000);
    const status = reason === null ? "completed" : signal.aborted ? endedAs(context) : "failed";
    const { outputs, metrics } = made;
    const told = { tries, exit_code: exitCode, reason, outputs, metrics };
    const ended: StepRun = { ...began, status, ...told, ended_at: nowOf(options) };
    const after = JSON.stringify({ outputs, metrics, tries, exit_code: exitCode });
    await report(
      { outcome: reason === null ? "completed" : "failed", reason, ms, after },
      { kind: "pipeline_step", owner: run.owner, row: ended },
    );
    const output = { exit_code: exitCode, step: step.name, outputs, log_path };
    await tellHooks(options, originOf(run), judged, { problem: reason, output, ms });
    if (reason === null) done.set(step.name, ended);
    tell(`step ${step.name} ${reason === null ? "is completed" : `has failed: ${reason}`}`);
    return reason;
  } finally {
    log.close();
    if (log.problem !== null) options.log.warn(`log of step ${step.name} is incomplete: ${log.problem}`, {});
  }
}

async function tryCommand(
  { options, run, pipeline, signal }: RunContext,
  step: PipelineStep,
  judged: JudgedCommand,
  data: DigestedPath | null,
  log: OutputLog,
) {
  const variables = variablesOf(run, step.name, data);
  const { timeoutMs, retries } = step;
  for (let tries = 1; ; tries++) {
    if (tries > 1) log.print(`\n--- try ${tries} ---\n`);
    const running = { folder: pipeline.folder, variables, timeoutMs, signal, print: log.print };
    const { exitCode, problem } = await runCommand(options, judged, running);
    if (problem === null || tries > retries || signal.aborted) return { tries, exitCode, problem };
  }
}

/** What is there after a step that ended well: all it declares has to be. */
async function madeBy({ pipeline: { folder }, signal }: RunContext, { outputs, metrics }: PipelineStep) {
  const made: DigestedPath[] = [];
  try {
    for (const path of outputs) {
      const digest = await digestPath(join(folder, path), signal);
      if (digest === null) throw new Unreadable(`it ended well, but its output ${path} is missing`);
      made.push({ path, ...digest });
    }
    const numbers: Metrics = metrics === null ? {} : readMetrics(folder, metrics);
    return { outputs: made, metrics: numbers, problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { outputs: [], metrics: {}, problem: error.message };
  }
}

function record(context: RunContext, row: StepRun, outcome: "completed" | "denied", reason: string) {
  const { options, run } = context;
  const entry = { kind: "change", event: "pipeline.step", actor: "swarm", ...originOf(run) } as const;
  return options.audit.record(
    { ...entry, outcome, reason },
    { kind: "pipeline_step", owner: run.owner, row },
  );
}

function emptyRow({ options, run }: RunContext, { name }: PipelineStep, digest: string): StepRun {
  return {
    run_id: run.run_id,
    step: name,
    status: "failed",
    digest,
    tries: 0,
    exit_code: null,
    reason: null,
    outputs: [],
    metrics: {},
    made_by: null,
    log_path: null,
    started_at: nowOf(options),
    ended_at: null,
  };
}
