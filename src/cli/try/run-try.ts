import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { adapters } from "../../agents/adapters/index.ts";
import { clientPlace } from "../../agents/install/cli/client-place.ts";
import { makeClient } from "../../agents/install/client-program.ts";
import { wantedEntries } from "../../agents/install/entries.ts";
import { needsOf, needsOfAll } from "../../agents/install/entry-needs.ts";
import { type AgentName, agentNames, agents } from "../../agents/port/agents.ts";
import { agentPrograms } from "../../agents/verify/agents/agent-programs.ts";
import { findProgram } from "../../agents/verify/find-program.ts";
import { SwarmError } from "../../base/errors.ts";
import { suggest } from "../../base/suggest.ts";
import { type CommandInput, usage } from "../command.ts";
import { startDetached, stopDaemon } from "../detach.ts";
import { openLocalRuntime } from "../home.ts";
import { json } from "../json.ts";
import { printError } from "../print.ts";
import { style } from "../style.ts";
import { hookOptions } from "./hook-options.ts";
import { summarise, summaryText } from "./summary.ts";

/** Starts the agent with our hooks for this run alone, waits for it, and says what they saw. */
export async function runTry({ positionals, flags, isJson }: CommandInput) {
  const [name, ...args] = positionals;
  const agent = agentNamed(name);
  const { title } = agents[agent];
  const optionsFor = hookOptions[agent];
  if (typeof optionsFor === "string")
    throw new SwarmError("SWARM_TRIAL_REFUSED", { agent, problem: optionsFor });
  const program = programOf(agent);
  const env = { ...process.env } as Readonly<Record<string, string>>;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-try-")));
  // From here on every part of this process works on the trial's home; the agent is given the environment as it was.
  process.env.SWARM_HOME = folder;
  try {
    writeFileSync(join(folder, "config.yaml"), "policy: starter\nauto_start: false\n", { mode: 0o600 });
    const settings = await trialSettings(agent, folder);
    const options = await optionsFor({ program, settings, folder, cwd: process.cwd(), env });
    await startDetached(["--port", "0"]);
    printError(`${style("bold", "trial")}  ${title} with the starter policy; nothing is installed\n\n`);
    const exitCode = await runAgent(program, [...options, ...args], env, isJson);
    const summary = await summarise(agent);
    const kept = flags.has("keep") ? folder : null;
    if (!isJson) printError(summaryText(summary, kept));
    return { text: isJson ? json({ ...summary, exit_code: exitCode, kept }) : "", exitCode };
  } finally {
    await stopDaemon();
    if (!flags.has("keep")) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** By the name of its program or by ours. */
function agentNamed(name: string | undefined): AgentName {
  if (name === undefined) throw usage("try", "an agent is missing");
  const found = agentNames.find(
    (agent) => agent === name || (agents[agent].programs as readonly string[]).includes(name),
  );
  if (found !== undefined) return found;
  const near = suggest(name, agentNames);
  const hint = near === undefined ? `expected ${agentNames.join(" or ")}` : `did you mean ${near}?`;
  throw usage("try", `unknown agent ${JSON.stringify(name.slice(0, 60))}`, hint);
}

function programOf(agent: AgentName): string {
  const profile = agentPrograms[agent];
  const program = "unprovable" in profile ? null : findProgram(profile, process.env);
  if (program !== null) return program;
  throw usage(
    "try",
    `${agents[agent].programs.join(" or ")} is not on PATH`,
    `install ${agents[agent].title} first`,
  );
}

async function trialSettings(agent: AgentName, home: string): Promise<string> {
  const runtime = await openLocalRuntime();
  try {
    const client = makeClient(clientPlace(home));
    const needs = needsOfAll(needsOf(runtime.projects.at().config));
    return adapters[agent].settings.install(null, wantedEntries(adapters[agent], client, needs));
  } finally {
    await runtime.close();
  }
}

const signals = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"] as const;

/** It has the terminal. Signals are its to answer: this process stays to say what happened. */
async function runAgent(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  isJson: boolean,
): Promise<number> {
  const child = spawn(program, args, { env, stdio: ["inherit", isJson ? 2 : "inherit", "inherit"] });
  // Those of the keyboard reach it by the terminal.
  const pass = (signal: NodeJS.Signals): void => {
    if (signal === "SIGTERM" || signal === "SIGHUP") child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
    });
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
