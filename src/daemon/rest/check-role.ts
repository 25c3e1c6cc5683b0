import { SwarmError } from "../../base/errors.ts";
import type { Identity } from "../access/identities.ts";
import { agentKinds, roles } from "../access/port/token-store.ts";
import { type Route, roleFor } from "./route.ts";

/** As the record names callers. */
export function actorOf({ name, agent }: Identity): string {
  return agent === undefined ? `human:${name}` : `agent:${agent.agent_id}`;
}

/** Throws SWARM_ROLE_REFUSED unless the caller's role, or an agent's kind, reaches as far as the operation. */
export function checkRole({ name, role, agent }: Identity, route: Route): void {
  if (route.isOpen === true) return;
  const operation = `${route.method} ${route.path}`;
  if (agent !== undefined) {
    const { kind } = agent;
    const needed = route.forAgents;
    if (needed !== undefined && agentKinds.indexOf(kind) >= agentKinds.indexOf(needed)) return;
    const taken = needed === undefined ? "a person" : `a ${needed}`;
    throw new SwarmError("SWARM_ROLE_REFUSED", { name, role: `a ${kind}`, needed: taken, operation });
  }
  const needed = roleFor(route);
  if (roles.indexOf(role) >= roles.indexOf(needed)) return;
  throw new SwarmError("SWARM_ROLE_REFUSED", { name, role, needed, operation });
}
