import {
  anything,
  flag,
  integer,
  joined,
  list,
  nullable,
  number,
  object,
  required,
  text,
  texts,
} from "../schema.ts";
import { host } from "./common.ts";

export const sessionStart = joined(
  {
    source: text("What started it: `startup`, `resume`, `clear`, `compact`, `fork`."),
    resumed: flag("Whether an earlier session goes on."),
    system_prompt: text("The system prompt the session starts with."),
    model: text("Model the session runs on."),
    session_title: text("Title of the session."),
  },
  host,
);

export const sessionEnd = joined(
  {
    reason: text("Why it ended: `clear`, `logout`, `prompt_input_exit`, `other`."),
    duration_s: number("How long the session lasted, in seconds."),
  },
  host,
);

export const promptSubmit = joined(
  {
    prompt: required(text("What was asked.")),
    source: text("Who asked: `user`, `sdk`, `system`, a scheduler."),
    session_title: text("Title of the session."),
  },
  host,
);

export const turnEnd = joined(
  {
    stop_hook_active: flag("Whether a hook already kept this turn going once."),
    last_assistant_message: nullable(text("What the model said last.")),
    background_tasks: list("Work the turn left running."),
    status: text("How it ended: `completed`, `aborted`, `error`."),
  },
  host,
);

const toolCall = joined(
  {
    tool_name: required(text("Name of the tool, as its host names it.")),
    tool_use_id: text("Id of this call."),
    mcp_server: object("Server the tool belongs to: `{name, source}`."),
  },
  host,
);

export const toolBefore = joined(
  {
    tool_input: required(object("Arguments of the call.")),
  },
  toolCall,
);

export const toolAfter = joined(
  {
    tool_input: object("Arguments of the call."),
    tool_output: required(anything("What the tool returned.")),
    duration_ms: number("How long the tool ran, in milliseconds."),
  },
  toolCall,
);

export const toolFailed = joined(
  {
    tool_input: object("Arguments of the call."),
    error: required(text("What went wrong.")),
    is_interrupt: flag("Whether a person interrupted the call."),
    duration_ms: number("How long the tool ran, in milliseconds."),
  },
  toolCall,
);

export const permissionRequest = joined(
  {
    tool_input: required(object("Arguments of the call.")),
    permission_suggestions: list("Rules the host offers to remember."),
    reason: text("Why permission is needed."),
  },
  toolCall,
);

const modelCall = joined(
  {
    model: text("Model that is called."),
    provider: text("Who serves the model."),
    request: object("The request in the provider's shape."),
  },
  host,
);

export const modelBefore = modelCall;

export const modelAfter = joined(
  {
    response: anything("The response in the provider's shape."),
    stop_reason: nullable(text("Why the model stopped.")),
    input_tokens: integer("Tokens read."),
    output_tokens: integer("Tokens written."),
    duration_ms: number("How long the call took, in milliseconds."),
  },
  modelCall,
);

export const compactionBefore = joined(
  {
    trigger: text("What started it: `manual` or `auto`."),
    custom_instructions: nullable(text("What the summary was asked to keep.")),
    message_count: integer("Messages before compaction."),
    token_count: integer("Estimated tokens before compaction."),
    preserve: texts("Rules for what must survive compaction."),
  },
  host,
);

export const compactionAfter = joined(
  {
    trigger: text("What started it: `manual` or `auto`."),
    compact_summary: text("The summary that replaced the conversation."),
    message_count: integer("Messages after compaction."),
    token_count: integer("Estimated tokens after compaction."),
  },
  host,
);

export const subagentStart = joined(
  {
    agent_name: text("Name of the subagent."),
    initial_message: nullable(text("What the subagent was asked.")),
  },
  host,
);

export const subagentStop = joined(
  {
    agent_name: text("Name of the subagent."),
    reason: text("Why it stopped."),
    stop_hook_active: flag("Whether a hook already kept the subagent going once."),
    last_assistant_message: nullable(text("What the subagent said last.")),
    agent_transcript_path: nullable(text("File the subagent is recorded in.")),
  },
  host,
);

export const notification = joined(
  {
    message: required(text("What to tell the user.")),
    level: text("Severity: `info`, `warning`, `error`."),
    title: text("Title of the message."),
    notification_type: text("The host's own kind of notification."),
  },
  host,
);
