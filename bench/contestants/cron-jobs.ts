// Fills a store with jobs, one of which is due each second: `node cron-jobs.ts FILE COUNT`.

import { job } from "../../src/operations/cron/port/cron-store-harness.cases.ts";
import { append, entry } from "../../src/store/port/store-harness.cases.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

export const jobsStartMs = Date.UTC(2026, 0, 1);

/** Each has a time of its own in a cycle that has a second for every one; all of its slots are late and told of as missed. */
function jobAt(index: number, count: number) {
  const at = (ms: number): string => new Date(jobsStartMs + ms).toISOString();
  const anchorMs = (index + 1) * 1_000 - count * 1_000;
  const next = at((index + 1) * 1_000);
  return job({
    job_id: `cj_${index}`,
    name: `job ${index}`,
    schedule: `every ${count}s`,
    misfire: "skip",
    grace_s: 0,
    anchor_at: at(anchorMs),
    next_at: next,
    due_at: next,
  });
}

if (process.argv[1] === import.meta.filename) {
  const [, , file = "", written = "0"] = process.argv;
  const count = Number(written);
  const store = openSqliteStore(file);
  for (let from = 0; from < count; from += 1_000) {
    const saved = Array.from({ length: Math.min(1_000, count - from) }, (_, index) =>
      jobAt(from + index, count),
    );
    await append(
      store,
      [entry()],
      [{ kind: "cron_jobs", saved, deleted: [], time: saved[0]?.created_at ?? "" }],
    );
  }
  await store.close();
}
