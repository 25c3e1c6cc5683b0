import { ago } from "../base/ago.ts";
import { oneLine } from "../base/show.ts";
import type { ResultOf } from "./client.ts";
import { type Styled, style } from "./style.ts";
import { table } from "./table.ts";

export type Protection = ResultOf<"showProtection">;
type AgentProtection = Protection["agents"][number];

/** The same words wherever nothing is between an agent and the machine. */
export function nothingBlocked(): string {
  return style("red", "nothing is blocked here: swarm policy init turns on a policy");
}

type InForce = Omit<Protection, "agents">;

/** `41 rules, 2 hooks in force in this folder`. */
export function inForceLine({ is_blocking, rules, hooks, untrusted }: InForce): string {
  if (!is_blocking) return nothingBlocked();
  const all = guardedBy({ rules, hooks });
  const inert = untrusted === 0 ? "" : style("yellow", `, ${untrusted} do not run: swarm trust`);
  return `${all} in force in this folder${inert}`;
}

/** One line for each agent that is here: `Claude Code: guarded by 41 rules, proven 3 minutes ago`. */
export function agentLines(protection: Protection, nowMs = Date.now()): string[] {
  return protection.agents.map((agent) => {
    const { is_guarded, is_installed, fault, title, what_to_do } = agent;
    const by = guardedBy(protection);
    const proof = provenCell(agent, nowMs);
    const proven = style(
      proof.format,
      agent.verdict === "enforced" ? `proven ${proof.text}` : provenIn(proof.text),
    );
    const next = what_to_do === null || fault !== null ? "" : `: ${oneLine(what_to_do, maxAdviceChars)}`;
    if (is_guarded) return `${title}: ${style("green", `guarded by ${by}`)}, ${proven}${next}`;
    if (fault !== null) return `${title}: ${style("red", `NOT guarded: ${oneLine(fault, maxAdviceChars)}`)}`;
    if (!is_installed) return `${title}: ${style("red", "not guarded")}${next}`;
    return `${title}: ${style("red", "asks, and nothing is blocked")}, ${proven}`;
  });
}

function provenIn(text: string): string {
  return text === "never" ? "never proven" : text;
}

export function guardedBy({ rules, hooks }: Pick<Protection, "rules" | "hooks">): string {
  const parts = [rules > 0 ? counted(rules, "rule") : "", hooks > 0 ? counted(hooks, "hook") : ""];
  return parts.filter((part) => part !== "").join(", ");
}

/** Agent, whether it is guarded, since when that is proven, and what to do about it. */
export function agentTable({ agents, ...inForce }: Protection, nowMs = Date.now()): string {
  if (agents.length === 0) return "no coding agent was found: swarm install NAME names one\n";
  const rows = agents.map((agent) => [
    agent.title,
    guardedCell(agent, inForce),
    provenCell(agent, nowMs),
    oneLine(agent.what_to_do ?? "-", maxAdviceChars),
  ]);
  return table(["AGENT", "GUARDED", "PROVEN", "WHAT TO DO"], rows);
}

/** More of it is in `swarm doctor`. */
const maxAdviceChars = 160;

function guardedCell(
  { is_guarded, is_installed, fault }: AgentProtection,
  { rules, hooks, is_blocking }: InForce,
): Styled {
  if (is_guarded) return { text: guardedBy({ rules, hooks }), format: "green" };
  if (fault !== null && is_installed) return { text: "INERT", format: "red" };
  if (is_installed && !is_blocking) return { text: "no: nothing to obey", format: "red" };
  return { text: "no", format: "red" };
}

export function provenCell({ verdict, verified_at, is_outdated }: AgentProtection, nowMs: number): Styled {
  if (verdict === null || verified_at === null) return { text: "never", format: "yellow" };
  const when = ago(verified_at, nowMs);
  if (is_outdated) return { text: `not since its settings changed (${verdict} ${when})`, format: "yellow" };
  if (verdict === "enforced") return { text: when, format: "green" };
  return { text: `${verdict}, ${when}`, format: verdict === "INERT" ? "red" : "yellow" };
}

/** The one thing to do next. */
export function nextStep({ is_blocking, agents }: Protection): string {
  if (!is_blocking || agents.every(({ is_installed }) => !is_installed))
    return "swarm init guards your agents";
  const faulty = agents.find(({ fault }) => fault !== null);
  if (faulty !== undefined) return "swarm doctor says what is wrong";
  const open = agents.find(({ is_installed, what_to_do }) => is_installed && what_to_do !== null);
  return open?.what_to_do ?? 'swarm check "git push -f" judges a command';
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
