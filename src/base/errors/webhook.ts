import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can be wrong with messages to and from elsewhere. */
export const webhookErrors = {
  SWARM_DELIVERY_UNKNOWN: row<{ id: unknown }>({
    meaning: "There is no delivery with this id, or it was forgotten since it ended.",
    remedy: "See `swarm webhooks deliveries` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ id }) => `there is no delivery ${show(id)}`,
  }),
  SWARM_DELIVERY_PENDING: row<{ id: unknown }>({
    meaning: "A delivery that is on its way was to be replayed.",
    remedy: "Wait: it is tried until it arrives, is refused for good or is too old.",
    status: 409,
    exitCode: 64,
    message: ({ id }) => `delivery ${show(id)} is pending, expected one that was delivered or given up`,
  }),
  SWARM_INBOUND_REPLAYED: row<{ source: string; id: string }>({
    meaning: "A message that was taken in already came again.",
    remedy: "Nothing: it has had its effect.",
    status: 409,
    exitCode: 65,
    message: ({ source, id }) => `message ${show(id)} for ${oneLine(source, 64)} was received already`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
