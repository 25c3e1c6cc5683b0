import { type ErrorRow, row } from "./row.ts";

/** How a hook's program can fail. */
export const commandErrors = {
  SWARM_COMMAND_NOT_STARTED: row<{ hook: string; error: string }>({
    meaning: "A hook's program could not be started: it is missing, not executable, or its folder is.",
    remedy:
      "Correct the command, or install what it needs; `swarm hooks test` shows the same without an agent.",
    status: 500,
    exitCode: 70,
    message: ({ hook, error }) => `hook ${hook} could not be started: ${error}`,
  }),
  SWARM_COMMAND_FAILED: row<{ hook: string; exitCode: number; stderr: string }>({
    meaning: "A hook's program ended with an exit code other than 0 (answered) and 2 (denied).",
    remedy: "Fix the program; to deny, end with exit code 2 and the reason on stderr.",
    status: 500,
    exitCode: 70,
    message: ({ hook, exitCode, stderr }) =>
      `hook ${hook} ended with exit code ${exitCode}, expected 0 or 2${stderr === "" ? "" : `: ${stderr}`}`,
  }),
  SWARM_COMMAND_SIGNALLED: row<{ hook: string; signal: string; stderr: string }>({
    meaning: "A hook's program was ended by a signal.",
    remedy: "See what ended it: memory, a limit, or another process.",
    status: 500,
    exitCode: 70,
    message: ({ hook, signal, stderr }) =>
      `hook ${hook} was ended by ${signal}, expected an exit code${stderr === "" ? "" : `: ${stderr}`}`,
  }),
  SWARM_COMMAND_FLOODED: row<{ hook: string; spillPath: string | null }>({
    meaning: "A hook's program wrote more than 1 MiB to stdout.",
    remedy: "Write the answer only; the message names the file that holds what was written, if it was kept.",
    status: 500,
    exitCode: 70,
    message: ({ hook, spillPath }) =>
      `hook ${hook} wrote more than 1 MiB, expected an answer${spillPath === null ? "" : `: see ${spillPath}`}`,
  }),
  SWARM_COMMAND_ANSWER: row<{ hook: string; problem: string }>({
    meaning: "A hook's program began its answer with { but it is not JSON.",
    remedy: "Print one JSON object and nothing else, or plain text.",
    status: 500,
    exitCode: 70,
    message: ({ hook, problem }) => `hook ${hook} answered what is not JSON: ${problem}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
