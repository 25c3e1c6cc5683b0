import { createHash } from "node:crypto";
import type { CronJob, JobSettings } from "./port/cron-job.ts";
import { firstSlot, openTimetable, type Timetable } from "./schedule/timetable.ts";

/** Where a job stands: its next slot, and when that is due. */
export interface Standing {
  readonly next_at: string | null;
  readonly due_at: string | null;
}

const nowhere: Standing = { next_at: null, due_at: null };

export function timetableOf({ schedule, tz, anchor_at }: CronJob): Promise<Timetable> {
  return openTimetable({ schedule, tz, anchorMs: Date.parse(anchor_at) });
}

/** Where a job stands that is made or changed now. One that would never run is refused, also while it is paused. */
export async function standingFrom(
  job: JobSettings & { readonly job_id: string; readonly anchor_at: string },
  nowMs: number,
): Promise<Standing> {
  const { schedule, tz, enabled, anchor_at } = job;
  const next = await firstSlot({ schedule, tz, anchorMs: Date.parse(anchor_at) }, nowMs);
  return enabled ? standingAt(job, next) : nowhere;
}

export function standingAt(
  job: { readonly job_id: string; readonly jitter_s: number },
  slotMs: number | null,
): Standing {
  if (slotMs === null) return nowhere;
  return { next_at: iso(slotMs), due_at: iso(dueMs(job, slotMs)) };
}

/** A slot's jitter is its own: whoever asks, whenever, gets the same. */
export function dueMs(
  { job_id, jitter_s }: { readonly job_id: string; readonly jitter_s: number },
  slotMs: number,
): number {
  if (jitter_s === 0) return slotMs;
  const digest = createHash("sha256").update(`${job_id} ${slotMs}`).digest();
  return slotMs + Math.floor((digest.readUInt32BE(0) / 2 ** 32) * jitter_s * 1_000);
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
