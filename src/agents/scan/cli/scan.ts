import { writeFileSync } from "node:fs";
import { suggest } from "../../../base/suggest.ts";
import { type ScannedAgent, scannedAgents } from "../../port/agents.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { newFile } from "../../../cli/new-file.ts";
import { periodOf } from "./period.ts";

export const scanCommand: Command = {
  summary:
    "judge what agents have done on this machine: replays the tool calls of their transcripts through the starter policy",
  positionals: [],
  options: {
    since: "TIME  how far back: 12h, 30d, 8w, a date, or all; default 30d",
    agent: `NAME  only of one agent: ${scannedAgents.join(", ")}`,
    policy:
      "FILE  try this policy: what it would newly deny, ask about and let through, against what is in force",
    html: "FILE  also write a report to look at and to pass on; it must not be there yet",
  },
  flags: { all: { doc: "list every finding, not only the newest few of each kind" } },
  examples: [
    "swarm scan",
    "swarm scan --since 7d --agent claude-code",
    "swarm scan --policy policy.yaml",
    "swarm scan --since all --html report.html",
    "swarm scan --json | jq '.findings[] | select(.verdict == \"deny\")'",
  ],
  async run({ options: { since = "30d", agent, policy, html }, flags, isJson }) {
    const period = periodOf(since, Date.now());
    if (period === null) {
      throw usage("scan", `--since is ${JSON.stringify(since)}, expected 12h, 30d, 8w, a date or all`);
    }
    const agents = agent === undefined ? scannedAgents : [agentNamed(agent)];
    const page = html === undefined ? null : newFile("scan", html);
    const { runScan } = await import("./run-scan.ts");
    const report = runScan({ agents, period, policyFile: policy });
    if (page !== null) {
      const { pageOf } = await import("../html/page.ts");
      // For nobody else: what agents were told to do may be private.
      writeFileSync(page, pageOf(report), { flag: "wx", mode: 0o600 });
    }
    if (isJson) return json(report);
    const { scanText } = await import("./text.ts");
    return scanText(report, flags.has("all"), page);
  },
};

function agentNamed(name: string): ScannedAgent {
  const found = scannedAgents.find((agent) => agent === name);
  if (found !== undefined) return found;
  const near = suggest(name, scannedAgents);
  const hint = near === undefined ? `expected ${scannedAgents.join(", ")}` : `did you mean ${near}?`;
  throw usage("scan", `there are no transcripts of ${JSON.stringify(name)} to read, ${hint}`);
}
