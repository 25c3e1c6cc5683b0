import { maskSecrets } from "../../base/secrets/mask.ts";
import { oneLine } from "../../base/show.ts";
import { SwarmError } from "../../base/errors.ts";
import { withClient } from "../client.ts";
import type { CommandInput } from "../command.ts";
import { confirm } from "../confirm.ts";
import { json } from "../json.ts";
import { agentTable, inForceLine, type Protection } from "../protection-lines.ts";
import { wrapToScreen } from "../definitions.ts";
import { style } from "../style.ts";
import { swarmHome } from "../swarm-home.ts";
import { type FoundAgent, findAgents } from "./find-agents.ts";
import { hasUserSystemd } from "./service-step.ts";
import type { Step } from "./step.ts";
import { type Choices, isPersonRequired, personText, serviceText, stepsOf } from "./steps.ts";

const nameChars = 11;

/** Shows what it would do, asks, does it step by step, and ends with what is guarded. Returns the exit code. */
export async function* runInit(input: CommandInput): AsyncGenerator<string, number> {
  const { flags, isJson } = input;
  const home = swarmHome();
  const agents = findAgents();
  const intended = stepsOf(home, agents, { isService: false, isPerson: false });
  if (flags.has("dry-run")) {
    yield isJson
      ? json({ agents: agents.map(nameOf), steps: intended.map(planOf) })
      : planText(agents, intended);
    return 0;
  }
  const choices = await choose(input, planText(agents, intended), home);
  if (choices === null) {
    yield "nothing was changed\n";
    return 0;
  }
  const done: { step: string; did: string }[] = [];
  for (const step of stepsOf(home, agents, choices)) {
    const did = await runStep(step);
    done.push({ step: step.name, did });
    if (!isJson) yield lineOf(step.name, did);
  }
  const protection = await withClient((client) =>
    client.call("showProtection", { query: { cwd: process.cwd() } }),
  );
  yield isJson ? json({ steps: done, ...protection }) : lastScreen(protection);
  return protection.agents.every(({ is_guarded }) => is_guarded) ? 0 : 1;
}

function nameOf({ adapter }: FoundAgent): string {
  return adapter.agent;
}

function planOf({ name, plan }: Step) {
  return { step: name, plan };
}

function lineOf(name: string, text: string): string {
  const lead = nameChars + 3;
  const lines = wrapToScreen(oneLine(text), lead);
  return `  ${style("bold", name.padEnd(nameChars))} ${lines.join(`\n${" ".repeat(lead)}`)}\n`;
}

function planText(agents: readonly FoundAgent[], steps: readonly Step[]): string {
  const found =
    agents.length === 0 ? "no coding agent was found" : agents.map(({ adapter }) => adapter.title).join(", ");
  return [
    `${found}${agents.length === 0 ? "" : agents.length === 1 ? ": 1 agent" : `: ${agents.length} agents`} on this machine. What will be done:\n\n`,
    ...steps.map(({ name, plan }) => lineOf(name, plan)),
    "\nAll of it is undone by swarm uninstall --all.\n",
  ].join("");
}

/** At most three keys: go on, the service, the passphrase. Null: leave everything as it is. */
async function choose(input: CommandInput, plan: string, home: string): Promise<Choices | null> {
  if (input.flags.has("yes")) return { isService: false, isPerson: false };
  if (!(await confirm("init", input, `${plan}\n`, "Go on?", "yes"))) return null;
  const isService =
    hasUserSystemd() &&
    (await confirm("init", input, `\n${lineOf("service", serviceText)}`, "As a service?"));
  const isPerson =
    !isPersonRequired(home) &&
    (await confirm("init", input, `\n${lineOf("approvals", personText)}`, "With a passphrase?"));
  return { isService, isPerson };
}

/** A step that fails is said and is not the end: what is guarded without it is on the last screen. */
async function runStep(step: Step): Promise<string> {
  try {
    return await step.run();
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return `failed: ${maskSecrets(error.message)} [${error.code}]`;
  }
}

function lastScreen(protection: Protection): string {
  return [
    `\n${agentTable(protection)}`,
    `\n${inForceLine(protection)}\n`,
    `${style("dim", "try")}   swarm check "git push -f"\n`,
    `${style("dim", "look")}  swarm dashboard\n`,
    `${style("dim", "undo")}  swarm uninstall --all\n`,
  ].join("");
}
