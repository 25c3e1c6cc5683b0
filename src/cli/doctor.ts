import { isIP } from "node:net";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { SwarmError } from "../base/errors.ts";
import { isExecutable } from "../base/is-executable.ts";
import { oneLine } from "../base/show.ts";
import type { HookConfig, ServerConfig, ShellSettings } from "../config/hook-config.ts";
import { hookWarnings } from "../config/hook-warnings.ts";
import { readAllowed, whyRefused } from "../net/address.ts";
import { hostOf } from "../net/check-url.ts";
import { countText } from "../operations/webhooks/port/outbox-store.ts";
import { refusalOf } from "../policy/plugins/vet-command.ts";
import type { Runtime } from "../daemon/runtime/runtime.ts";
import { inertReason, type TrustState } from "../policy/trust/judge.ts";
import { daemonHealth } from "./client.ts";
import type { Command } from "./command.ts";
import { wrapToScreen } from "./definitions.ts";
import { examineApprovers } from "./doctor/examine-approvers.ts";
import { examineCron } from "./doctor/examine-cron.ts";
import type { Finding } from "./doctor/finding.ts";
import { openLocalRuntime } from "./home.ts";
import { json } from "./json.ts";
import { style } from "./style.ts";

const colours = { broken: "red", inert: "red", warning: "yellow", note: "cyan", ok: "green" } as const;

export const doctorCommand: Command = {
  summary:
    "tell what is broken or inert, with exit code 1 when anything is: hooks that cannot run or always fail, agents that do not call them",
  positionals: [],
  flags: { servers: { doc: "also start or call the MCP servers of your own file, and list their tools" } },
  examples: ["swarm doctor", "swarm doctor --servers", "swarm doctor --json"],
  /** Exit code 1 when anything is broken or inert. */
  async run({ isJson, flags }) {
    const findings = await examine(flags.has("servers"));
    const isFaulty = findings.some(({ level }) => level === "broken" || level === "inert");
    const lines = findings.map(
      ({ level, about, finding }) =>
        `${style(colours[level], level.padEnd(7))}  ${wrapToScreen(oneLine(`${about}: ${finding}`), 9).join(`\n${" ".repeat(9)}`)}\n`,
    );
    return { text: isJson ? json(findings) : lines.join(""), exitCode: isFaulty ? 1 : 0 };
  },
};

