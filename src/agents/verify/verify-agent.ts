import { existsSync, readFileSync } from "node:fs";
import { SwarmError } from "../../base/errors.ts";
import { isExecutable } from "../../base/is-executable.ts";
import type { Adapter, Scope, WantedHook } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import {
  type AgentProgram,
  agentEnv,
  type ReadyAgent,
  type RealSettings,
  type UnprovableAgent,
} from "./agents/agent-program.ts";
import { type AgentReport, type Check, callVerdicts, check, verdictOf } from "./check.ts";
import { findProgram, versionOf } from "./find-program.ts";
import { hookLatency } from "./hook-call.ts";
import { checkDaemonKilled, type StartKillable } from "./killed-daemon.ts";
import { checkHeadless, checkSubagent, checkTyping } from "./run-checks.ts";
import { Workplace } from "./workplace.ts";

export interface VerifyOptions {
  /** The user's home folder, and the project whose settings count besides. */
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  /** Why no hook of any agent is called here, and what to do about it; null: they are. */
  readonly hooksOff: string | null;
  /** What the agent's settings themselves say against our hooks, and what to do about it; null: nothing. */
  readonly knownFault: string | null;
  readonly startKillable: StartKillable;
  /** Approves the hooks of the workplace, as those of any project; resolves to how to take it back. */
  readonly approve: (project: string) => Promise<() => Promise<void>>;
  /** When it is aborted, what was started is ended, what was made removed, and the promise rejected. */
  readonly signal?: AbortSignal;
}

/** What was found, without what cannot be. */
type Unseen = Omit<AgentReport, "not_seen">;

/** Runs the real agent with the hooks its settings have, and tells whether they hold. */
export async function verifyAgent(
  adapter: Adapter,
  profile: AgentProgram | UnprovableAgent,
  options: VerifyOptions,
): Promise<AgentReport> {
  const settings = readSettings(adapter, options);
  const entry = entryOf(adapter, settings);
  const not_seen = adapter.bypasses.map(({ example }) => example);
  const report = await verifyEntry(adapter, profile, settings, entry, options);
  return { ...report, not_seen };
}

async function verifyEntry(
  adapter: Adapter,
  profile: AgentProgram | UnprovableAgent,
  settings: readonly RealSettings[],
  entry: WantedHook | null | SwarmError,
  options: VerifyOptions,
): Promise<Unseen> {
  const { env, home, project, signal } = options;
  if (entry instanceof SwarmError) return unreadable(profile, entry);
  if ("unprovable" in profile) return unprovable(profile, entry !== null);
  const program = findProgram(profile, env);
  if (program === null) return unfound(profile, entry !== null);
  if (options.hooksOff !== null) return switchedOff(profile, options.hooksOff, entry !== null);
  const place = new Workplace(env.TMPDIR);
  try {
    const agent = {
      profile,
      program,
      place,
      home,
      project,
      env,
      ...(signal === undefined ? {} : { signal }),
    };
    const version = await versionOf(program, agentEnv(agent), place.bare);
    if (entry === null) return uninstalled(profile, version);
    profile.copySettings(settings, options, place, readSwitches(adapter, options));
    const objection = await objectionTo(agent, entry);
    const checks = await approvedChecks(agent, adapter, settings, entry, options);
    const verdict = verdictOf(checks);
    return {
      agent: profile.agent,
      version,
      verdict,
      calls: callVerdicts(checks),
      hook_p50_ms: isExecutable(entry.argv[0]) ? hookLatency(agent, entry.argv) : null,
      what_to_do:
        verdict === "enforced" ? null : (objection ?? options.knownFault ?? advice(profile, checks)),
      is_installed: true,
      checks,
    };
  } finally {
    place.remove();
  }
}

async function approvedChecks(
  agent: ReadyAgent,
  adapter: Adapter,
  settings: readonly RealSettings[],
  entry: WantedHook,
  { approve, startKillable }: VerifyOptions,
): Promise<Check[]> {
  const revoke = await approve(agent.place.project);
  try {
    return await runChecks(agent, adapter, settings, entry, startKillable);
  } finally {
    await revoke();
  }
}

