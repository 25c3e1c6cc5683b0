import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What files say that has no meaning. */
export const configErrors = {
  SWARM_CONFIG_INVALID: row<{ file: string; line: number; column: number; problem: string }>({
    meaning: "A configuration file says something that has no meaning. Nothing of it is used.",
    remedy: "Correct the place the message names; schema/generated/swarm.schema.json helps editors to.",
    status: 400,
    exitCode: 65,
    message: ({ file, line, column, problem }) => `${oneLine(file, 300)}:${line}:${column}: ${problem}`,
  }),
  SWARM_CONFIG_UNREADABLE: row<{ file: string; problem: string }>({
    meaning: "A configuration file is there but cannot be read, so its guards could not be known.",
    remedy: "Make it a readable text file of at most 1 MiB, or remove it.",
    status: 400,
    exitCode: 65,
    message: ({ file, problem }) => `${oneLine(file, 300)}: ${problem}`,
  }),
  SWARM_CONFIG_OUTSIDE: row<{ file: string }>({
    meaning:
      "A project's configuration names a file, or is a link to one, that is not in the project. It was not read.",
    remedy:
      "Put the file into the project, or let the user's config.yaml use it: that one may link and use files anywhere.",
    status: 400,
    exitCode: 65,
    message: ({ file }) => `${oneLine(file, 300)}: leads out of the project, expected a file in it`,
  }),
  SWARM_EXCEPTION_REFUSED: row<{ problem: string }>({
    meaning: "An exception from a rule was asked for and is not made.",
    remedy:
      "Run `swarm check '…'` to see which rule refuses the call; exceptions can also be written into config.yaml under policy_exceptions.",
    status: 409,
    exitCode: 65,
    message: ({ problem }) => `no exception was made: ${problem}`,
  }),
  SWARM_CONFIG_VARIABLE: row<{
    file: string;
    line: number;
    column: number;
    key: string;
    variable: string;
    problem: string;
  }>({
    meaning: "A configuration file uses an environment variable that is not set or that it may not read.",
    remedy: "Set the variable, and list it under env.allow in the config.yaml of SWARM_HOME.",
    status: 400,
    exitCode: 65,
    message: ({ file, line, column, key, variable, problem }) =>
      `${oneLine(file, 300)}:${line}:${column}: ${key} uses the variable ${show(variable)}, ${problem}`,
  }),
  SWARM_SETTINGS_INVALID: row<{ file: string; line: number; column: number; problem: string }>({
    meaning: "An agent's settings file is not what the agent could read, so nothing is changed in it.",
    remedy: "Correct the place the message names, then install again.",
    status: 400,
    exitCode: 65,
    message: ({ file, line, column, problem }) => `${oneLine(file, 300)}:${line}:${column}: ${problem}`,
  }),
  SWARM_TRIAL_REFUSED: row<{ agent: string; problem: string }>({
    meaning: "An agent cannot be given hooks for one run only, or is not on PATH. Nothing was started.",
    remedy: "Install the hooks with `swarm install`; `swarm uninstall` puts its settings back to the byte.",
    status: 400,
    exitCode: 65,
    message: ({ agent, problem }) =>
      `${agent} cannot be tried without installing: ${oneLine(problem, 200)}; swarm install ${agent}, then swarm uninstall ${agent}`,
  }),
  SWARM_SETTINGS_CHANGED: row<{ file: string }>({
    meaning:
      "A file has changed between the look at it and the moment it was to be written. Nothing was written.",
    remedy: "Run the command again; it looks at the file as it is now.",
    status: 503,
    exitCode: 75,
    message: ({ file }) =>
      `${oneLine(file, 300)} has changed meanwhile, so nothing was written: run the command again`,
  }),
  SWARM_SETTINGS_UNUSABLE: row<{ file: string; problem: string }>({
    meaning: "A settings file cannot be read or written. Files that were written before it are as they were.",
    remedy: "See to its rights, its folder and the disk, then run the command again.",
    status: 500,
    exitCode: 75,
    message: ({ file, problem }) => `${oneLine(file, 300)} cannot be used: ${problem}`,
  }),
  SWARM_INSTALL_BUSY: row<{ file: string }>({
    meaning: "Another process is changing agents' settings just now.",
    remedy: "Run the command again.",
    status: 503,
    exitCode: 75,
    message: ({ file }) => `another process is changing agents' settings (${oneLine(file, 300)}): try again`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
