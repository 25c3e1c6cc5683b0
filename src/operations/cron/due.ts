import { newId } from "../../base/ids.ts";
import type { CronJob, CronRun } from "./port/cron-job.ts";
import type { SlotClaim } from "./port/cron-store.ts";
import type { Timetable } from "./schedule/timetable.ts";
import { dueMs, iso, standingAt } from "./slots.ts";

/** Missed slots are counted up to this; finding one takes 0.2 ms, and a job may have missed millions. */
const maxCounted = 100;

/** What becomes of the slots of a job that is due: those that run, and one row for all that do not. */
export function claimOf(job: CronJob, timetable: Timetable, nowMs: number): SlotClaim {
  const from = job.next_at ?? iso(nowMs);
  const { slots, hasMore } = overdueSlots(job, timetable, Date.parse(from), nowMs);
  const newest = slots.at(-1) ?? Date.parse(from);
  const isLate = nowMs - dueMs(job, newest) > job.grace_s * 1_000;
  const running = slotsToRun(job, slots, isLate);
  const missed = slots.slice(0, slots.length - running.length);
  const rows = [
    ...missedRow(job, missed, hasMore, nowMs),
    ...running.map((slot) => rowOf(job, slot, isLate || slot !== newest ? "catch-up" : "schedule", nowMs)),
  ];
  // Slots that are caught up wait for each other: skipping them is what the misfire policy decided against.
  const isAlone = running.length === 1 && !isLate;
  const ifBusy =
    job.overlap === "skip" && isAlone
      ? ({ status: "skipped", reason: "an earlier run is under way" } as const)
      : null;
  const { next_at, due_at } = standingAt(job, timetable.next(newest));
  return {
    job_id: job.job_id,
    revision: job.revision,
    from,
    next_at,
    due_at,
    runs: rows,
    ifBusy,
    time: iso(nowMs),
  };
}

/** The slots that are due, oldest first. When they are very many, the first ones and the last. */
function overdueSlots(job: CronJob, timetable: Timetable, fromMs: number, nowMs: number) {
  const slots = [fromMs];
  for (
    let slot = timetable.next(fromMs);
    slot !== null && dueMs(job, slot) <= nowMs;
    slot = timetable.next(slot)
  ) {
    slots.push(slot);
    if (slots.length < maxCounted) continue;
    const last = timetable.last(job.misfire_cap + 1, nowMs).filter((late) => dueMs(job, late) <= nowMs);
    const newest = last.filter((late) => late > slot);
    return { slots: [...slots, ...newest], hasMore: newest.length > job.misfire_cap };
  }
  return { slots, hasMore: false };
}

/** By the misfire policy. The newest slot is none of its business as long as it is within its grace. */
function slotsToRun(
  { misfire, misfire_cap }: CronJob,
  slots: readonly number[],
  isLate: boolean,
): readonly number[] {
  switch (misfire) {
    case "skip":
      return isLate ? [] : slots.slice(-1);
    case "once":
      return slots.slice(-1);
    case "all":
      return slots.slice(isLate ? -misfire_cap : -misfire_cap - 1);
  }
}

function missedRow(job: CronJob, missed: readonly number[], hasMore: boolean, nowMs: number): CronRun[] {
  const [first] = missed;
  if (first === undefined) return [];
  const count = `${hasMore ? "at least " : ""}${missed.length} slot${missed.length === 1 ? "" : "s"}`;
  const until = missed.length === 1 ? "" : ` up to ${iso(missed.at(-1) ?? first)}`;
  const reason = `nothing ran when ${count}${until} ${missed.length === 1 ? "was" : "were"} due; misfire policy ${job.misfire}`;
  const row = rowOf(job, first, "schedule", nowMs);
  return [{ ...row, status: "missed", ended_at: iso(nowMs), reason, slot_count: missed.length }];
}

function rowOf(job: CronJob, slotMs: number, trigger: CronRun["trigger"], nowMs: number): CronRun {
  return newRun(job, {
    slot: iso(slotMs),
    trigger,
    scheduled_at: iso(slotMs),
    due_at: iso(dueMs(job, slotMs)),
    created_at: iso(nowMs),
  });
}

/** A run that is queued. */
export function newRun(
  job: Pick<CronJob, "job_id" | "name" | "task">,
  given: Pick<CronRun, "slot" | "trigger" | "scheduled_at" | "due_at" | "created_at"> & Partial<CronRun>,
): CronRun {
  return {
    run_id: newId("cr", Date.parse(given.created_at)),
    job_id: job.job_id,
    job_name: job.name,
    task: job.task,
    attempt: 1,
    status: "queued",
    owner: null,
    intent_id: null,
    started_at: null,
    ended_at: null,
    lateness_ms: null,
    exit_code: null,
    reason: null,
    output_path: null,
    slot_count: 1,
    ...given,
  };
}
