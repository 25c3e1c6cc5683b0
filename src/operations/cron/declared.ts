import { createHash } from "node:crypto";
import { SwarmError } from "../../base/errors.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { CronJob } from "./port/cron-job.ts";
import type { CronStore } from "./port/cron-store.ts";
import type { Jobs } from "./jobs.ts";

/** A job as a configuration file declares it. */
export interface Declaration {
  readonly source: { readonly file: string; readonly line: number; readonly column: number };
  readonly settings: JsonObject & { readonly name: string };
}

export interface Declarations {
  readonly declarations: readonly Declaration[];
  /** Files that cannot be read just now. */
  readonly unreadFiles?: readonly string[];
  /** What the files declare that may not be in force. */
  readonly refused?: readonly DeclarationProblem[];
}

/** A declaration that is not in force, and why; the job stays as it was before. */
export interface DeclarationProblem {
  readonly name: string;
  readonly problem: string;
}

/**
 * Makes, changes and deletes jobs so that they are as the files declare them. A job whose declaration is the same as
 * before is left alone: it may have been paused since.
 */
export async function syncDeclared(
  jobs: Jobs,
  store: CronStore,
  { declarations, unreadFiles = [] }: Declarations,
): Promise<DeclarationProblem[]> {
  const known = new Map((await store.declaredJobs()).map((job) => [job.name, job]));
  const problems: DeclarationProblem[] = [];
  const saved: CronJob[] = [];
  const names = new Set<string>();
  for (const { source, settings } of declarations) {
    const { file, line, column } = source;
    const declared_digest = digestOf(settings);
    const { name } = settings;
    const found = known.get(name);
    known.delete(name);
    try {
      // Of two files the first has the name: a project's job cannot take the place of the user's.
      if (names.has(name)) throw new SwarmError("SWARM_CRON_NAME_TAKEN", { name });
      names.add(name);
      if (found?.declared_digest === declared_digest && found.declared_in === file) continue;
      const read = jobs.settings(settings);
      const job = found === undefined ? await jobs.made(read, "swarm") : await jobs.changed(found, read);
      if (found === undefined && (await jobs.findByName(name)) !== null)
        throw new SwarmError("SWARM_CRON_NAME_TAKEN", { name });
      saved.push({ ...job, declared_in: file, declared_digest });
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      problems.push({ name, problem: `${file}:${line}:${column}: ${error.message}` });
    }
  }
  // What a broken file declares is not known: its jobs stay as they were.
  const gone = [...known.values()].filter(({ declared_in }) => !unreadFiles.includes(declared_in ?? ""));
  const deleted = gone.map(({ job_id }) => job_id);
  if (saved.length + deleted.length > 0) {
    const reason = `${saved.length} jobs made or changed, ${deleted.length} deleted`;
    await jobs.apply({ event: "jobs.declared", reason, saved, deleted }, "swarm");
  }
  return problems;
}

function digestOf(settings: JsonObject): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}
