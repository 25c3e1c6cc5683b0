import type { Quirk } from "../../port/adapter.ts";

export const opencodeQuirks = [
  {
    id: "mcp_names_are_joined",
    versions: "1.18.33",
    behaviour:
      "The tool of an MCP server is server_tool in one name, with _ for characters that are neither letters nor digits, and no hook is given the server.",
    evidence: "run",
    whatWeDo: "It counts as each tool it may be: what forbids holds for one of them, what allows for all.",
  },
  {
    id: "plugins_only",
    versions: "1.18.33",
    behaviour: "There are no hooks in its settings: plugins in JavaScript are loaded into its own process.",
    evidence: "run",
    whatWeDo: "A plugin file of ours asks the daemon's socket, or the client program where nobody listens.",
  },
  {
    id: "no_deadline",
    versions: "1.18.33",
    behaviour: "A plugin that hangs hangs the agent.",
    evidence: "run",
    whatWeDo: "The plugin has a deadline of its own: then a guard denies, and anything else goes on.",
  },
  {
    id: "throwing_denies",
    versions: "1.18.33",
    behaviour:
      "To throw before a tool denies it, after a tool it replaces the result; the error is what the model hears.",
    evidence: "run",
    whatWeDo: "Denials are thrown, with their reason and context.",
  },
  {
    id: "arguments_in_place",
    versions: "1.18.33",
    behaviour:
      "The tool is run with the object the plugin was given: another one in its place is not looked at.",
    evidence: "source",
    whatWeDo: "Arguments are changed within it.",
  },
  {
    id: "refused_prompts_look_like_errors",
    versions: "1.18.33",
    behaviour: "To throw at chat.message refuses the prompt, but its user reads of an unexpected error only.",
    evidence: "run",
    whatWeDo: "The reason is in the record.",
  },
  {
    id: "nobody_can_be_asked",
    versions: "1.18.33",
    behaviour: "The hook permission.ask is declared, but is never called; no plugin can have its user asked.",
    evidence: "run",
    whatWeDo: "ask becomes deny, and allow is not sent.",
  },
  {
    id: "the_bus_tells_afterwards",
    versions: "1.18.33",
    behaviour: "Sessions, turns and subagents are told of on its bus, when they have begun or ended.",
    evidence: "run",
    whatWeDo: "They are recorded and observed; a denial there is recorded as without effect.",
  },
  {
    id: "two_files_one_process",
    versions: "1.18.33",
    behaviour: "A plugin in the user's folder and one in the project's are both loaded.",
    evidence: "run",
    whatWeDo: "The first of ours asks, with the entries of both; the second does nothing.",
  },
  {
    id: "several_projects_one_process",
    versions: "1.18.33",
    behaviour: "One process may serve several projects, and load the plugins of one anew.",
    evidence: "source",
    whatWeDo: "Each time the plugin is given a context it has not seen, it judges what is called there.",
  },
  {
    id: "plugins_simply_load",
    versions: "1.18.33",
    behaviour:
      "A repository's plugins are loaded without a question, beside ours; with --pure or OPENCODE_PURE=1 none is, ours neither.",
    evidence: "source",
    whatWeDo:
      "Nothing can be done from within: look at what a repository has in .opencode before you start it there.",
  },
  {
    id: "subagents_are_sessions",
    versions: "1.18.33",
    behaviour: "A subagent is a session of its own that names its parent once, when it is made.",
    evidence: "run",
    whatWeDo: "The plugin remembers, and says so with every call of it.",
  },
  {
    id: "start_without_a_network",
    versions: "1.18.33",
    behaviour:
      "With a plugin in place it first tries to fetch a package from npm, for more than a minute where there is no network.",
    evidence: "run",
    whatWeDo: "Our plugin needs no package; swarm verify has it find the package as if it were there.",
  },
] as const satisfies readonly Quirk[];
