import { existsSync } from "node:fs";
import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { oneLine } from "../../base/show.ts";
import { jobHook } from "../../policy/trust/job-hook.ts";
import { namedFiles } from "../../policy/trust/named-files.ts";
import type { DeniedNow } from "../port/may-run.ts";
import type { JobSettings } from "./port/cron-job.ts";
import type { TaskKinds } from "./settings.ts";
import { iso } from "./slots.ts";

export interface CheckJobOptions {
  readonly kinds: TaskKinds;
  readonly deniedNow: DeniedNow;
}

/**
 * What would keep a run from being done if it began now: a folder or file that is not there, a baseline or pipeline that
 * does not exist, rules that deny it. None of it refuses the job: all may be there by the time it is due.
 */
export async function checkJob(
  settings: JobSettings,
  nowMs: number,
  { kinds, deniedNow }: CheckJobOptions,
): Promise<string[]> {
  const { cwd, task, config } = settings;
  if (!existsSync(cwd)) return [`its folder ${oneLine(cwd)} is not there`];
  try {
    await kinds[task]?.plan?.(config, cwd);
    const denial = await deniedNow(requestOf(settings, nowMs));
    return [...missingFiles(settings), ...(denial === null ? [] : [`a run would be ${denial}`])];
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return [...missingFiles(settings), error.message];
  }
}

/** Programs and scripts a shell line names by their path. */
function missingFiles(settings: JobSettings): string[] {
  const source = { file: join(settings.cwd, "job"), line: 1, column: 1 };
  const hook = jobHook({ source, settings: { ...settings } });
  if (hook.action.kind !== "command") return [];
  return namedFiles(hook, hook.action)
    .files.filter(({ isCode, path }) => isCode && !existsSync(path))
    .map(({ path }) => `${oneLine(path)} is not there`);
}

/** As `cron.fired` will be, for rules: no hook is asked, as hooks may have effects. */
function requestOf({ name, task, config, cwd, schedule }: JobSettings, nowMs: number) {
  const data = { name, task, config, schedule, scheduled_at: iso(nowMs), attempt: 1, trigger: "schedule" };
  return { event: "cron.fired", data, origin: { source: "cron", cwd } } as const;
}
