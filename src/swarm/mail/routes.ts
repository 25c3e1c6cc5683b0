import { SwarmError } from "../../base/errors.ts";
import { flag, required, text } from "../../engine/events/schema.ts";
import { page, pageOf, pageSchema, paging, positionOf } from "../../daemon/rest/page.ts";
import { type Context, route } from "../../daemon/rest/route.ts";
import { swarmOf } from "../asker-routes.ts";
import { describeMessage, inboxMessageSchema, sentSchema } from "./describe-message.ts";

const messageId = { id: required(text("Id of the message.")) };

/** Messages to agents. Who sends and whose inbox it is follows from the token, never from what the caller says. */
export const mailRoutes = {
  sendMail: route({
    method: "POST",
    path: "/api/v1/mail",
    summary: "Send a message to an agent, to the agents of a role or to the lead",
    forAgents: "worker",
    body: {
      to: required(text("`agent:ID`, `role:NAME` or `lead`.")),
      body: required(text("The message, at most 16 KiB.")),
      reply_to: text("Id of the message it answers."),
    },
    response: sentSchema,
    async handle(context, { body }) {
      return (await swarmOf(context)).mail.send({ sender: context.actor, ...body });
    },
  }),

  listMail: route({
    method: "GET",
    path: "/api/v1/mail",
    summary: "List messages, newest first, without reading them: an agent's own inbox, for a person all",
    forAgents: "worker",
    query: {
      ...paging,
      agent: text("Only the inbox of this agent."),
      unread: flag("Only those that are not read."),
    },
    response: pageSchema(inboxMessageSchema),
    async handle(context, { query }) {
      const { mail } = await swarmOf(context);
      const recipient = inboxOf(context, query.agent);
      const found = await page(
        positionOf(query),
        (position) => mail.list({ ...position, recipient, isUnread: query.unread }),
        ({ seq }) => seq,
      );
      return { ...found, items: found.items.map(describeMessage) };
    },
  }),

  showMail: route({
    method: "GET",
    path: "/api/v1/mail/{id}",
    summary: "Show one message: an agent one of its own inbox",
    forAgents: "worker",
    params: messageId,
    response: inboxMessageSchema,
    async handle(context, { params: { id } }) {
      return describeMessage(await (await swarmOf(context)).mail.find(id, context.caller.agent?.agent_id));
    },
  }),

  readMail: route({
    method: "POST",
    path: "/api/v1/read-mail",
    summary: "Take the caller's unread messages, oldest first; they are read with that",
    forAgents: "worker",
    body: { limit: paging.limit },
    response: pageOf(inboxMessageSchema),
    async handle(context, { body: { limit = 10 } }) {
      const { mail } = await swarmOf(context);
      return { items: (await mail.read(ownInbox(context), limit)).map(describeMessage) };
    },
  }),

  ackMail: route({
    method: "POST",
    path: "/api/v1/mail/{id}/ack",
    summary: "Say that a message was understood",
    forAgents: "worker",
    params: messageId,
    response: inboxMessageSchema,
    async handle(context, { params: { id } }) {
      return describeMessage(await (await swarmOf(context)).mail.ack(ownInbox(context), id));
    },
  }),
};

function ownInbox({ caller }: Context): string {
  if (caller.agent === undefined) throw new SwarmError("SWARM_MAIL_NO_INBOX", { caller: caller.name });
  return caller.agent.agent_id;
}

/** An agent looks into no other one's. */
function inboxOf({ caller }: Context, wanted: string | undefined): string | undefined {
  const own = caller.agent?.agent_id;
  if (own === undefined || wanted === undefined || wanted === own) return own ?? wanted;
  throw new SwarmError("SWARM_ROLE_REFUSED", {
    name: caller.name,
    role: `agent ${own}`,
    needed: `agent ${wanted}`,
    operation: "to see its inbox",
  });
}
