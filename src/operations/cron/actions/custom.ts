import { oneLine } from "../../../base/show.ts";
import { required, text } from "../../../engine/events/schema.ts";
import { describeEnding } from "../../../handlers/process/describe-ending.ts";
import { hookEnvironment } from "../../../handlers/process/environment.ts";
import { runProcess } from "../../../handlers/process/run-process.ts";
import { type Sandbox, sandboxLimits } from "../../../handlers/process/sandbox.ts";
import type { TaskCall, TaskKind } from "../port/task.ts";

export interface CustomOptions {
  /** What of it the program gets is an allow-list of ours. */
  readonly env: NodeJS.ProcessEnv;
  readonly sandbox: () => Sandbox;
}

/** The run's deadline aborts the signal; this is only for the day it should fail to. */
const backstopMs = 5_000;
/** Of a shell line: more is no line, and the system takes no single argument over 128 KiB. */
const maxLineChars = 32_768;

const maxShownChars = 1_000;

/** A bash line, contained like a command hook: its own process group, a clean environment, ended as a whole. */
export function customTask({ env, sandbox }: CustomOptions): TaskKind {
  return {
    doc: "Runs a bash line.",
    fields: { command: required(text("The line, run by bash in the job's folder.")) },
    check({ command }) {
      const line = String(command);
      const isLine = line.trim() !== "" && line.length <= maxLineChars && !line.includes("\0");
      const expected = `a line of at most ${maxLineChars} characters`;
      return isLine ? null : { option: "command", expected };
    },
    async plan({ command }, cwd) {
      return [`bash, in ${oneLine(cwd)}: ${oneLine(String(command), maxShownChars)}`];
    },
    async run({ command }, call) {
      const program = {
        argv: ["bash", "-c", String(command)] as const,
        cwd: call.cwd,
        env: hookEnvironment(env, variablesOf(call)),
        stdin: "",
        timeoutMs: call.timeoutMs + backstopMs,
        signal: call.signal,
        spillFolder: null,
        print: call.print,
      };
      const { ending } = await runProcess(program, sandboxLimits(sandbox()));
      return describeEnding(ending, call.timeoutMs);
    },
  };
}

function variablesOf({ job_id, run_id, name, scheduled_at, attempt }: TaskCall): Record<string, string> {
  return {
    SWARM_CRON_JOB_ID: job_id,
    SWARM_CRON_JOB: name,
    SWARM_CRON_RUN_ID: run_id,
    SWARM_CRON_SCHEDULED_AT: scheduled_at,
    SWARM_CRON_ATTEMPT: String(attempt),
  };
}
