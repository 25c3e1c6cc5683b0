import { oneLine, show } from "../show.ts";
import { didYouMean, type ErrorRow, row } from "./row.ts";

/** What can be wrong with scheduled work. */
export const cronErrors = {
  SWARM_SCHEDULE_INVALID: row<{ schedule: string; position: number; problem: string }>({
    meaning: "A schedule could not be read.",
    remedy: "Write it as docs/cron.md shows; `swarm cron preview` tells what it means.",
    status: 400,
    exitCode: 65,
    message: ({ schedule, position, problem }) =>
      `schedule ${show(schedule)}, position ${position}: ${oneLine(problem, 500)}`,
  }),
  SWARM_SCHEDULE_NEVER: row<{ schedule: string; problem: string }>({
    meaning: "A schedule that will never be due.",
    remedy: "Give a time to come, or a date that exists; `swarm cron preview` shows the next runs.",
    status: 400,
    exitCode: 65,
    message: ({ schedule, problem }) =>
      `schedule ${show(schedule)} never fires: ${problem}, expected one that does`,
  }),
  SWARM_TIME_ZONE_UNKNOWN: row<{ zone: string; suggestion: string | undefined }>({
    meaning: "A time zone the IANA database does not have.",
    remedy: "Write it as Europe/Berlin, or UTC.",
    status: 400,
    exitCode: 65,
    message: ({ zone, suggestion }) =>
      `unknown time zone ${show(zone)}${didYouMean(suggestion)}${suggestion === undefined ? ", expected one such as Europe/Berlin" : ""}`,
  }),
  SWARM_CRON_JOB_UNKNOWN: row<{ job: unknown; suggestion?: string | undefined }>({
    meaning: "There is no job with this id or name.",
    remedy: "See `swarm cron list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ job, suggestion }) => `there is no job ${show(job)}${didYouMean(suggestion)}`,
  }),
  SWARM_CRON_JOB_DECLARED: row<{ name: string; file: string }>({
    meaning: "A job that is declared in a configuration file was to be changed or deleted elsewhere.",
    remedy: "Edit the file; `swarm cron pause` and `resume` work for it too.",
    status: 409,
    exitCode: 65,
    message: ({ name, file }) =>
      `job ${show(name)} is declared in ${oneLine(file, 300)}, expected a change there`,
  }),
  SWARM_CRON_FILE_INVALID: row<{ at: number; problem: string }>({
    meaning: "A file of jobs could not be imported. None of its jobs was.",
    remedy: "Correct the job it names; `swarm cron export` shows the form.",
    status: 400,
    exitCode: 65,
    message: ({ at, problem }) =>
      at === 0
        ? `the file of jobs is not one: ${oneLine(problem, 500)}`
        : `job ${at} of the file: ${oneLine(problem, 500)}`,
  }),
  SWARM_CRON_NAME_TAKEN: row<{ name: string }>({
    meaning: "Another job has this name.",
    remedy: "Give another name, or change the job that has it with `swarm cron edit`.",
    status: 409,
    exitCode: 65,
    message: ({ name }) => `a job named ${show(name)} is there already, expected another name`,
  }),
  SWARM_CRON_JOB_CHANGED: row<{ jobId: string }>({
    meaning: "A job was changed or deleted by somebody else at the same moment. Nothing was done.",
    remedy: "Look at it again, and repeat what you wanted.",
    status: 409,
    exitCode: 65,
    message: ({ jobId }) =>
      `job ${show(jobId)} was changed by somebody else meanwhile, expected it as it was`,
  }),
  SWARM_CRON_JOB_BUSY: row<{ name: string }>({
    meaning: "A job was to be run by hand while a run of it is under way, and its overlap policy is skip.",
    remedy: "Wait for it, or set `overlap` to queue or allow.",
    status: 409,
    exitCode: 65,
    message: ({ name }) =>
      `a run of job ${show(name)} is under way, expected none: its overlap policy is skip`,
  }),
  SWARM_CRON_RUN_UNKNOWN: row<{ run: unknown }>({
    meaning: "There is no run with this id, or it has been forgotten.",
    remedy: "See `swarm cron runs` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ run }) => `there is no run ${show(run)}`,
  }),
  SWARM_CRON_RUN_LOST: row<{ runId: string }>({
    meaning: "A run is over, or another daemon has it, as after this one stood still for minutes.",
    remedy: "See `swarm cron runs` for how it ended.",
    status: 409,
    exitCode: 65,
    message: ({ runId }) => `run ${show(runId)} is not this daemon's any more`,
  }),
  SWARM_CRON_TASK_UNKNOWN: row<{ task: string; known: readonly string[]; suggestion: string | undefined }>({
    meaning: "A job names a kind of task that does not exist.",
    remedy: "See docs/cron.md for the kinds there are.",
    status: 400,
    exitCode: 65,
    message: ({ task, known, suggestion }) =>
      `unknown task ${show(task)}${suggestion === undefined ? `, expected ${known.join(", ")}` : didYouMean(suggestion)}`,
  }),
  SWARM_TASK_UNAVAILABLE: row<{ task: string }>({
    meaning: "A job's kind of task can be scheduled, but this version cannot do it yet. Its runs fail.",
    remedy: "Pause the job with `swarm cron pause` until a version that can.",
    status: 500,
    exitCode: 70,
    message: ({ task }) => `tasks of kind ${show(task)} cannot be run by this version`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
