import { homedir, userInfo } from "node:os";
import { adapters } from "../../adapters/index.ts";
import { oneLine } from "../../../base/show.ts";
import { suggest } from "../../../base/suggest.ts";
import type { HookConfig } from "../../../config/hook-config.ts";
import { makeClient } from "../../install/client-program.ts";
import { inspectAgent, worstFault } from "../../install/inspect-agent.ts";
import type { Folders } from "../../install/install.ts";
import type { Adapter } from "../../port/adapter.ts";
import { type AgentName, agentNames } from "../../port/agents.ts";
import type { GuardVerdict } from "../../port/guard-verdict.ts";
import type { RecordedChange } from "../../../record/port/run-event.ts";
import type { Runtime } from "../../../daemon/runtime/runtime.ts";
import { agentPrograms } from "../agents/agent-programs.ts";
import type { AgentReport } from "../check.ts";
import { startTemporaryDaemon } from "../temporary-daemon.ts";
import { type VerifyOptions, verifyAgent } from "../verify-agent.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { openLocalRuntime } from "../../../cli/home.ts";
import { clientPlace } from "../../install/cli/client-place.ts";
import { json } from "../../../cli/json.ts";
import { approveSentinel, approveSentinelIn } from "./sentinel-trust.ts";
import type { Style } from "../../../cli/style.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { table } from "../../../cli/table.ts";
import { untilSignalled } from "../../../cli/until-signalled.ts";

export const verifyCommand: Command = {
  summary: "prove that agents do as their hooks say: runs the real programs, against a model on loopback",
  positionals: ["AGENT…"],
  examples: ["swarm verify", "swarm verify claude-code", "swarm verify codex --json"],
  /** Exit code 1 when a guard that is configured does not hold for any kind of call. */
  async run({ positionals, isJson }) {
    const chosen = positionals.map(agentNamed);
    const reports = await verifyAndRecord(chosen.length === 0 ? agentNames : chosen, chosen.length === 0);
    if (reports === null) return { text: "", exitCode: 130 };
    const runtime = await openLocalRuntime();
    try {
      const isInert = reports.some((report) => report.verdict === "INERT" && isConfigured(report, runtime));
      return { text: isJson ? json(reports) : tableOf(reports), exitCode: isInert ? 1 : 0 };
    } finally {
      await runtime.close();
    }
  },
};

/** `isHereOnly`: leave out agents that are neither on this machine nor set up. Null when a signal came first. */
export async function verifyAndRecord(
  names: readonly AgentName[],
  isHereOnly: boolean,
): Promise<AgentReport[] | null> {
  const before = await lookBefore();
  const all = await untilSignalled((signal) => verifyAll(names, { ...before, signal }));
  if (all === null) return null;
  const reports = isHereOnly ? all.filter(isHere) : all;
  const runtime = await openLocalRuntime();
  try {
    for (const report of reports) await record(runtime, report);
  } finally {
    await runtime.close();
  }
  return reports;
}

/** The runtime is closed before agents run: they open the same files. */
async function lookBefore(): Promise<
  Pick<VerifyOptions, "hooksOff"> & { pluginHooks: readonly HookConfig[] }
> {
  const runtime = await openLocalRuntime();
  try {
    const pluginHooks = runtime.plugins.hooks();
    const hooksOff = runtime.projects.at().inForce.flags.hooks_enabled ? null : hooksOffAdvice;
    return { hooksOff, pluginHooks };
  } finally {
    await runtime.close();
  }
}

const hooksOffAdvice =
  "hooks are switched off: hooks_enabled is off, so no hook judges an agent's call; permission rules go on judging; " +
  "swarm flags list says who turned it off, swarm flags set hooks_enabled on turns it on";

/** What swarm doctor says of the agent's settings, the worst first. */
function knownFault(adapter: Adapter, folders: Folders, pluginHooks: readonly HookConfig[]): string | null {
  return worstFault(inspectAgent(adapter, folders, swarmHome(), pluginHooks));
}

