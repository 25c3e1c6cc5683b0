import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can be wrong with messages between agents. */
export const mailErrors = {
  SWARM_MAIL_ADDRESS: row<{ to: unknown; why: string }>({
    meaning: "A message was to be sent to no agent there is. Nothing was sent.",
    remedy:
      "Send it to `agent:ID`, `role:NAME` or `lead`; `swarm agents list --status running` shows who there is.",
    status: 404,
    exitCode: 64,
    message: ({ to, why }) => `no message can be sent to ${show(to)}: ${oneLine(why, 200)}`,
  }),
  SWARM_MAIL_TOO_LARGE: row<{ bytes: number; max: number }>({
    meaning: "A message is empty or longer than a message may be. Nothing was sent.",
    remedy: "Write what is long into a file of the repository, and send its path.",
    status: 413,
    exitCode: 65,
    message: ({ bytes, max }) => `a message has ${bytes} bytes, expected 1 to ${max}`,
  }),
  SWARM_MAIL_RATE: row<{ sender: string; max: number }>({
    meaning: "A sender has sent as many messages within a minute as it may. Nothing was sent.",
    remedy: "Wait a minute, and say more in one message.",
    status: 429,
    exitCode: 65,
    message: ({ sender, max }) => `${show(sender)} has sent ${max} messages within a minute, expected fewer`,
  }),
  SWARM_MAIL_INBOX_FULL: row<{ agent: string; max: number }>({
    meaning: "An agent has not read its last messages, and takes no more. Nothing was sent, to no recipient.",
    remedy: "Wait until it has read them, or see with `swarm agents list` whether it still works.",
    status: 409,
    exitCode: 65,
    message: ({ agent, max }) => `agent ${show(agent)} has ${max} unread messages, expected fewer`,
  }),
  SWARM_MAIL_UNKNOWN: row<{ message: string }>({
    meaning: "There is no message with this id among those that the caller may read.",
    remedy: "See `swarm mail list` for those there are; messages are kept for 30 days.",
    status: 404,
    exitCode: 64,
    message: ({ message }) => `there is no message ${show(message)} here`,
  }),
  SWARM_MAIL_NO_INBOX: row<{ caller: string }>({
    meaning: "Only an agent has an inbox, and it is known by its token.",
    remedy: "A person looks with `swarm mail list`; an agent needs SWARM_AGENT_TOKEN in its environment.",
    status: 403,
    exitCode: 65,
    message: ({ caller }) => `${show(caller)} has no inbox, expected an agent with its token`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
