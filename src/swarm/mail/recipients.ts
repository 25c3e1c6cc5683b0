import { SwarmError } from "../../base/errors.ts";
import { idPattern } from "../../base/ids.ts";
import type { AgentStore } from "../agents/port/agent.ts";

const maxAgents = 10_000;

/** Ids of the agents an address stands for now, without the sender: `agent:ID`, `role:NAME` or `lead`. */
export async function findRecipients(agents: AgentStore, to: string, sender: string): Promise<string[]> {
  const [kind, name = ""] = to.split(/:(.*)/s);
  const refuse = (why: string) => new SwarmError("SWARM_MAIL_ADDRESS", { to, why });
  if (kind === "agent") {
    const agent = idPattern.test(name) ? await agents.find(name) : null;
    if (agent === null) throw refuse("there is no such agent");
    if (agent.status !== "running") throw refuse(`the agent is ${agent.status}`);
    return [name];
  }
  if (to !== "lead" && !(kind === "role" && idPattern.test(name)))
    throw refuse("expected agent:ID, role:NAME or lead");
  const running = await agents.list({ status: "running", limit: maxAgents });
  const found = running.filter((agent) => (to === "lead" ? agent.kind === "lead" : agent.role === name));
  const others = found.map(({ agent_id }) => agent_id).filter((id) => `agent:${id}` !== sender);
  if (others.length === 0) throw refuse(to === "lead" ? "no lead runs" : "no other agent of this role runs");
  return others;
}
