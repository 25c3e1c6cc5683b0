import type { Quirk } from "../../port/adapter.ts";

export const copilotQuirks = [
  {
    id: "mcp_names_are_joined",
    versions: "1.0.102",
    behaviour:
      "The tool of an MCP server is server-tool in one name, with - for characters that are neither letters nor digits, and no hook is given the server.",
    evidence: "run",
    whatWeDo: "It counts as each tool it may be: what forbids holds for one of them, what allows for all.",
  },
  {
    id: "spelling_selects_the_protocol",
    versions: "1.0.102",
    behaviour:
      "An event's key in camelCase gets a payload in camelCase that does not name the event; in PascalCase one like Claude Code's.",
    evidence: "run",
    whatWeDo:
      "Our entries are in camelCase and say the name of the event in a variable; both are read, and answered with the same keys.",
  },
  {
    id: "reads_claude_settings",
    versions: "1.0.102",
    behaviour:
      "It also runs the hooks of .claude/settings.json, without their args: our client is started with no argument at all.",
    evidence: "run",
    whatWeDo:
      "Without arguments the client asks as a guard, and the caller is told by its payload and its variables.",
  },
  {
    id: "one_time_for_all_hooks",
    versions: "1.0.102",
    behaviour: "Tool calls have no id, but every event has one time for all of its hooks, in both spellings.",
    evidence: "run",
    whatWeDo:
      "A call that comes in by two files is told by session, time, tool and arguments, and judged once.",
  },
  {
    id: "hooks_in_order",
    versions: "1.0.102",
    behaviour:
      "Hooks run one after the other, each sees the arguments the one before has left, and after a denial none is run.",
    evidence: "run",
    whatWeDo: "The call as we have rewritten it is known as the same one, and not judged again.",
  },
  {
    id: "exit_codes_count_before_tools_only",
    versions: "1.0.102",
    behaviour:
      "Any exit code but 0 denies at preToolUse, without what is on stderr; elsewhere it means nothing.",
    evidence: "run",
    whatWeDo: "Denials and refusals are said in JSON, with their reason.",
  },
  {
    id: "timeouts_pass",
    versions: "1.0.102",
    behaviour:
      "A hook that is still at work at its deadline, and one that prints broken JSON, lets the tool run.",
    evidence: "run",
    whatWeDo: "The client answers half a second before the deadline.",
  },
  {
    id: "no_end_of_the_run",
    versions: "1.0.102",
    behaviour: "continue: false does nothing.",
    evidence: "run",
    whatWeDo: "A stop becomes a denial where that hinders the action, and is recorded elsewhere.",
  },
  {
    id: "block_after_tools_replaces",
    versions: "1.0.102",
    behaviour: "decision: block at postToolUse puts the reason in place of the tool's result.",
    evidence: "run",
    whatWeDo:
      "A denial is said so; a rewrite of tool_output is sent as modifiedResult if it has the shape of the result.",
  },
  {
    id: "dialog_has_words_of_its_own",
    versions: "1.0.102",
    behaviour: "permissionRequest takes behavior and message; Claude Code's form for it is ignored.",
    evidence: "run",
    whatWeDo: "It is answered so. It comes before every tool, also where nobody would be asked.",
  },
  {
    id: "ask_headless",
    versions: "1.0.102",
    behaviour: "ask without a terminal is a denial.",
    evidence: "run",
    whatWeDo: "ask is passed on.",
  },
  {
    id: "no_empty_prompts",
    versions: "1.0.102",
    behaviour: "A prompt can be changed, but not to an empty one.",
    evidence: "documentation",
    whatWeDo: "A rewrite to an empty prompt becomes a refusal.",
  },
  {
    id: "long_commands_hang",
    versions: "1.0.102",
    behaviour:
      "A shell command of 1 MiB makes it hang for more than a minute, with hooks and without: it does so before it asks any hook.",
    evidence: "run",
    whatWeDo:
      "Nothing can be done about it; a call that does arrive and is over 1 MiB is refused with the reason.",
  },
  {
    id: "folder_trust_for_projects",
    versions: "1.0.102",
    behaviour:
      "Hooks in ~/.copilot/hooks run everywhere, those of a repository only in a folder its user has trusted.",
    evidence: "run",
    whatWeDo:
      "swarm install writes the user's ones unless told otherwise; swarm verify copies the trust given, and none other.",
  },
] as const satisfies readonly Quirk[];
