import type { Command } from "../command.ts";

export const tryCommand: Command = {
  summary: "run a coding agent once with our hooks and the starter policy, and install nothing",
  positionals: ["AGENT", "ARGUMENT…"],
  flags: { keep: { doc: "keep the record of the trial, and say where it is" } },
  passesArguments: true,
  examples: [
    "swarm try claude",
    'swarm try codex exec "tidy up this folder"',
    "swarm try --keep claude -p hello",
  ],
  notes: [
    "AGENT is a program's name (claude, codex) or an agent's (claude-code). What follows it is the agent's; options of ours come before it.",
    "The hooks are given to this one run by the agent's own options. Rules and record are in a temporary SWARM_HOME, so that neither the agent's settings nor your own ~/.swarm change; hooks that are installed already are called as well.",
    "The summary goes to stderr; with --json it goes to stdout, and what the agent prints to stderr. The exit code is the agent's.",
  ],
  // Loaded when it is run: compilers, agents and the daemon are no part of any other command's start.
  run: async (input) => (await import("./run-try.ts")).runTry(input),
};
