import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can be wrong with messages to and from elsewhere. */
export const webhookErrors = {
  SWARM_HOOK_KIND: row<{ hook: string; expected: string }>({
    meaning: "What was asked for can only be done with a hook of another type.",
    remedy: "Name a hook of that type; `swarm hooks list` shows them.",
    status: 400,
    exitCode: 64,
    message: ({ hook, expected }) => `hook ${hook} is of another type, expected ${expected}`,
  }),
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
  SWARM_DELIVERY_GIVEN_UP: row<{ hook: string; id: string; attempts: number; problem: string }>({
    meaning: "A webhook's delivery was refused for good, turned down too often, or is too old.",
    remedy: "See why, mend it, then `swarm webhooks replay` with its id.",
    status: 502,
    exitCode: 70,
    message: ({ hook, id, attempts, problem }) =>
      `hook ${hook} gave up delivery ${id} after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}: ${oneLine(problem, 300)}`,
  }),
  SWARM_TARGET_LOST: row<{ target: string }>({
    meaning: "A worker took so long over a webhook's deliveries that another one has taken over.",
    remedy: "Nothing: the other one delivers them, maybe some of them a second time.",
    status: 503,
    exitCode: 75,
    message: ({ target }) => `${target} is another worker's by now, expected it to be ours`,
  }),
  SWARM_INBOUND_UNKNOWN: row<{ source: string }>({
    meaning: "A message came for a source the user's configuration does not have.",
    remedy: "Add the source under `inbound` in config.yaml, or correct the sender's address.",
    status: 404,
    exitCode: 64,
    message: ({ source }) => `no source ${show(source)} is configured under inbound`,
  }),
  SWARM_INBOUND_REFUSED: row<{ source: string; problem: string }>({
    meaning: "A message is not signed as its source should, or too old or too new to be believed.",
    remedy:
      "Sign it as docs/webhooks.md says; give both sides the same secret, and both machines the right time.",
    status: 401,
    exitCode: 65,
    message: ({ source, problem }) =>
      `a message for ${oneLine(source, 64)} is refused: ${oneLine(problem, 200)}`,
  }),
  SWARM_INBOUND_REPLAYED: row<{ source: string; id: string }>({
    meaning: "A message that was taken in already came again.",
    remedy: "Nothing: it has had its effect.",
    status: 409,
    exitCode: 65,
    message: ({ source, id }) => `message ${show(id)} for ${oneLine(source, 64)} was received already`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
