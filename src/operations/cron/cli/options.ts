import { resolve } from "node:path";
import { parseJson } from "../../../base/parse-json.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { type CommandInput, usage } from "../../../cli/command.ts";

/** Options of the command line for what a job says; what each may be is checked where the job is made. */
export const jobOptions = {
  name: "NAME  unique among all jobs",
  schedule: 'TEXT  30m, every 2h, in 30m, @daily, "0 2 * * *" or 2026-05-15T09:00Z',
  task: "KIND  custom, retention, retrain, drift_check or audit_pdf",
  config: "JSON  what the kind of task needs to know",
  tz: "ZONE  time zone of the schedule, as Europe/Berlin; default the machine's",
  overlap: "POLICY  while a run is under way: skip (default), queue or allow",
  misfire: "POLICY  slots nothing ran: skip, once (default: the last of them) or all",
  "misfire-cap": "N  with --misfire all: the last N of them; default 10",
  grace: "SECONDS  a slot no later than this is not missed; default 120",
  jitter: "SECONDS  each slot runs up to this later; default 0",
  timeout: "SECONDS  a run is ended after this; default 3600",
  retries: "N  how often a run that failed is tried again; default 0",
  backoff: "SECONDS  pause before the first retry, doubled for each further one; default 60",
  "approval-required": "true|false  every run waits until somebody has approved it; default false",
  cwd: "FOLDER  where it runs and whose hooks see it; default this one",
};

const wholeNumbers: Readonly<Record<string, string>> = {
  "misfire-cap": "misfire_cap",
  grace: "grace_s",
  jitter: "jitter_s",
  timeout: "timeout_s",
  retries: "retries",
  backoff: "backoff_s",
};

/** What was given, as the operations take it. */
export function jobSettings(command: string, { options }: Pick<CommandInput, "options">): JsonObject {
  const settings: Record<string, unknown> = {};
  for (const [option, written] of Object.entries(options)) {
    if (written === undefined) continue;
    const number = wholeNumbers[option];
    if (number !== undefined) settings[number] = wholeNumber(command, option, written);
    else if (option === "config") settings.config = parsed(command, written);
    else if (option === "approval-required") settings.approval_required = truth(command, option, written);
    else if (option === "cwd") settings.cwd = resolve(written);
    else settings[option] = written;
  }
  return settings;
}

function wholeNumber(command: string, option: string, written: string): number {
  if (/^\d{1,9}$/.test(written)) return Number(written);
  throw usage(command, `--${option} is ${JSON.stringify(written)}, expected a whole number`);
}

function truth(command: string, option: string, written: string): boolean {
  if (written === "true" || written === "false") return written === "true";
  throw usage(command, `--${option} is ${JSON.stringify(written)}, expected true or false`);
}

function parsed(command: string, written: string): unknown {
  try {
    return parseJson(written);
  } catch (error) {
    throw usage(command, `--config is not JSON: ${(error as Error).message}`);
  }
}
