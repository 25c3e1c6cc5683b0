import { ago } from "../../../base/ago.ts";
import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";
import { frameMessage } from "../frame-message.ts";

export const mailSendCommand: Command = {
  summary:
    "send a message to an agent, the agents of a role or the lead: an agent by its token, a person as themselves",
  positionals: ["TO", "TEXT"],
  options: { "reply-to": "MESSAGE  the message it answers" },
  examples: [
    'swarm mail send agent:builder "The schema has moved to src/schema"',
    'swarm mail send role:backend "main is red: hold your reports"',
    'swarm mail send lead "Done with the parser" --reply-to msg_0mwj3',
  ],
  async run({ positionals: [to, text], options, isJson }) {
    if (to === undefined || text === undefined)
      throw usage("mail send", "TO and TEXT are needed, the text in quotes");
    const body = { to, body: text, reply_to: options["reply-to"] };
    const sent = await withClient((client) => client.call("sendMail", { body }));
    return isJson ? json(sent) : `${sent.message_id} is sent to ${sent.recipients.join(", ")}\n`;
  },
};

export const mailListCommand: Command = {
  summary: "list messages without reading them, newest first: an agent's own, for a person all",
  positionals: [],
  options: { agent: "AGENT  only the inbox of this agent" },
  flags: { unread: { doc: "only those that are not read" } },
  examples: ["swarm mail list", "swarm mail list --unread --agent builder --json"],
  async run({ options, flags, isJson }) {
    const query = { agent: options.agent, unread: flags.has("unread") ? true : undefined, limit: 1_000 };
    const found = await withClient((client) => client.call("listMail", { query }));
    if (isJson) return json(found);
    if (found.items.length === 0) return "no messages\n";
    const rows = found.items.map((message) => [
      message.message_id,
      message.sender,
      message.recipient,
      message.acked_at !== null ? "acked" : message.read_at !== null ? "read" : "unread",
      ago(message.sent_at, Date.now()),
      oneLine(message.body, 200),
    ]);
    return table(["MESSAGE", "FROM", "TO", "STATE", "SENT", "TEXT"], rows);
  },
};

export const mailReadCommand: Command = {
  summary: "print an agent's unread messages, which are read with that, or one that is named in full",
  positionals: ["MESSAGE"],
  options: {},
  examples: ["swarm mail read", "swarm mail read msg_0mwj3 --json"],
  async run({ positionals: [id], isJson }) {
    return withClient(async (client) => {
      if (id !== undefined) {
        const message = await client.call("showMail", { params: { id } });
        return isJson ? json(message) : `${frameMessage(message, Number.POSITIVE_INFINITY)}\n`;
      }
      const found = await client.call("readMail", { body: {} });
      if (isJson) return json(found);
      if (found.items.length === 0) return "no unread messages\n";
      return found.items.map((message) => `${frameMessage(message, Number.POSITIVE_INFINITY)}\n`).join("\n");
    });
  },
};

export const mailAckCommand: Command = {
  summary: "say that a message was understood: its sender sees it in the list",
  positionals: ["MESSAGE"],
  options: {},
  examples: ["swarm mail ack msg_0mwj3"],
  async run({ positionals: [id], isJson }) {
    if (id === undefined) throw usage("mail ack", "the id of a message is missing");
    const message = await withClient((client) => client.call("ackMail", { params: { id } }));
    return isJson ? json(message) : `${message.message_id} is acknowledged\n`;
  },
};