/** The worst first: a guard that does not work looks exactly like one that has nothing to say. */
async function examine(isTryingServers: boolean): Promise<Finding[]> {
  const findings = await examineRuntime(isTryingServers);
  const order = ["broken", "inert", "warning", "note", "ok"];
  return [...findings, ...tools()].toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

async function examineRuntime(isTryingServers: boolean): Promise<Finding[]> {
  let runtime: Runtime | null = null;
  try {
    runtime = await openLocalRuntime();
    // Loaded here alone: agents' settings are no part of any other command's start.
    const { examineAgents } = await import("./doctor/examine-agents.ts");
    const agents = await examineAgents(runtime.store, runtime.home, runtime.plugins.hooks());
    return [...(await examineProject(runtime, isTryingServers).catch(brokenConfiguration)), ...agents];
  } catch (error) {
    return brokenConfiguration(error);
  } finally {
    await runtime?.close();
  }
}

function brokenConfiguration(error: unknown): Finding[] {
  if (!(error instanceof SwarmError)) throw error;
  return [{ level: "broken", about: "configuration", finding: error.message }];
}

async function examineProject(runtime: Runtime, isTryingServers: boolean): Promise<Finding[]> {
  const project = runtime.projects.at();
  const { config } = project;
  const { judgement, flags } = project.inForce;
  const plugins = { ...config.plugins, isShellEnabled: flags.plugin_shell_hooks_enabled };
  const { denial } = judgement;
  const { namespaceProblem } = await import("../daemon/runtime/namespace-problem.ts");
  const { examineMatchers } = await import("./doctor/examine-matchers.ts");
  const { examineRedact } = await import("./doctor/examine-redact.ts");
  const broken = (await runtime.plugins.list()).flatMap(({ name, problem }): Finding[] =>
    problem === null ? [] : [{ level: "broken", about: `plugin ${name}`, finding: problem }],
  );
  const files = config.files.length === 0 ? "no file found" : config.files.join(", ");
  return [
    {
      level: flags.hooks_enabled ? "ok" : "inert",
      about: "configuration",
      finding: `${config.hooks.length} hooks${flags.hooks_enabled ? "" : " that nobody calls: hooks_enabled is off, see swarm flags list"}, ${files}`,
    },
    ...broken,
    ...config.skipped
      .filter(({ reason }) => broken.every(({ finding }) => finding !== reason))
      .map(({ nativeEvent, reason }): Finding => ({ level: "note", about: nativeEvent, finding: reason })),
    ...(await Promise.all(
      config.hooks.map((hook) => examineHook(runtime, hook, project.trustOf(hook.id), plugins)),
    )),
    ...config.hooks.flatMap((hook) =>
      hookWarnings(hook).map((finding): Finding => ({ level: "note", about: hook.name, finding })),
    ),
    ...examineMatchers(config.hooks, runtime.home),
    ...examineRedact(config.hooks, runtime.home),
    ...(await Promise.all(config.servers.map((server) => examineServer(runtime, server, isTryingServers)))),
    ...(denial === null ? [] : [{ level: "broken", about: "trust", finding: denial } as const]),
    ...(await examineRecord(runtime)),
    ...(await examineApprovers(runtime)),
    ...(await examineCron(runtime)),
    ...(await examineDaemon(runtime)),
    examineSandbox(config.sandbox, namespaceProblem()),
  ];
}

async function examineHook(
  runtime: Runtime,
  hook: HookConfig,
  trust: TrustState,
  settings: ShellSettings,
): Promise<Finding> {
  const { name: about, id } = hook;
  const problem = whyNeverRun(hook) ?? refusalOf(hook, settings);
  if (problem !== null) return { level: "broken", about, finding: problem };
  if (!runtime.switches.isEnabled(id))
    return { level: "inert", about, finding: "disabled by swarm hooks disable" };
  if (trust !== "own" && trust !== "trusted") return { level: "inert", about, finding: inertReason(trust) };
  const { calls, failures, last_status, last_reason } = await runtime.store.hookTotals(id);
  if (calls === 0) return { level: "note", about, finding: "never fired, as far as the record goes" };
  if (failures === calls)
    return { level: "broken", about, finding: `failed ${failures} of ${calls} times: ${last_reason}` };
  return { level: "ok", about, finding: `${calls} runs, ${failures} failed, last ${last_status}` };
}

/** What can be told without a run: a program that is not there, an address that is refused. */
function whyNeverRun({ action, source, plugin }: HookConfig): string | null {
  switch (action.kind) {
    case "function":
    case "redact":
    case "mcp_tool":
      return null;
    case "webhook":
      return addressProblem(action, "hook");
    case "http":
      return addressProblem(action, "hook");
    default: {
      // A plugin's is looked for elsewhere.
      const program = plugin === null ? action.argv?.[0] : undefined;
      const isMissing = program !== undefined && !isRunnable(program, dirname(source.file));
      return isMissing ? `no program ${program}` : null;
    }
  }
}

/** Of an address that is written as a number; what a name stands for is known when it is connected to. */
function addressProblem(
  { url, allowPrivate }: { readonly url: string; readonly allowPrivate: readonly string[] },
  whose: string,
): string | null {
  const host = hostOf(new URL(url));
  const allowed = allowPrivate.flatMap((written) => readAllowed(written) ?? []);
  const why = isIP(host) === 0 ? null : whyRefused(host, allowed);
  return why === null ? null : `${host} is refused (${why}): list it under allow_private of the ${whose}`;
}

/** Looking starts no program; a project's server is not started even when asked, because nobody has approved it. */
async function examineServer(
  runtime: Runtime,
  server: ServerConfig,
  isTryingServers: boolean,
): Promise<Finding> {
  const { name, transport, isUsers, source } = server;
  const about = `MCP server ${name}`;
  const problem =
    transport.kind === "http"
      ? addressProblem(transport, "server")
      : isRunnable(transport.argv[0], transport.cwd)
        ? null
        : `no program ${transport.argv[0]}`;
  if (problem !== null) return { level: "broken", about, finding: problem };
  const place = `declared at ${source.file}:${source.line}:${source.column}`;
  if (!isUsers) return { level: "note", about, finding: `${place}, by this project: not tried` };
  if (!isTryingServers) return { level: "note", about, finding: `${place}: swarm doctor --servers tries it` };
  try {
    const tools = await runtime.toolsOf(server);
    return { level: "ok", about, finding: `${tools.length} tools: ${oneLine(tools.join(", "), 500)}` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { level: "broken", about, finding: error.message };
  }
}

/** The end of the record, and effects that were announced and never reported; `swarm audit verify` reads all of it. */
async function examineRecord(runtime: Runtime): Promise<Finding[]> {
  const fault = await runtime.signTail();
  const intents = await runtime.store.openIntents(20);
  const pending = await runtime.store.approvals.list({ limit: 1_000, status: "pending" });
  const known = new Set(pending.map(({ intent_id }) => intent_id));
  return [
    ...(pending.length === 0
      ? []
      : [
          {
            level: "note",
            about: "approvals",
            finding: `${pending.length} wait for a person: swarm approvals list --status pending`,
          } as const,
        ]),
    ...(fault === null ? [] : [{ level: "broken", about: "record", finding: fault.problem } as const]),
    ...intents
      .filter(({ id }) => !known.has(id))
      .map(({ event, time, id }) => ({
        level: "note" as const,
        about: "record",
        finding: `${event} was begun at ${time} and its end was never recorded (${id})`,
      })),
  ];
}

/** The daemon, and what waits for it. */
async function examineDaemon(runtime: Runtime): Promise<Finding[]> {
  const health = await daemonHealth();
  const { pending, dead, open_targets } = await runtime.store.outbox.totals();
  const finding =
    health === null
      ? "not running: commands work on the files; start it with swarm up"
      : `running at ${health.address}`;
  const queued = pending === 1 ? "1 delivery waits" : `${countText(pending)} deliveries wait`;
  const waiting = health === null ? `${queued} for the daemon` : queued;
  const failing = `${open_targets === 1 ? "1 receiver fails" : `${open_targets} receivers fail`}: see swarm webhooks deliveries --state pending`;
  const lost = `${dead === 1 ? "1 delivery was" : `${countText(dead)} deliveries were`} given up: see swarm webhooks deliveries --state dead`;
  return [
    { level: health === null ? "note" : "ok", about: "daemon", finding },
    ...(pending > 0 ? [{ level: "note", about: "webhooks", finding: waiting } as const] : []),
    ...(open_targets > 0 ? [{ level: "broken", about: "webhooks", finding: failing } as const] : []),
    ...(dead > 0 ? [{ level: "broken", about: "webhooks", finding: lost } as const] : []),
  ];
}

/** Without a namespace programs run all the same, so it is a note: who asked for one should know. */
function examineSandbox(sandbox: "off" | "strict", problem: string | null): Finding {
  const means = problem === null ? "resource limits and a process namespace" : "resource limits alone";
  const finding = `${sandbox === "off" ? "off; strict would be" : "strict:"} ${means}${problem === null ? "" : `, ${problem}`}`;
  return { level: sandbox === "strict" && problem !== null ? "note" : "ok", about: "sandbox", finding };
}

/** Programs that make containment stronger where they are; nothing depends on them. */
function tools(): Finding[] {
  return ["setpriv", "prlimit"].map((tool) =>
    isRunnable(tool)
      ? { level: "ok", about: tool, finding: "found" }
      : { level: "note", about: tool, finding: "not found: hooks run all the same" },
  );
}

function isRunnable(program: string, baseFolder = process.cwd()): boolean {
  if (program.includes("${")) return true; // known only when the hook runs
  const folders = (process.env.PATH ?? "").split(delimiter);
  const path = program.replace(/^~\//, `${homedir()}/`);
  const candidates =
    path.includes("/") || isAbsolute(path)
      ? [resolve(baseFolder, path)]
      : folders.map((folder) => join(folder, path));
  return candidates.some(isExecutable);
}
