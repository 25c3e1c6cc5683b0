import { periodOf } from "../../agents/scan/cli/period.ts";
import { loadUserConfig } from "../../config/load.ts";
import { planPolicy } from "../../policy/rules/cli/plan-policy.ts";
import { daemonHealth } from "../client.ts";
import { startDetached } from "../detach.ts";
import { removeStopMark } from "../stop-mark.ts";
import type { FoundAgent } from "./find-agents.ts";
import { installInto } from "./install-step.ts";
import { requirePerson } from "./person-step.ts";
import { policyStep } from "./policy-step.ts";
import { startService } from "./service-step.ts";
import { type Step, tilde } from "./step.ts";

export interface Choices {
  /** Keep the daemon as a service of the user's. */
  readonly isService: boolean;
  /** Approvals take a person's passphrase. */
  readonly isPerson: boolean;
}

/** What `swarm init` does, in this order; steps that have nothing to do are left out. */
export function stepsOf(
  home: string,
  agents: readonly FoundAgent[],
  { isService, isPerson }: Choices,
): Step[] {
  const provable = agents.filter(({ isOnPath }) => isOnPath);
  return [
    scanStep,
    ...(planPolicy(home, "starter") === null ? [] : [policyStep(home)]),
    ...agents.map((agent): Step => {
      const { adapter, file } = agent;
      return {
        name: adapter.agent,
        plan: `adds our hooks to ${tilde(file)}; your own stay, a copy is kept`,
        run: () => installInto(agent, home),
      };
    }),
    isService ? { name: "service", plan: serviceText, run: startService } : daemonStep(home),
    ...(isPerson ? [{ name: "approvals", plan: personText, run: () => requirePerson(home) }] : []),
    ...(provable.length === 0 ? [] : [verifyStep(provable)]),
  ];
}

export const serviceText =
  "writes a systemd user unit and starts the daemon by it, now and after every login";
export const personText = "asks you for a new passphrase; approvals then take it, and no agent has it";

const scanStep: Step = {
  name: "scan",
  plan: "reads what your agents did in the last 30 days; changes nothing",
  async run() {
    const { runScan } = await import("../../agents/scan/cli/run-scan.ts");
    const { scannedAgents } = await import("../../agents/port/agents.ts");
    const period = periodOf("30d", Date.now()) ?? { sinceMs: null, words: "" };
    const { calls, summary, counts } = runScan({ agents: scannedAgents, period, policyFile: undefined });
    if (calls === 0) return "no tool call of any agent in 30 days";
    const stopped = counts.deny + counts.ask;
    return stopped === 0 ? summary : `${summary}; swarm scan lists them`;
  },
};

function daemonStep(home: string): Step {
  return {
    name: "daemon",
    plan: "starts it in the background, on this machine's loopback only; swarm stop ends it",
    async run() {
      const before = await daemonHealth();
      removeStopMark(home);
      const { address, pid } = before ?? (await startDetached(["--auto"]));
      return `${before === null ? "started" : "runs already"}, process ${pid}, ${address}`;
    },
  };
}

function verifyStep(agents: readonly FoundAgent[]): Step {
  const titles = agents.map(({ adapter }) => adapter.title).join(", ");
  return {
    name: "verify",
    plan: `runs ${titles} against a model on this machine, up to a minute each; nothing leaves it`,
    async run() {
      const { verifyAndRecord } = await import("../../agents/verify/cli/verify.ts");
      const names = agents.map(({ adapter }) => adapter.agent);
      const reports = await verifyAndRecord(names, false);
      if (reports === null) return "stopped: swarm verify does it later";
      return reports.map(({ agent, version, verdict }) => `${agent} ${version ?? ""} ${verdict}`).join(", ");
    },
  };
}

/** Whether approvals take a person's key already. */
export function isPersonRequired(home: string): boolean {
  return loadUserConfig({ home, env: process.env }).approvals.require === "person";
}
