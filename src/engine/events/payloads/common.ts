import { list, nullable, object, text } from "../schema.ts";

/** What any event may carry; rewritable on every event, by whoever calls the model. */
export const conversation = {
  messages: list("The conversation so far, in the caller's own message shape."),
  context: nullable(object("The agent's working context.")),
};

/** Where an agent's event happened. Nothing here is required: an embedded engine may have no session at all. */
export const host = {
  session_id: text("Session the event belongs to."),
  agent_id: text("Agent the event belongs to."),
  agent_type: text("Kind of agent, as its host names it."),
  role: text("Role of the agent in its swarm."),
  cwd: text("Working directory of the session."),
  transcript_path: nullable(text("File the host records the session in.")),
  permission_mode: text("The host's permission mode, such as `default` or `acceptEdits`."),
  turn_id: text("Turn of the session."),
  prompt_id: text("Prompt the turn answers."),
  ...conversation,
};
