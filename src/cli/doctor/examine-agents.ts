import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { adapters } from "../../agents/adapters/index.ts";
import { agentProof } from "../../record/audit/agent-proof.ts";
import { ago } from "../../base/ago.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import { inspectSettings, inspectSwitches, type SettingsReport } from "../../agents/install/inspect.ts";
import type { Folders } from "../../agents/install/install.ts";
import { type UnguardedAgent, unguardedAgents } from "../../agents/install/running-agents.ts";
import type { Adapter, Scope } from "../../agents/port/adapter.ts";
import type { Store } from "../../store/port/store.ts";
import { readCodexState, stateKey } from "../../agents/verify/agents/codex-state.ts";
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
  // In the home folder the two are one.
  const isBoth = settings.file("user", folders) === settings.file("project", folders);
  const scopes: readonly Scope[] = isBoth ? ["user"] : ["user", "project"];
  const reports = scopes
    .map((scope) => ({ scope, ...inspectSettings(adapter, scope, folders, home, pluginHooks) }))
    .filter(({ isInstalled }) => isInstalled);
  if (reports.length > 0) {
    const files = reports.map(({ file }) => file);
    return [
      ...inspectSwitches(adapter, folders, files).map(({ level, fault }) => ({
        level,
        about: agent,
        finding: fault,
      })),
      ...reports.flatMap((report) => examineFile(adapter, report, folders)),
      await examineProof(agent, store),
    ];
  }
  if (!existsSync(dirname(settings.file("user", folders)))) return [];
  return [{ level: "note", about: agent, finding: `it does not call our hooks: run swarm install ${agent}` }];
}

function examineFile(
  { agent }: Adapter,
  { scope, file, entries, faults }: SettingsReport & { readonly scope: Scope },
  folders: Folders,
): Finding[] {
  const about = scope === "user" ? agent : `${agent} (project)`;
  const findings = [
    ...faults.map(({ level, fault }): Finding => ({ level, about, finding: fault })),
    ...(agent === "codex" && entries.length > 0 ? codexTrust({ scope, file, entries, about }, folders) : []),
  ];
  const isFine = findings.every(({ level }) => level === "note");
  const fine: Finding = { level: "ok", about, finding: `${entries.length} entries in ${file}` };
  return isFine ? [fine, ...findings] : findings;
}

/** What Codex's own settings say of its trust in our entries; whether it is still good only a run shows. */
function codexTrust(
  { scope, file, entries, about }: Pick<SettingsReport, "file" | "entries"> & { scope: Scope; about: string },
  folders: Folders,
): Finding[] {
  const user = join(dirname(adapters.codex.settings.file("user", folders)), "config.toml");
  const stateIn = (config: string) => readCodexState(existsSync(config) ? readFileSync(config, "utf8") : "");
  const { hooks, trustedProjects } = stateIn(user);
  const inert = (finding: string): Finding[] => [{ level: "inert", about, finding }];
  const configs = [user, join(folders.project, ".codex", "config.toml"), "/etc/codex/config.toml"];
  const off = configs.find((config) => stateIn(config).areHooksOff);
  if (off !== undefined) return inert(`hooks are off in ${off}: remove hooks = false from its features`);
  const isIn = (names: ReadonlySet<string>) =>
    [folders.project, realPath(folders.project)].some((name) => names.has(name));
  if (scope === "project" && !isIn(trustedProjects))
    return inert(
      `Codex does not trust this project, and reads none of its hooks: start codex here and trust it`,
    );
  const files = [...new Set([file, realPath(file)])];
  const stateOf = ({ place }: (typeof entries)[number]) =>
    files.map((name) => hooks.get(stateKey(name, place))).find((state) => state !== undefined);
  const untrusted = entries.filter((entry) => stateOf(entry)?.hasHash !== true).map(({ native }) => native);
  const turnedOff = entries.filter((entry) => stateOf(entry)?.isOff === true).map(({ native }) => native);
  const review = "start codex in a terminal, review the hooks it shows (or /hooks)";
  return [
    ...(untrusted.length === 0
      ? []
      : inert(
          `Codex has not been told to trust our hooks for ${untrusted.join(", ")}, and skips them: ${review} and trust them`,
        )),
    ...(turnedOff.length === 0
      ? []
      : inert(`our hooks for ${turnedOff.join(", ")} are off in Codex: ${review} and turn them on`)),
  ];
}

function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** When `swarm verify` last said something of this agent, and what. */
async function examineProof(agent: string, store: Store): Promise<Finding> {
  const proof = await agentProof(store, agent);
  const again = `run swarm verify ${agent}`;
  if (proof === null || proof.verdict === null || proof.verified_at === null)
    return { level: "note", about: agent, finding: `never verified: ${again}` };
  const { verdict, verified_at, detail, is_outdated } = proof;
  const told = `${verdict} ${ago(verified_at, Date.now())}`;
  if (is_outdated)
    return { level: "note", about: agent, finding: `${told}, and its entries have changed since: ${again}` };
  if (verdict === "enforced") return { level: "ok", about: agent, finding: told };
  return { level: verdict === "INERT" ? "inert" : "note", about: agent, finding: `${told}: ${detail ?? ""}` };
}
