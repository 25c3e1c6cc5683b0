import { report } from "./audit.ts";
import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { isWanted } from "../../../policy/trust/cli/trust-file.ts";

export const auditAcceptCommand: Command = {
  summary: "go on from the record as it is, after a backup was put back or rows were lost; that is recorded",
  positionals: [],
  flags: { yes: { short: "y", doc: "accept what is wrong with it without being asked" } },
  examples: ["swarm audit accept", "swarm audit accept --yes --json"],
  async run({ flags, isJson }) {
    return withClient(async (client) => {
      const found = await client.call("verifyAudit");
      if (!found.is_intact && !isJson) process.stderr.write(report(found));
      if (!found.is_intact && !flags.has("yes") && !(await isWanted("Go on from this?", "audit accept")))
        return "nothing was accepted\n";
      const now = await client.call("acceptAudit");
      const exitCode = now.is_intact ? 0 : 1;
      if (isJson) return { text: json(now), exitCode };
      const rest = now.is_intact ? "" : "what is listed as not intact stays so, because rows were changed\n";
      return { text: `accepted, and signed from here on\n${report(now)}${rest}`, exitCode };
    });
  },
};