/** One after the other: the time a hook takes is part of what is told. */
async function verifyAll(
  names: readonly AgentName[],
  {
    pluginHooks,
    ...common
  }: Pick<VerifyOptions, "hooksOff"> & { pluginHooks: readonly HookConfig[]; signal: AbortSignal },
): Promise<AgentReport[]> {
  const reports: AgentReport[] = [];
  const folders = { home: homedir(), project: process.cwd(), env: process.env };
  for (const name of names) {
    const fault = knownFault(adapters[name], folders, pluginHooks);
    const options = { ...common, ...folders, knownFault: fault, startKillable, approve: approveSentinel };
    reports.push(await verifyAgent(adapters[name], agentPrograms[name], options));
  }
  return reports;
}

async function startKillable(home: string, project: string) {
  await approveSentinelIn(home, project);
  const { node, cli } = clientPlace();
  const client = (where: string) => makeClient(clientPlace(where)).argv[0];
  return startTemporaryDaemon({ home, node, cli, env: process.env, makeClient: client });
}

function agentNamed(name: string): AgentName {
  const found = agentNames.find((agent) => agent === name);
  if (found !== undefined) return found;
  const near = suggest(name, agentNames);
  const hint = near === undefined ? `expected ${agentNames.join(" or ")}` : `did you mean ${near}?`;
  throw usage("verify", `unknown agent ${JSON.stringify(name)}, ${hint}`);
}

/** One that is neither on this machine nor told of us is nobody's worry. */
function isHere({ version, is_installed }: AgentReport): boolean {
  return version !== null || is_installed;
}

/** An agent nobody has installed us in counts as soon as there is a guard it would have to obey. */
function isConfigured({ is_installed }: AgentReport, runtime: Runtime): boolean {
  const { hooks, policy } = runtime.projects.at().config;
  return is_installed || policy.policy !== null || hooks.some(({ onFailure }) => onFailure === "deny");
}

async function record(runtime: Runtime, report: AgentReport): Promise<void> {
  const { agent, version, verdict, what_to_do, checks } = report;
  const event: RecordedChange = "guard.verified";
  const passed = checks.filter(({ result }) => result === "pass").map(({ check }) => check);
  await runtime.audit.record({
    kind: "change",
    event,
    actor: `human:${userInfo().username}`,
    agent,
    cwd: process.cwd(),
    source: "verify",
    outcome: verdict === "enforced" ? "completed" : "failed",
    reason: `${verdict}: ${agent} ${version ?? ""}, ${what_to_do ?? passed.join(", ")}`,
    before: JSON.stringify(report),
  });
}

const styles: Readonly<Record<GuardVerdict, Style>> = {
  enforced: "green",
  INERT: "red",
  "not provable": "yellow",
};

/** More of it is in --json. */
const maxAdviceChars = 200;

function tableOf(reports: readonly AgentReport[]): string {
  if (reports.length === 0) return `none of ${agentNames.join(", ")} was found on PATH\n`;
  const rows = reports.map(({ agent, version, verdict, hook_p50_ms, what_to_do }) => [
    agent,
    version ?? "-",
    { text: verdict, format: styles[verdict] },
    hook_p50_ms === null ? "-" : `${hook_p50_ms} ms`,
    oneLine(what_to_do ?? "-", maxAdviceChars),
  ]);
  const shown = table(["AGENT", "VERSION", "VERDICT", "HOOK P50", "WHAT TO DO"], rows);
  return [shown, ...reports.map(callsLine), ...reports.map(unseenLine)].join("");
}

/** `claude-code: shell enforced, write INERT (…), subagent not tried (it offers no Agent)`. */
function callsLine({ agent, calls, checks }: AgentReport): string {
  const parts = Object.entries(calls).map(([name, verdict]) => {
    const why = checks.find(({ check }) => check === name)?.evidence ?? "";
    return verdict === "enforced"
      ? `${name} enforced`
      : `${name} ${verdict} (${oneLine(why, maxAdviceChars)})`;
  });
  return parts.length === 0 ? "" : `${agent}: ${parts.join(", ")}\n`;
}

/** What one run was started with no verification of another run can see. */
function unseenLine({ agent, calls, not_seen }: AgentReport): string {
  if (not_seen.length === 0 || Object.keys(calls).length === 0) return "";
  return `${agent}: not seen here: a run with ${not_seen.join(" or ")}, which does without our hooks\n`;
}
