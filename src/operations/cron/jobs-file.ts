import { SwarmError } from "../../base/errors.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import { type CronJob, jobFields, type StoredJob } from "./port/cron-job.ts";
import type { CronStore } from "./port/cron-store.ts";
import type { Jobs } from "./jobs.ts";
import { settingsOf } from "./settings.ts";
import { iso } from "./slots.ts";

/** What is told of a job beside what it says; of these only the first two count when it is read. */
const extraKeys = ["job_id", "anchor_at", "created_at", "declared_in"] as const;

const pageSize = 500;

/** `jobs.json` as text, page by page: with 100,000 jobs it is 60 MB, and nobody should wait for it as a whole. */
export async function* jobsFileText(store: CronStore): AsyncGenerator<string> {
  yield '{\n  "jobs": [';
  let separator = "";
  for (let page = await store.listJobs({ limit: pageSize }); page.length > 0; ) {
    yield page
      .map((job, at) => `${at === 0 ? separator : ","}\n    ${JSON.stringify(jobEntry(job))}`)
      .join("");
    separator = ",";
    page = await store.listJobs({ limit: pageSize, beforeSeq: page.at(-1)?.seq ?? 0 });
  }
  yield "\n  ]\n}\n";
}

export function jobEntry(job: StoredJob): JsonObject {
  const extras = extraKeys.map((key) => [key, job[key]]);
  return { job_id: job.job_id, ...settingsOf(job), ...Object.fromEntries(extras) };
}

export interface ImportReport {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  /** Declared in a configuration file here, which alone says what they are. */
  readonly declared: readonly string[];
}

/** Makes and changes jobs, by name, as a `jobs.json` says: all of them, or none when one is wrong. Nothing is deleted. */
export async function importJobs(
  jobs: Jobs,
  given: unknown,
  actor: string,
  nowMs: number,
): Promise<ImportReport> {
  const entries = entriesOf(given);
  const report = {
    created: [] as string[],
    changed: [] as string[],
    unchanged: [] as string[],
    declared: [] as string[],
  };
  const saved: CronJob[] = [];
  const names = new Set<string>();
  for (const [at, entry] of entries.entries()) {
    try {
      const settings = jobs.settings(entry.settings);
      const { name } = settings;
      if (names.has(name)) throw new SwarmError("SWARM_CRON_NAME_TAKEN", { name });
      names.add(name);
      const found = await jobs.findByName(name);
      if (found === null) {
        saved.push(await jobs.made(settings, actor, { anchor_at: iso(nowMs), ...entry.kept }));
        report.created.push(name);
      } else if (found.declared_in !== null) report.declared.push(name);
      else if (JSON.stringify(settingsOf(found)) === JSON.stringify(settings)) report.unchanged.push(name);
      else {
        saved.push(await jobs.changed(found, settings));
        report.changed.push(name);
      }
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      throw new SwarmError(
        "SWARM_CRON_FILE_INVALID",
        { at: at + 1, problem: error.message },
        { cause: error },
      );
    }
  }
  if (saved.length === 0) return report;
  const reason = `${report.created.length} jobs made, ${report.changed.length} changed`;
  await jobs.apply({ event: "jobs.imported", reason, saved, after: saved.map(settingsOf) }, actor);
  return report;
}

interface FileEntry {
  readonly settings: JsonObject;
  readonly kept: { readonly job_id?: string; readonly anchor_at?: string };
}

function entriesOf(given: unknown): FileEntry[] {
  const list = Array.isArray(given) ? given : (given as { jobs?: unknown } | null)?.jobs;
  if (!Array.isArray(list)) throw misfit(0, 'it has no list of jobs, expected {"jobs": […]}');
  return list.map((item: unknown, at) => {
    if (typeof item !== "object" || item === null || Array.isArray(item))
      throw misfit(at + 1, "it is no object");
    const { job_id, anchor_at } = item as JsonObject;
    const isExtra = (key: string) =>
      !Object.hasOwn(jobFields, key) && (extraKeys as readonly string[]).includes(key);
    const settings = Object.fromEntries(Object.entries(item).filter(([key]) => !isExtra(key)));
    const isTime = typeof anchor_at === "string" && !Number.isNaN(Date.parse(anchor_at));
    return {
      settings,
      kept: {
        ...(typeof job_id === "string" && { job_id }),
        ...(isTime && { anchor_at: iso(Date.parse(anchor_at)) }),
      },
    };
  });
}

function misfit(at: number, problem: string): SwarmError {
  return new SwarmError("SWARM_CRON_FILE_INVALID", { at, problem });
}
