import { joined, list, nullable, object, text } from "../schema.ts";

const conversationFields = {
  messages: list("The conversation so far, in the caller's own message shape."),
  context: nullable(object("The agent's working context.")),
};

/** A type with a name: declarations say that instead of listing the fields for every event again: 28 kB for the catalogue, not 42. */
export type Conversation = { [N in keyof typeof conversationFields]: (typeof conversationFields)[N] };

/** What any event may carry; rewritable on every event, by whoever calls the model. */
export const conversation: Conversation = conversationFields;

const hostFields = joined(
  {
    session_id: text("Session the event belongs to."),
    agent_id: text("Agent the event belongs to."),
    agent_type: text("Kind of agent, as its host names it."),
    role: text("Role of the agent in its swarm."),
    cwd: text("Working directory of the session."),
    transcript_path: nullable(text("File the host records the session in.")),
    permission_mode: text("The host's permission mode, such as `default` or `acceptEdits`."),
    turn_id: text("Turn of the session."),
    prompt_id: text("Prompt the turn answers."),
  },
  conversation,
);

export type Host = { [N in keyof typeof hostFields]: (typeof hostFields)[N] };

/** Where an agent's event happened. Nothing here is required: an embedded engine may have no session at all. */
export const host: Host = hostFields;
