import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import type { OutputLog } from "../../base/output-log.ts";
import { oneLine } from "../../base/show.ts";
import type { CronJob, CronRun, RunStatus } from "./port/cron-job.ts";
import type { TaskEnd } from "./port/task.ts";
import type { TaskKinds } from "./settings.ts";

export interface TaskOutcome {
  readonly status: RunStatus;
  readonly exitCode: number | null;
  readonly reason: string | null;
}

export interface PerformOptions {
  readonly kinds: TaskKinds;
  readonly clock: Clock;
  readonly log: Log;
  readonly job: CronJob;
  readonly run: CronRun;
  readonly output: OutputLog;
  /** Aborted when the daemon cannot wait any longer. */
  readonly stop: AbortSignal;
}

/** A task that was told to let go gets this long; a run is over by our clock, whatever its task does. */
const letGoMs = 5_000;

/** Does a job's task, within its time. Every way to end is a value. */
export async function performTask(options: PerformOptions): Promise<TaskOutcome> {
  const { clock, job, output, stop } = options;
  const abort = new AbortController();
  let ending: TaskOutcome | null = null;
  const { promise: forced, resolve: force } = Promise.withResolvers<null>();
  const end = (status: RunStatus, reason: string): void => {
    ending ??= { status, exitCode: null, reason };
    abort.abort();
    timers.push(clock.setTimer(() => force(null), letGoMs));
  };
  const timeoutMs = Math.min(job.timeout_s * 1_000, limits.maxTimeoutMs);
  const timers = [
    clock.setTimer(() => end("timed_out", `ended after ${job.timeout_s} s, its timeout`), timeoutMs),
  ];
  const onStop = (): void => end("interrupted", "the daemon was stopped");
  if (stop.aborted) onStop();
  stop.addEventListener("abort", onStop);
  try {
    const done = await Promise.race([attempt(options, abort.signal, timeoutMs), forced]);
    if (ending !== null) return ending;
    return done ?? { status: "failed", exitCode: null, reason: "it did not end" };
  } finally {
    stop.removeEventListener("abort", onStop);
    for (const timer of timers) timer.close();
    if (output.problem !== null)
      options.log.warn(`output of run ${options.run.run_id} is incomplete: ${output.problem}`, {});
  }
}

async function attempt(
  options: PerformOptions,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<TaskOutcome> {
  const { kinds, job, run, output } = options;
  const { job_id, name, task, config, cwd } = job;
  const { run_id, scheduled_at, attempt: count } = run;
  try {
    const kind = Object.hasOwn(kinds, task) ? kinds[task] : undefined;
    if (kind === undefined) throw new SwarmError("SWARM_TASK_UNAVAILABLE", { task });
    const call = {
      job_id,
      run_id,
      name,
      scheduled_at,
      attempt: count,
      cwd,
      timeoutMs,
      signal,
      print: output.print,
    };
    return outcomeOf(await kind.run(config, call));
  } catch (error) {
    // A kind's own mistake fails the run it was made in, and is told there.
    return { status: "failed", exitCode: null, reason: oneLine((error as Error).message, limits.errorChars) };
  }
}

function outcomeOf({ exitCode, problem, finding = null }: TaskEnd): TaskOutcome {
  return { status: problem === null ? "completed" : "failed", exitCode, reason: problem ?? finding };
}
