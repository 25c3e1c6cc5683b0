import type { CronStore } from "./port/cron-store.ts";
import { iso, standingAt, timetableOf } from "./slots.ts";

const pageSize = 500;

/**
 * Has every job stand at its next slot from now. A clock that was wrong for a while, by hours or by years, has taken them
 * past slots that are to come again. None runs twice: what was claimed stays so.
 */
export async function reseat(store: CronStore, nowMs: number): Promise<void> {
  for (let page = await store.listJobs({ limit: pageSize }); page.length > 0; ) {
    for (const job of page) {
      if (job.next_at === null || Date.parse(job.next_at) <= nowMs) continue;
      const { next_at, due_at } = standingAt(job, (await timetableOf(job)).next(nowMs));
      if (next_at === null || next_at >= job.next_at) continue;
      const { job_id, revision, next_at: from } = job;
      await store.claim({
        job_id,
        revision,
        from,
        next_at,
        due_at,
        runs: [],
        ifBusy: null,
        time: iso(nowMs),
      });
    }
    page = await store.listJobs({ limit: pageSize, beforeSeq: page.at(-1)?.seq ?? 0 });
  }
}