/** One after the other: they share a workplace, and the last one changes its settings. */
async function runChecks(
  agent: ReadyAgent,
  adapter: Adapter,
  settings: readonly RealSettings[],
  entry: WantedHook,
  startKillable: StartKillable,
): Promise<Check[]> {
  const takesRewrites = adapter.events.some(
    ({ event, rewrites }) => event === "tool.before" && rewrites.includes("tool_input"),
  );
  const headless = (await checkHeadless(agent)).map((done) =>
    done.check === "rewrite" && done.result !== "fail" && !takesRewrites
      ? check("rewrite", "not_applicable", "the agent takes no rewritten input: the original is denied")
      : done,
  );
  const subagent = await checkSubagent(agent);
  const { typing } = agent.profile;
  const typed = typing === undefined ? [] : [await checkTyping(agent, typing)];
  const entryCheck = checkEntry(adapter, settings);
  const killed = await checkDaemonKilled(agent, adapter, settings, entry, startKillable);
  const isCall = ({ check: name }: Check) => name !== "allow" && name !== "rewrite";
  return [
    ...headless.filter(isCall),
    subagent,
    ...typed,
    entryCheck,
    ...headless.filter((done) => !isCall(done)),
    killed,
  ];
}

/** Without a run: calls of every tool there is cannot be tried, so an entry that is for some of them does not pass. */
function checkEntry(adapter: Adapter, settings: readonly RealSettings[]): Check {
  const natives = adapter.events.filter(({ event }) => event === "tool.before").map(({ native }) => native);
  const weak = settings
    .flatMap(({ text, file }) => adapter.settings.weakEntries(text, file))
    .find(({ native, letsCallsPass }) => letsCallsPass && natives.includes(native));
  return weak === undefined
    ? check("entry", "pass", "it is for every tool, and nothing was added to it")
    : check("entry", "fail", `our entry for ${weak.native} was changed, ${weak.why}`);
}

function readSettings({ settings }: Adapter, { home, project, env }: VerifyOptions): RealSettings[] {
  const fileOf = (scope: Scope) => settings.file(scope, { home, project, env });
  const isBoth = fileOf("user") === fileOf("project"); // in the home folder they are one
  const scopes: readonly Scope[] = isBoth ? ["user"] : ["user", "project"];
  return scopes
    .map((scope) => ({ scope, file: fileOf(scope) }))
    .filter(({ file }) => existsSync(file))
    .map((found) => ({ ...found, text: readFileSync(found.file, "utf8") }));
}

function readSwitches({ settings }: Adapter, options: VerifyOptions): Omit<RealSettings, "scope">[] {
  return settings
    .switchFiles(options)
    .filter((file) => existsSync(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
}

/** Our entry for tool calls; null when the settings have none, an error when nobody can tell. */
function entryOf(adapter: Adapter, settings: readonly RealSettings[]): WantedHook | null | SwarmError {
  const native = adapter.events.find(({ event }) => event === "tool.before")?.native;
  try {
    const installed = settings.flatMap(({ text, file }) => adapter.settings.installed(text, file));
    return installed.find((hook) => hook.native === native) ?? null;
  } catch (error) {
    if (error instanceof SwarmError) return error;
    throw error;
  }
}

async function objectionTo(agent: ReadyAgent, { argv: [client] }: WantedHook): Promise<string | null> {
  if (isExecutable(client)) return agent.profile.objection(agent, client);
  return `${client} is not there or not executable: run swarm install ${agent.profile.agent}`;
}

function advice({ agent }: AgentProgram, checks: readonly Check[]): string {
  const wrong = checks.find(({ result }) => result === "fail" || result === "not_provable");
  const again = `run swarm install ${agent}, then swarm verify ${agent} again`;
  return wrong === undefined ? again : `${wrong.check}: ${wrong.evidence}; ${again}`;
}

/** Whether we are in it nobody can tell; it counts as if we were. */
function unreadable({ agent }: UnprovableAgent | AgentProgram, { message }: SwarmError): Unseen {
  return { ...unrun(agent), what_to_do: message, is_installed: true };
}

function unprovable({ agent, unprovable: why }: UnprovableAgent, is_installed: boolean): Unseen {
  return { ...unrun(agent), what_to_do: why, is_installed };
}

function unfound({ agent, program, programVariable }: AgentProgram, is_installed: boolean): Unseen {
  const what_to_do = `${program} is not on PATH: install it, or say in ${programVariable} where it is`;
  return { ...unrun(agent), what_to_do, is_installed };
}

function switchedOff({ agent }: AgentProgram, what_to_do: string, is_installed: boolean): Unseen {
  return { ...unrun(agent), verdict: "INERT", what_to_do, is_installed };
}

function uninstalled({ agent }: AgentProgram, version: string | null): Unseen {
  const what_to_do = `its settings have no hook of ours for tool calls: run swarm install ${agent}`;
  return { ...unrun(agent), version, verdict: "INERT", what_to_do };
}

function unrun(agent: AgentName) {
  const nothing = {
    version: null,
    calls: {},
    hook_p50_ms: null,
    is_installed: false,
    checks: [],
  };
  return { agent, verdict: "not provable", ...nothing } as const;
}
