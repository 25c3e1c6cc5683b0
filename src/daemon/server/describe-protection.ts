import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { adapters } from "../../agents/adapters/index.ts";
import { inspectAgent, worstFault } from "../../agents/install/inspect-agent.ts";
import type { Folders } from "../../agents/install/install.ts";
import type { Adapter } from "../../agents/port/adapter.ts";
import { namedAgent } from "../../agents/port/agents.ts";
import { guardVerdicts } from "../../agents/port/guard-verdict.ts";
import { SwarmError } from "../../base/errors.ts";
import { codexFaults } from "../../cli/doctor/codex-faults.ts";
import { type AgentProof, agentProof } from "../../record/audit/agent-proof.ts";
import { closed } from "../rest/schemas.ts";
import { count, string, stringOrNull } from "../rest/shapes.ts";
import type { Project } from "../runtime/project.ts";
import type { Runtime } from "../runtime/runtime.ts";

const flag = { type: "boolean" } as const;

export const protectionSchema = {
  is_blocking: {
    ...flag,
    description: "Whether any rule or hook here can deny a call, or have a person asked.",
  },
  rules: { ...count, description: "Permission rules in force." },
  hooks: count,
  guards: { ...count, description: "Hooks that deny when they fail." },
  untrusted: { ...count, description: "Hooks that do not run until a person has looked at them." },
  agents: {
    type: "array",
    description: "Those that are here: they have settings, or the record knows of them.",
    items: closed({
      agent: string,
      title: string,
      is_installed: { ...flag, description: "Its settings have entries of ours." },
      is_guarded: { ...flag, description: "Its calls are judged, and something here can stop them." },
      fault: { ...stringOrNull, description: "Why its calls pass although its settings have our entries." },
      verdict: { enum: [...guardVerdicts, null] },
      verified_at: stringOrNull,
      detail: stringOrNull,
      is_outdated: { ...flag, description: "Its entries have changed since it was verified." },
      what_to_do: stringOrNull,
    }),
  },
} as const;

/** What stands between agents and this folder: rules and hooks in force, and for each agent whether it asks them. */
export async function describeProtection(runtime: Runtime, cwd: string | undefined) {
  const counts = await countInForce(runtime, cwd);
  const folders = { home: homedir(), project: cwd ?? process.cwd(), env: process.env };
  const pluginHooks = runtime.plugins.hooks();
  const look = (adapter: Adapter) =>
    describeAgent(adapter, folders, runtime, pluginHooks, counts.is_blocking);
  const agents = await Promise.all(Object.values<Adapter>(adapters).map(look));
  return { ...counts, agents: agents.filter((agent) => agent !== null) };
}

/** What of the configuration in force can stop a call. */
export function countGuards(project: Project) {
  const { config, flags, judgement } = project.inForce;
  const { policy, rules, disabled } = config.policy;
  // The switch is for hooks: permission rules go on judging.
  const isOn = flags.hooks_enabled;
  const enabled = policy === null ? [] : rules.filter(({ rule }) => !disabled.includes(rule.id));
  const running = isOn ? judgement.hooks.filter(({ runnable }) => runnable !== null) : [];
  const canDeny = running.some(({ hook }) => hook.mode !== "observe" && hook.action.kind !== "redact");
  const isDenied = isOn && judgement.denial !== null;
  return {
    is_blocking: enabled.some(({ rule }) => rule.behaviour !== "allow") || canDeny || isDenied,
    rules: enabled.length,
    hooks: config.hooks.length,
    guards: config.hooks.filter(({ onFailure }) => onFailure === "deny").length,
    untrusted: judgement.hooks.filter(({ state }) => state !== "own" && state !== "trusted").length,
  };
}

/** A file that is broken protects nothing new, and is no reason to say nothing of the agents. */
async function countInForce(
  runtime: Runtime,
  cwd: string | undefined,
): Promise<ReturnType<typeof countGuards>> {
  try {
    return countGuards(await runtime.projects.refresh(cwd));
  } catch (error) {
    if (!(error instanceof SwarmError && error.code.startsWith("SWARM_CONFIG_"))) throw error;
    // Where the files cannot be read, every call is denied.
    return { is_blocking: true, rules: 0, hooks: 0, guards: 0, untrusted: 0 };
  }
}

/** Null where there is no such agent. */
async function describeAgent(
  adapter: Adapter,
  folders: Folders,
  { home, store }: Runtime,
  pluginHooks: ReturnType<Runtime["plugins"]["hooks"]>,
  isBlocking: boolean,
) {
  const { agent } = adapter;
  const inspection = inspectAgent(adapter, folders, home, pluginHooks);
  const is_installed = inspection.reports.some(({ entries }) => entries.length > 0);
  const proof = await agentProof(store, agent);
  const isHere = existsSync(adapter.settings.home(folders));
  if (!isHere && inspection.reports.length === 0 && proof?.verdict == null) return null;
  const untrusted =
    agent === "codex" ? inspection.reports.flatMap((report) => codexFaults(report, folders)) : [];
  const fault = worstFault(inspection) ?? (is_installed ? (untrusted[0] ?? null) : null);
  const { verdict = null, verified_at = null, detail = null, is_outdated = false } = proof ?? {};
  return {
    agent,
    title: namedAgent(agent).title,
    is_installed,
    is_guarded: is_installed && fault === null && isBlocking,
    fault,
    verdict,
    verified_at,
    detail,
    is_outdated,
    what_to_do:
      fault !== null && fault === untrusted[0] ? adapter.trust : whatToDo(agent, is_installed, fault, proof),
  };
}

function whatToDo(
  agent: string,
  isInstalled: boolean,
  fault: string | null,
  proof: AgentProof | null,
): string | null {
  if (fault !== null) return fault;
  if (!isInstalled) return `swarm install ${agent}`;
  if (proof === null || proof.verdict === null || proof.is_outdated) return `swarm verify ${agent}`;
  return proof.verdict === "enforced" ? null : proof.detail;
}
