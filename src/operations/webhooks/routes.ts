import { SwarmError } from "../../base/errors.ts";
import { integer, oneOf, required, text } from "../../engine/events/schema.ts";
import { type Delivery, deliveryStates, mostCounted } from "./port/outbox-store.ts";
import { isTrusted } from "./receivers.ts";
import { findHook } from "../../daemon/server/describe-hook.ts";
import { page, pageSchema, positionOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { checkFolder } from "../../daemon/rest/values.ts";
import { count, string, stringOrNull, time } from "../../daemon/rest/shapes.ts";

const delivery = {
  seq: count,
  id: { ...string, description: "The message's webhook-id." },
  event: string,
  event_id: string,
  hook_id: string,
  hook: string,
  target: { ...string, description: "Deliveries with the same one arrive in order." },
  cwd: stringOrNull,
  state: { enum: deliveryStates },
  attempts: count,
  retries: { ...count, description: "Attempts that count against the hook's retry." },
  last_status: { type: ["integer", "null"] },
  last_error: stringOrNull,
  created_at: time,
  ended_at: { anyOf: [time, { type: "null" }] },
} as const;

const id = { id: required(text("Id of the delivery.")) };

/** A stranger may send: what is larger is no message. */
const maxMessageBytes = 1024 * 1024;

/** Messages on their way out, and those that come in. */
export const webhookRoutes = {
  outboxStatus: route({
    method: "GET",
    path: "/api/v1/webhooks",
    summary: "Tell how many deliveries wait, how many were given up, and which targets fail",
    response: closed({
      pending: { ...count, description: `At most ${mostCounted}.` },
      dead: { ...count, description: `At most ${mostCounted}.` },
      open_targets: count,
      targets: {
        type: "array",
        items: closed({
          target: string,
          failures: { ...count, description: "In a row; more than none and its breaker is open." },
          next_at: { anyOf: [time, { type: "null" }] },
          last_error: stringOrNull,
          hook: { ...stringOrNull, description: "Whose delivery comes next; null when none waits." },
        }),
      },
    }),
    async handle({ runtime }) {
      const { outbox } = runtime.store;
      const targets = (await outbox.targets()).map(({ next_at_ms, ...rest }) => ({
        ...rest,
        next_at: iso(next_at_ms),
      }));
      return { ...(await outbox.totals()), targets };
    },
  }),

  listDeliveries: route({
    method: "GET",
    path: "/api/v1/webhooks/deliveries",
    summary: "List deliveries, newest first",
    query: {
      limit: integer("At most this many, 1 to 1000; default 50."),
      cursor: text("`next_cursor` of the page before."),
      state: oneOf(deliveryStates, "Only those in this state."),
      hook_id: text("Only those of this hook."),
    },
    response: pageSchema(closed(delivery)),
    async handle({ runtime }, { query }) {
      const { state, hook_id: hookId } = query;
      const found = await page(
        positionOf(query),
        (position) => runtime.store.outbox.list({ ...position, state, hookId }),
        ({ seq }) => seq,
      );
      return { ...found, items: found.items.map(withoutBody) };
    },
  }),

  showDelivery: route({
    method: "GET",
    path: "/api/v1/webhooks/deliveries/{id}",
    summary: "Show one delivery with what it sends",
    params: id,
    response: closed({ ...delivery, body: { type: "object" } }),
    async handle({ runtime }, { params: { id } }) {
      const found = await runtime.store.outbox.find(id);
      if (found === null) throw new SwarmError("SWARM_DELIVERY_UNKNOWN", { id });
      return { ...withoutBody(found), body: JSON.parse(found.body) as object };
    },
  }),

  replayDelivery: route({
    method: "POST",
    path: "/api/v1/webhooks/deliveries/{id}/replay",
    summary: "Send a delivery again that was given up or delivered, under its own id",
    params: id,
    response: closed(delivery),
    async handle({ runtime, actor }, { params: { id } }) {
      await runtime.webhooks.replay(id, actor);
      const found = await runtime.store.outbox.find(id);
      if (found === null) throw new SwarmError("SWARM_DELIVERY_UNKNOWN", { id });
      return withoutBody(found);
    },
  }),

  testWebhook: route({
    method: "POST",
    path: "/api/v1/webhooks/test",
    summary: "Send a test to a webhook now and tell how it was answered",
    body: {
      hook: required(text("Id or name of the hook.")),
      cwd: text("Folder whose configuration counts; default the daemon's."),
    },
    response: closed({
      is_delivered: { type: "boolean" },
      status: { type: ["integer", "null"], description: "Null: there was no answer." },
      error: stringOrNull,
      ms: { type: "number", minimum: 0 },
    }),
    async handle({ runtime, actor }, { body: { hook: written, cwd } }) {
      checkFolder("body", cwd);
      const { project, hook } = await findHook(runtime, written, cwd);
      if (!isTrusted(project, hook)) throw new SwarmError("SWARM_HOOK_UNTRUSTED", { hook: hook.name });
      const { judgement, status, ms } = await runtime.webhooks.test(hook, actor);
      const is_delivered = judgement.kind === "delivered";
      return { is_delivered, status, error: judgement.kind === "delivered" ? null : judgement.error, ms };
    },
  }),

  receiveMessage: route({
    method: "POST",
    path: "/api/v1/inbound/{source}",
    summary: "Take in a message that is signed as Standard Webhooks says, once; it becomes an event",
    params: { source: required(text("A source under `inbound` in the user's configuration.")) },
    isOpen: true,
    takesRaw: true,
    response: closed({ event: string, id: { ...string, description: "Of the event it became." } }),
    async handle({ runtime }, { params: { source }, raw }) {
      if (raw === undefined) throw new SwarmError("SWARM_BODY_INVALID", { problem: "there is none" });
      const { header, body } = raw;
      if (body.byteLength > maxMessageBytes) {
        throw new SwarmError("SWARM_BODY_TOO_LARGE", { limitBytes: maxMessageBytes });
      }
      const { event, id } = await runtime.webhooks.receive({ source, header, body });
      return { event, id };
    },
  }),
};

function withoutBody({ body: _, created_at_ms, ended_at_ms, ...rest }: Delivery) {
  return { ...rest, created_at: new Date(created_at_ms).toISOString(), ended_at: iso(ended_at_ms) };
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
