import type { Quirk } from "../../port/adapter.ts";

/** All of it is read from Cursor's own hooks runtime, as its SDK 1.0.32 ships it; none of it was seen in a run. */
export const cursorQuirks = [
  {
    id: "ask_is_ignored",
    versions: "SDK 1.0.32",
    behaviour: "ask at preToolUse is not acted on: the tool runs.",
    evidence: "source",
    whatWeDo: "ask becomes deny.",
  },
  {
    id: "silence_fails_closed",
    versions: "SDK 1.0.32",
    behaviour: "A hook with failClosed that prints nothing blocks.",
    evidence: "source",
    whatWeDo: "With nothing to say, {} is printed.",
  },
  {
    id: "failures_pass",
    versions: "SDK 1.0.32",
    behaviour: "A hook that crashes or times out is ignored; with failClosed it blocks.",
    evidence: "source",
    whatWeDo: "Entries of guards are installed with failClosed.",
  },
  {
    id: "rewrites_of_known_fields",
    versions: "SDK 1.0.32",
    behaviour:
      "updated_input changes only fields it knows of each tool, and drops the rest; Write's content is not among them.",
    evidence: "source",
    whatWeDo: "A rewrite of anything else becomes a denial with the suggestion.",
  },
  {
    id: "two_events_for_one_call",
    versions: "SDK 1.0.32",
    behaviour:
      "One shell command raises preToolUse and beforeShellExecution, an MCP tool or a read likewise.",
    evidence: "source",
    whatWeDo:
      "We are installed at preToolUse and postToolUse, which all tools raise; a call by the others is judged as well.",
  },
  {
    id: "results_of_mcp_tools_only",
    versions: "SDK 1.0.32",
    behaviour:
      "postToolUse adds context; updated_mcp_tool_output changes the result of an MCP server's tool, and no other.",
    evidence: "source",
    whatWeDo:
      "A denial is told as context. A rewrite of another tool's output becomes such a denial: the model has seen the original.",
  },
  {
    id: "long_context",
    versions: "SDK 1.0.32",
    behaviour:
      "additional_context of more than 10000 characters is dropped, and with failClosed blocks the tool.",
    evidence: "source",
    whatWeDo: "It is cut, and the record says so.",
  },
  {
    id: "reads_claude_settings",
    versions: "SDK 1.0.32",
    behaviour:
      "It also runs the hooks of Claude Code's settings, without their args: our client is started with no argument at all.",
    evidence: "source",
    whatWeDo:
      "Without arguments the client asks as a guard; both entries get one payload, and the call is judged once.",
  },
  {
    id: "unknown_events_spoil_the_file",
    versions: "SDK 1.0.32",
    behaviour: "A hooks.json without a version, or with an event it does not know, is not read at all.",
    evidence: "source",
    whatWeDo: "A file of ours has version 1 and events of its 21.",
  },
  {
    id: "two_slashes_are_a_comment",
    versions: "SDK 1.0.32",
    behaviour: "Two slashes begin a comment even within a string, and the file cannot be read then.",
    evidence: "source",
    whatWeDo: "The paths we write have none.",
  },
  {
    id: "no_symbolic_links",
    versions: "SDK 1.0.32",
    behaviour: "A project's hooks.json that is reached through a symbolic link is refused.",
    evidence: "source",
    whatWeDo: "The file is written in place.",
  },
  {
    id: "no_cwd",
    versions: "SDK 1.0.32",
    behaviour: "Most events have no cwd, and hooks of the user's file are started in ~/.cursor.",
    evidence: "source",
    whatWeDo: "The project is that of the first workspace root, where the payload has no cwd.",
  },
  {
    id: "stop_has_a_limit",
    versions: "SDK 1.0.32",
    behaviour:
      "A hook of stop or subagentStop is not run any more after it has kept the agent at work five times.",
    evidence: "source",
    whatWeDo: "A denial is said as followup_message; the limit is left as it is.",
  },
] as const satisfies readonly Quirk[];
