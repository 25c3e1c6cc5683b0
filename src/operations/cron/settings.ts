import { isAbsolute } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { show } from "../../base/show.ts";
import { suggest } from "../../base/suggest.ts";
import { checkConfig, checkFields, settingMisfit } from "../../engine/events/check-fields.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import { defaultsOf, settingsIn } from "../port/setting.ts";
import { type JobSettings, jobFields } from "./port/cron-job.ts";
import type { TaskKind } from "./port/task.ts";
import { parseSchedule } from "./schedule/schedule.ts";
import { checkTimeZone } from "./schedule/time-zone.ts";

export type TaskKinds = Readonly<Record<string, TaskKind>>;

const maxFolderChars = 4_096;

/** What a job says, with what was so far or is by default for all it leaves out; every value checked. */
export function readSettings(
  given: JsonObject,
  otherwise: Partial<JobSettings> & Pick<JobSettings, "tz" | "cwd">,
  kinds: TaskKinds,
): JobSettings {
  const where = typeof given.name === "string" ? `job ${show(given.name)}` : "job";
  const merged: JsonObject = { ...defaultsOf(jobFields), ...otherwise, ...withoutUndefined(given) };
  checkFields(where, jobFields, merged, settingMisfit);
  // Every field of the table is there by now, and was checked.
  const settings = settingsOf(merged as unknown as JobSettings);
  parseSchedule(settings.schedule);
  const expected = `an absolute path of at most ${maxFolderChars} characters`;
  if (!isAbsolute(settings.cwd) || settings.cwd.length > maxFolderChars)
    throw invalidOption(where, "cwd", expected, settings.cwd);
  checkTask(settings, kinds);
  return { ...settings, tz: checkTimeZone(settings.tz) };
}

/** What a job says, in the order of the table, without what became of it. */
export function settingsOf(job: JobSettings): JobSettings {
  return settingsIn(jobFields, job);
}

function checkTask({ task, config, cwd }: JobSettings, kinds: TaskKinds): void {
  const kind = Object.hasOwn(kinds, task) ? kinds[task] : undefined;
  if (kind === undefined) {
    const known = Object.keys(kinds);
    throw new SwarmError("SWARM_CRON_TASK_UNKNOWN", { task, known, suggestion: suggest(task, known) });
  }
  checkConfig(`config of task ${task}`, kind, config, cwd);
}

function withoutUndefined(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
