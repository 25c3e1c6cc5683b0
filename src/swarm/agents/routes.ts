import { SwarmError } from "../../base/errors.ts";
import { oneOf, required, text } from "../../engine/events/schema.ts";
import { page, pageSchema, paging, positionOf } from "../../daemon/rest/page.ts";
import { type Context, route } from "../../daemon/rest/route.ts";
import { askerOf, swarmOf } from "../asker-routes.ts";
import { processOf } from "../open-swarm.ts";
import { agentSchema, describeAgent, registeredSchema } from "./describe-agent.ts";
import { agentFields, agentStatuses } from "./port/agent.ts";

const agentId = { id: required(text("Id of the agent.")) };

/** Agents. Each speaks for itself by its token; only a person or a lead says what becomes of others. */
export const agentRoutes = {
  registerAgent: route({
    method: "POST",
    path: "/api/v1/agents",
    summary: "Register an agent; hooks of `agent.spawned` may refuse it. Its token is shown this once",
    forAgents: "lead",
    body: agentFields,
    response: registeredSchema,
    async handle(context, { body: { pid, ...wish } }) {
      const { agents } = await swarmOf(context);
      if (context.caller.agent !== undefined && wish.kind === "lead")
        throw new SwarmError("SWARM_TASK_REFUSED", { what: "a lead", reason: "only a person registers one" });
      const process = pid === undefined ? null : processOf(pid);
      const { agent, token } = await agents.register({ ...wish, ...(await askerOf(context)), process });
      return { agent: describeAgent(agent), token };
    },
  }),

  listAgents: route({
    method: "GET",
    path: "/api/v1/agents",
    summary: "List the swarm's agents, newest first",
    forAgents: "lead",
    query: { ...paging, status: oneOf(agentStatuses, "Only those with this status.") },
    response: pageSchema(agentSchema),
    async handle(context, { query }) {
      const { agents } = await swarmOf(context);
      const found = await page(
        positionOf(query),
        (position) => agents.list({ ...position, status: query.status }),
        ({ seq }) => seq,
      );
      return { ...found, items: found.items.map(describeAgent) };
    },
  }),

  showAgent: route({
    method: "GET",
    path: "/api/v1/agents/{id}",
    summary: "Show one agent",
    forAgents: "worker",
    params: agentId,
    response: agentSchema,
    async handle(context, { params: { id } }) {
      return describeAgent(await (await swarmOf(context)).agents.find(id));
    },
  }),

  agentHeartbeat: route({
    method: "POST",
    path: "/api/v1/agents/{id}/heartbeat",
    summary: "Give a sign of life; the lease is renewed with it",
    forAgents: "worker",
    params: agentId,
    body: { progress: text("What it is doing.") },
    response: agentSchema,
    async handle(context, { params: { id }, body: { progress = null } }) {
      checkSelf(context, id);
      return describeAgent(await (await swarmOf(context)).agents.heartbeat(id, progress));
    },
  }),

  completeAgent: route({
    method: "POST",
    path: "/api/v1/agents/{id}/complete",
    summary: "Say that an agent has finished; what it still holds goes back",
    forAgents: "worker",
    params: agentId,
    body: { summary: required(text("What it did.")) },
    response: agentSchema,
    async handle(context, { params: { id }, body: { summary } }) {
      checkSelf(context, id);
      return describeAgent(await (await swarmOf(context)).agents.complete(id, summary));
    },
  }),

  killAgent: route({
    method: "POST",
    path: "/api/v1/agents/{id}/kill",
    summary: "End an agent: its token and lease are worth nothing, its next tool call is denied",
    forAgents: "lead",
    params: agentId,
    body: { reason: required(text("Why.")) },
    response: agentSchema,
    async handle(context, { params: { id }, body: { reason } }) {
      return describeAgent(await (await swarmOf(context)).agents.kill(id, context.actor, reason));
    },
  }),
};

/** An agent speaks for no other one. */
function checkSelf({ caller }: Context, id: string): void {
  if (caller.agent === undefined || caller.agent.agent_id === id) return;
  const role = `agent ${caller.agent.agent_id}`;
  throw new SwarmError("SWARM_ROLE_REFUSED", {
    name: caller.name,
    role,
    needed: `agent ${id}`,
    operation: "to speak for it",
  });
}
