import type { Task } from "./port/task.ts";
import type { AttemptEnding, TaskState } from "./port/transitions.ts";

const firstPauseMs = 10_000;
const longestPauseMs = 300_000;
/** So many within this time, and what fails it will fail it again. */
export const maxSetbacks = 5;
export const setbackWindowMs = 15 * 60_000;
/** How often a task whose holder was lost is handed on by itself. */
export const maxResumes = 3;

/** 10 s × 2^(n−1), 5 minutes at most, after the nth attempt. */
export function pauseMs(attempts: number): number {
  return Math.min(firstPauseMs * 2 ** Math.max(0, Math.min(attempts, 30) - 1), longestPauseMs);
}

type Counted = Pick<Task, "attempts" | "setbacks">;

/** What every attempt that comes to nothing adds to the lifetime of its task, whichever way it is tried again. */
function counted(task: Task, nowMs: number): Counted & { readonly stop: string | null } {
  const attempts = task.attempts + 1;
  const since = new Date(nowMs - setbackWindowMs).toISOString();
  const recent = task.setbacks.filter((time) => time > since);
  const setbacks = [...recent, new Date(nowMs).toISOString()].slice(-maxSetbacks);
  const stop =
    setbacks.length >= maxSetbacks
      ? `${maxSetbacks} attempts within ${setbackWindowMs / 60_000} minutes came to nothing`
      : attempts >= task.max_attempts
        ? `all of its ${task.max_attempts} attempts are used`
        : null;
  return { attempts, setbacks, stop };
}

export interface Followed {
  readonly state: TaskState;
  readonly moved: Pick<Task, "attempts" | "setbacks" | "ending" | "reason" | "retry_at" | "ready_at"> &
    Partial<Pick<Task, "resumes" | "resume_note">>;
}

/** Its holder has given it up: it fails, and is retried after a pause unless that has no point. */
export function afterFailure(task: Task, ending: AttemptEnding, error: string, nowMs: number): Followed {
  const { attempts, setbacks, stop } = counted(task, nowMs);
  const retry_at = stop === null ? new Date(nowMs + pauseMs(attempts)).toISOString() : null;
  const reason = stop === null ? error : `${error}; not retried: ${stop}`;
  const moved = { attempts, setbacks, ending, reason, retry_at, ready_at: task.ready_at };
  return { state: "failed", moved: { ...moved, resume_note: noteOf(attempts, ending, error, task) } };
}

/** Its holder is gone, or its work was sent back: it is handed on after a pause, unless that has no point. */
export function afterLoss(task: Task, ending: AttemptEnding, why: string, nowMs: number): Followed {
  const { attempts, setbacks, stop } = counted(task, nowMs);
  const isResume = ending !== "sent_back";
  const resumes = task.resumes + (isResume ? 1 : 0);
  const note = noteOf(attempts, ending, why, task);
  const common = { attempts, setbacks, ending, retry_at: null, resumes, resume_note: note };
  if (stop !== null)
    return {
      state: "failed",
      moved: { ...common, ready_at: task.ready_at, reason: `${why}; not resumed: ${stop}` },
    };
  if (isResume && resumes > maxResumes)
    return {
      state: "needs_input",
      moved: {
        ...common,
        ready_at: task.ready_at,
        reason: `${why}; it was resumed ${maxResumes} times already, so a person should look at it`,
      },
    };
  const ready_at = new Date(nowMs + pauseMs(attempts)).toISOString();
  return { state: "open", moved: { ...common, ready_at, reason: why } };
}

/** What the next holder is told: bounded, because it enters a context. */
function noteOf(attempt: number, ending: AttemptEnding, why: string, { progress }: Task): string {
  const last = progress === null ? "" : ` Its last progress: ${progress.slice(0, 1_000)}`;
  return `Attempt ${attempt} ended (${ending}): ${why.slice(0, 1_000)}.${last}`;
}
