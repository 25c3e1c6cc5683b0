import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";
import { checkText } from "./check.ts";

export const driftListCommand: Command = {
  summary: "list the drift checks that were made, newest first",
  positionals: [],
  options: { limit: "N  at most this many, 1 to 1000; default 50" },
  examples: ["swarm drift list", "swarm drift list --limit 5 --json"],
  async run({ options: { limit }, isJson }) {
    // As written: the operation reads and checks it.
    const { items } = await withClient((client) =>
      client.call("listDriftChecks", { query: { limit } as never }),
    );
    if (isJson) return json(items);
    if (items.length === 0) return "no drift checks: make one with swarm drift check, see docs/drift.md\n";
    const rows = items.map(({ check_id, time, name, is_drift, message }) => [
      check_id,
      time,
      name,
      is_drift ? { text: "DRIFT", format: "red" as const } : "ok",
      message,
    ]);
    return table(["CHECK_ID", "TIME", "NAME", "", "FOUND"], rows);
  },
};

export const driftShowCommand: Command = {
  summary: "show one drift check: every feature with its tests, and where its report is",
  positionals: ["CHECK"],
  examples: [
    "swarm drift show dr_0mfq2k9a1c3f5e7d9b1a3c5",
    "swarm drift show cr_0mfq2k9a1c3f5e7d9b1a3c5 --json",
  ],
  async run({ positionals: [id], isJson }) {
    if (id === undefined) throw usage("drift show", "the id of a check is missing");
    const check = await withClient((client) => client.call("showDriftCheck", { params: { id } }));
    return isJson ? json(check) : checkText(check);
  },
};
