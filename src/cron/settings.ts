import { isAbsolute } from "node:path";
import { SwarmError } from "../base/errors.ts";
import { show } from "../base/show.ts";
import { suggest } from "../base/suggest.ts";
import { type JsonObject, misfit } from "../events/schema.ts";
import { type JobKey, type JobSettings, jobKeys } from "../ports/cron-job.ts";
import type { TaskKind } from "../ports/task.ts";
import { parseSchedule } from "./schedule/schedule.ts";
import { checkTimeZone } from "./schedule/time-zone.ts";

export type TaskKinds = Readonly<Record<string, TaskKind>>;

/** What a job is unless it says otherwise. */
const defaults = {
  config: {},
  enabled: true,
  overlap: "skip",
  misfire: "once",
  misfire_cap: 10,
  grace_s: 120,
  jitter_s: 0,
  timeout_s: 3_600,
  retries: 0,
  backoff_s: 60,
  approval_required: false,
} as const satisfies Partial<JobSettings>;

/** A larger configuration belongs in a file whose path it names. */
const maxConfigChars = 65_536;
const maxFolderChars = 4_096;

/** What a job says, with what was so far or is by default for all it leaves out; every value checked. */
export function readSettings(
  given: JsonObject,
  otherwise: Partial<JobSettings> & Pick<JobSettings, "tz" | "cwd">,
  kinds: TaskKinds,
): JobSettings {
  const where = typeof given.name === "string" ? `job ${show(given.name)}` : "job";
  for (const option of Object.keys(given)) {
    if (Object.hasOwn(jobKeys, option)) continue;
    throw new SwarmError("SWARM_OPTION_UNKNOWN", {
      where,
      option,
      suggestion: suggest(option, Object.keys(jobKeys)),
    });
  }
  const merged: JsonObject = { ...defaults, ...otherwise, ...withoutUndefined(given) };
  for (const [option, key] of Object.entries(jobKeys)) checkValue(where, option, key, merged[option]);
  // Every key of the table was checked to be there and of its type.
  const settings = settingsOf(merged as unknown as JobSettings);
  parseSchedule(settings.schedule);
  const expected = `an absolute path of at most ${maxFolderChars} characters`;
  if (!isAbsolute(settings.cwd) || settings.cwd.length > maxFolderChars)
    throw invalid(where, "cwd", expected, settings.cwd);
  checkConfig(settings, kinds);
  return { ...settings, tz: checkTimeZone(settings.tz) };
}

/** What a job says, in the order of the table, without what became of it. */
export function settingsOf(job: JobSettings): JobSettings {
  const entries = Object.keys(jobKeys).map((key) => [key, job[key as keyof JobSettings]]);
  return Object.fromEntries(entries) as unknown as JobSettings;
}

function checkValue(where: string, option: string, key: JobKey, value: unknown): void {
  const { type, values, pattern, expected, min = -Infinity, max = Infinity } = key;
  const refuse = (words: string) => invalid(where, option, expected ?? words, value);
  switch (type) {
    case "text":
      if (typeof value !== "string" || value === "" || value.includes("\0") || !value.isWellFormed())
        throw refuse("a text");
      if (values?.includes(value) === false) throw refuse(values.join(", "));
      if (pattern?.test(value) === false) throw refuse("another text");
      return;
    case "integer":
      if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > max)
        throw refuse(`a whole number from ${min} to ${max}`);
      return;
    case "boolean":
      if (typeof value !== "boolean") throw refuse("true or false");
      return;
    case "object":
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("an object");
  }
}

function checkConfig({ task, config, cwd }: JobSettings, kinds: TaskKinds): void {
  const kind = Object.hasOwn(kinds, task) ? kinds[task] : undefined;
  if (kind === undefined) {
    const known = Object.keys(kinds);
    throw new SwarmError("SWARM_TASK_UNKNOWN", { task, known, suggestion: suggest(task, known) });
  }
  const where = `config of task ${task}`;
  for (const [option, value] of Object.entries(config)) {
    const field = Object.hasOwn(kind.fields, option) ? kind.fields[option] : undefined;
    if (field === undefined) {
      const suggestion = suggest(option, Object.keys(kind.fields));
      throw new SwarmError("SWARM_OPTION_UNKNOWN", { where, option, suggestion });
    }
    const expected = misfit(field, value);
    if (expected !== null) throw invalid(where, option, expected, value);
  }
  for (const [option, field] of Object.entries(kind.fields)) {
    if (field.isRequired && config[option] === undefined) throw invalid(where, option, field.doc, undefined);
  }
  const text = JSON.stringify(config);
  if (text.length > maxConfigChars || !text.isWellFormed())
    throw invalid(where, "config", `at most ${maxConfigChars} characters of JSON`, config);
  const problem = kind.check?.(config, cwd) ?? null;
  if (problem !== null) throw invalid(where, problem.option, problem.expected, config[problem.option]);
}

function withoutUndefined(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function invalid(where: string, option: string, expected: string, value: unknown): SwarmError {
  return new SwarmError("SWARM_OPTION_INVALID", { where, option, expected, value });
}
