import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { adapters } from "../../agents/adapters/index.ts";
import { agentProof } from "../../record/audit/agent-proof.ts";
import { ago } from "../../base/ago.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import type { SettingsReport } from "../../agents/install/inspect.ts";
import { inspectAgent } from "../../agents/install/inspect-agent.ts";
import type { Folders } from "../../agents/install/install.ts";
import { type UnguardedAgent, unguardedAgents } from "../../agents/install/running-agents.ts";
import type { Adapter, Scope } from "../../agents/port/adapter.ts";
import type { Store } from "../../store/port/store.ts";
import { codexFaults } from "./codex-faults.ts";
import type { Finding } from "./finding.ts";

/** Per agent: whether its entries are what the hooks in force need, and when that was last proven. */
export async function examineAgents(
  store: Store,
  home: string,
  pluginHooks: readonly HookConfig[],
): Promise<Finding[]> {
  const folders = { home: homedir(), project: process.cwd(), env: process.env };
  const all = Object.values<Adapter>(adapters);
  const running = unguardedAgents(all, folders.home);
  const found = await Promise.all(
    all.map((adapter) => examineAgent(adapter, folders, store, home, pluginHooks)),
  );
  return [...found.flat(), ...running.map(runningFinding)];
}

function runningFinding({ pid, agent, why }: UnguardedAgent): Finding {
  return { level: "inert", about: agent, finding: `process ${pid} ${why}; end it and start it without` };
}

async function examineAgent(
  adapter: Adapter,
  folders: Folders,
  store: Store,
  home: string,
  pluginHooks: readonly HookConfig[],
): Promise<Finding[]> {
  const { agent, settings } = adapter;
  const { reports, switches } = inspectAgent(adapter, folders, home, pluginHooks);
  if (reports.length > 0) {
    return [
      ...switches.map(({ level, fault }) => ({ level, about: agent, finding: fault })),
      ...reports.flatMap((report) => examineFile(adapter, report, folders)),
      await examineProof(agent, store),
    ];
  }
  if (!existsSync(dirname(settings.file("user", folders)))) return [];
  return [
    { level: "warning", about: agent, finding: `it does not call our hooks: run swarm install ${agent}` },
  ];
}

function examineFile(
  { agent }: Adapter,
  { scope, file, entries, faults }: SettingsReport & { readonly scope: Scope },
  folders: Folders,
): Finding[] {
  const about = scope === "user" ? agent : `${agent} (project)`;
  const findings = [
    ...faults.map(({ level, fault }): Finding => ({ level, about, finding: fault })),
    ...(agent === "codex" && entries.length > 0 ? codexFaults({ scope, file, entries }, folders) : []).map(
      (finding): Finding => ({ level: "inert", about, finding }),
    ),
  ];
  const isFine = findings.every(({ level }) => level === "note");
  const fine: Finding = { level: "ok", about, finding: `${entries.length} entries in ${file}` };
  return isFine ? [fine, ...findings] : findings;
}

/** When `swarm verify` last said something of this agent, and what. */
async function examineProof(agent: string, store: Store): Promise<Finding> {
  const proof = await agentProof(store, agent);
  const again = `run swarm verify ${agent}`;
  if (proof === null || proof.verdict === null || proof.verified_at === null)
    return { level: "warning", about: agent, finding: `never verified: ${again}` };
  const { verdict, verified_at, detail, is_outdated } = proof;
  const told = `${verdict} ${ago(verified_at, Date.now())}`;
  if (is_outdated)
    return {
      level: "warning",
      about: agent,
      finding: `${told}, and its entries have changed since: ${again}`,
    };
  if (verdict === "enforced") return { level: "ok", about: agent, finding: told };
  return {
    level: verdict === "INERT" ? "inert" : "warning",
    about: agent,
    finding: `${told}: ${detail ?? ""}`,
  };
}
