import type { Command } from "../command.ts";

export const initCommand: Command = {
  summary: "guard the coding agents of this machine: policy, hooks, daemon and proof, each step shown first",
  positionals: [],
  flags: {
    yes: { short: "y", doc: "do not ask; leaves out the service and the passphrase for approvals" },
    "dry-run": { doc: "show what each step would change, and change nothing" },
  },
  examples: ["swarm init", "swarm init --dry-run", "swarm init --yes"],
  notes: [
    "Exit code 0: every agent that was found is guarded. 1: one of them is not, and the last screen says why.",
  ],
  // Loaded when it is run: it is made of half of all other commands.
  run: async (input) => (await import("./run-init.ts")).runInit(input),
};
