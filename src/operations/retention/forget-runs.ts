import { lstatSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { idPattern, newId } from "../../base/ids.ts";
import type { RunSpec } from "../batch/run-spec.ts";
import { removeFiles } from "../batch/runs/run-files.ts";
import type { KeptDays } from "../../config/hook-config.ts";
import { Checks } from "../drift/checks.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { BatchRun } from "../batch/port/batch-run.ts";
import type { Forgotten, RunsForgotten } from "../../store/port/retention-store.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { Store } from "../../store/port/store.ts";

export interface ForgetOptions {
  readonly home: string;
  readonly store: Store;
  readonly audit: Audit;
  readonly nowMs: number;
  readonly days: KeptDays;
  /** Removes the files of one run or check; for tests, in the place of what does. */
  readonly remove?: typeof removeWork;
}

/** How many of each kind. */
export type ForgottenCounts = Readonly<Record<keyof KeptDays, number>>;

/** Of one intent: a row of the record names them all. */
const atOnce = 100;
const dayMs = 86_400_000;
const event: RecordedChange = "runs.forgotten";
const folders = { batch: "batch", pipeline: "pipelines", drift: "drift" } as const;
const words = { batch: "batch run", pipeline: "pipeline run", drift: "drift check" } as const;

/** Another was faster, or something has come to refer to it. */
const lostCodes: ReadonlySet<string> = new Set([
  "SWARM_BATCH_RUN_LOST",
  "SWARM_PIPELINE_RUN_LOST",
  "SWARM_FILES_REMOVED",
]);

/** Work of one kind that is due. */
interface Due {
  readonly kind: keyof KeptDays;
  readonly endedBefore: string;
  readonly ids: readonly string[];
  readonly files: readonly Omit<Forgotten, "intent_id">[];
}

/**
 * Forgets what is older than it is kept, and removes its files in SWARM_HOME. An intent names what is forgotten with the rows
 * that go; whoever is killed before the files are gone leaves them on a list, and the next one removes them first. What
 * cannot be removed holds up nothing else, and is told at the end.
 */
export async function forgetRuns(options: ForgetOptions): Promise<ForgottenCounts> {
  const problems: unknown[] = [];
  await removeLeft(options, problems);
  const counts = { batch: 0, pipeline: 0, drift: 0 };
  for (const kind of ["batch", "pipeline", "drift"] as const) {
    for (;;) {
      const due = await dueOf(options, kind);
      if (due.ids.length === 0) break;
      const isForgotten = await forget(options, due, problems);
      if (isForgotten) counts[kind] += due.ids.length;
      if (due.ids.length < atOnce || !isForgotten) break;
    }
  }
  if (problems.length > 0) throw problems[0];
  return counts;
}

/** What would be forgotten, in words; at most a hundred of a kind are counted. */
export async function dueLines(options: ForgetOptions): Promise<string[]> {
  const kinds = ["batch", "pipeline", "drift"] as const;
  return Promise.all(
    kinds.map(async (kind) => {
      const { ids } = await dueOf(options, kind);
      const count = ids.length < atOnce ? String(ids.length) : `${atOnce} or more`;
      const named = ids.length === 0 ? "" : ` (${ids.slice(0, 3).join(", ")}${ids.length > 3 ? ", …" : ""})`;
      return `${count} ${words[kind]}${ids.length === 1 ? "" : "s"} over ${options.days[kind]} days old${named}`;
    }),
  );
}

async function dueOf({ home, store, nowMs, days }: ForgetOptions, kind: keyof KeptDays): Promise<Due> {
  const beforeMs = nowMs - days[kind] * dayMs;
  const endedBefore = new Date(beforeMs).toISOString();
  const whole = (id: string) => ({ kind, id, input: null });
  if (kind === "batch") {
    const runs = await store.retention.dueBatchRuns(endedBefore, atOnce);
    const files = runs.flatMap((run) => ownFiles(home, run));
    return { kind, endedBefore, ids: runs.map(({ run_id }) => run_id), files };
  }
  if (kind === "pipeline") {
    const runs = await store.retention.duePipelineRuns(endedBefore, atOnce);
    const ids = runs.map(({ run_id }) => run_id);
    return { kind, endedBefore, ids, files: ids.map(whole) };
  }
  const [named, left] = [await store.retention.namedChecks(), await store.retention.unremoved()];
  const isLeft = new Set(left.map(({ id }) => id));
  const checks = new Checks(join(home, folders.drift)).olderThan(beforeMs);
  const ids = checks.filter((id) => !named.has(id) && !isLeft.has(id)).slice(0, atOnce);
  return { kind, endedBefore, ids, files: ids.map(whole) };
}

/** The folder a run was given by us. One of the user's choosing stays as it is, and so does one with the user's input in it. */
function ownFiles(home: string, { run_id, spec }: BatchRun): Omit<Forgotten, "intent_id">[] {
  const { output, input, is_spooled } = spec as unknown as RunSpec;
  const isOurs = output === join(home, folders.batch, run_id);
  if (!isOurs || (is_spooled !== true && input.startsWith(`${output}/`))) return [];
  return [{ kind: "batch", id: run_id, input: is_spooled === true ? input : null }];
}

/** False: one of them is not to be forgotten any more, and all of them wait for the next time. */
async function forget(options: ForgetOptions, due: Due, problems: unknown[]): Promise<boolean> {
  const { audit, days } = options;
  const { kind, endedBefore, ids } = due;
  const intent_id = newId("evt");
  const files = due.files.map((file) => ({ ...file, intent_id }));
  const change: RunsForgotten = {
    kind: "runs_forgotten",
    ended_before: endedBefore,
    batch: kind === "batch" ? ids : [],
    pipeline: kind === "pipeline" ? ids : [],
    files,
  };
  const what = `${ids.length} ${words[kind]}${ids.length === 1 ? "" : "s"}`;
  const reason = `${what} from before ${endedBefore}, kept for ${days[kind]} days`;
  const before = JSON.stringify({ kind, ids, files_of: files.map(({ id }) => id) });
  const row = { id: intent_id, event, actor: "swarm", source: "retention", reason, before };
  const report = await audit.intent(row, change).catch((error: unknown) => {
    if (error instanceof SwarmError && lostCodes.has(error.code)) return null;
    throw error;
  });
  if (report === null) return false;
  const problem = await removeAll(options, files);
  if (problem === null) {
    const removed = files.length === 0 ? [] : [{ kind: "files_removed", intent_id } as const];
    await unlessDone(report({ outcome: "completed", reason }, ...removed));
  } else problems.push(problem);
  return true;
}

/** What somebody has announced and not finished. */
async function removeLeft(options: ForgetOptions, problems: unknown[]): Promise<void> {
  const left = await options.store.retention.unremoved();
  for (const intent_id of new Set(left.map((file) => file.intent_id))) {
    const files = left.filter((file) => file.intent_id === intent_id);
    const problem = await removeAll(options, files);
    if (problem !== null) {
      problems.push(problem);
      continue;
    }
    const row = { kind: "outcome", event, ref: intent_id, actor: "swarm", source: "retention" } as const;
    const reason = "files that were left were removed";
    const done = options.audit.record(
      { ...row, outcome: "completed", reason },
      { kind: "files_removed", intent_id },
    );
    await unlessDone(done);
  }
}

/** Null: they are gone. */
async function removeAll(
  { home, remove = removeWork }: ForgetOptions,
  files: readonly Forgotten[],
): Promise<SwarmError | null> {
  for (const file of files) {
    const folder = join(home, folders[file.kind], file.id);
    try {
      await remove(folder, file);
    } catch (error) {
      const problem = (error as Error).message;
      return new SwarmError("SWARM_FILES_NOT_REMOVED", { folder, problem }, { cause: error });
    }
  }
  return null;
}

/** Never what a link leads to. Of a batch run what it wrote, as `purge` does: a file somebody has put beside it stays. */
export async function removeWork(folder: string, { kind, id, input }: Omit<Forgotten, "intent_id">) {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true || !idPattern.test(id)) return;
  if (kind === "batch")
    await removeFiles({ output: folder, input: input ?? "", ...(input !== null && { is_spooled: true }) });
  else await rm(folder, { recursive: true, force: true });
}

/** Of two that remove the same files one says so. */
async function unlessDone(recorded: Promise<unknown>): Promise<void> {
  try {
    await recorded;
  } catch (error) {
    if (!(error instanceof SwarmError) || error.code !== "SWARM_FILES_REMOVED") throw error;
  }
}
