import type { Quirk } from "../../port/adapter.ts";

export const qwenQuirks = [
  {
    id: "rewrites_are_not_applied",
    versions: "0.24.4",
    behaviour: "updatedInput is documented, but never read: the tool runs with the arguments of the model.",
    evidence: "run",
    whatWeDo: "A rewrite of tool_input becomes a denial with the suggestion.",
  },
  {
    id: "another_allow_undoes_a_denial",
    versions: "0.24.4",
    behaviour:
      "Of several hooks before a tool the last permissionDecision counts: an allow undoes a deny before it, and exit code 2 as well.",
    evidence: "run",
    whatWeDo:
      "A denial says continue: false besides, which nothing undoes; before a tool it means just that the tool does not run.",
  },
  {
    id: "allow_grants_nothing",
    versions: "0.24.4",
    behaviour:
      "PreToolUse comes after the question whether the tool may run; allow spares nobody the question.",
    evidence: "source",
    whatWeDo: "It is not sent. At PermissionRequest it is.",
  },
  {
    id: "ask_headless",
    versions: "0.24.4",
    behaviour: "ask without a terminal is a denial that carries the reason.",
    evidence: "run",
    whatWeDo: "ask is passed on.",
  },
  {
    id: "prompt_before_every_model_call",
    versions: "0.24.4",
    behaviour:
      "UserPromptSubmit is raised before every call of the model in a turn, with an empty prompt when it goes on.",
    evidence: "run",
    whatWeDo:
      "One without a prompt is recorded as native.unknown and not put to hooks: nobody has submitted anything.",
  },
  {
    id: "tools_behind_tool_call",
    versions: "0.24.4",
    behaviour:
      "Many tools, those of MCP servers among them, are not offered to the model, which calls them by tool_call; hooks see the tool that is called.",
    evidence: "run",
    whatWeDo: "They are judged like any other; monitor is a shell.",
  },
  {
    id: "block_after_tools_is_ignored",
    versions: "0.24.4",
    behaviour:
      "decision: block at PostToolUse does nothing; continue: false puts the reason in place of the result, and the run goes on.",
    evidence: "run",
    whatWeDo:
      "A denial is said by continue: false. A rewrite of tool_output becomes such a denial, with the new output in the reason.",
  },
  {
    id: "context_before_tools_is_dropped",
    versions: "0.24.4",
    behaviour: "additionalContext at PreToolUse reaches nobody.",
    evidence: "run",
    whatWeDo: "It is not sent, and the record says so.",
  },
  {
    id: "stop_keeps_working",
    versions: "0.24.4",
    behaviour:
      "continue: false at Stop and SubagentStop makes the agent go on, as a denial does, up to eight times.",
    evidence: "run",
    whatWeDo: "It is never sent there; a stop is recorded, and nothing else.",
  },
  {
    id: "failed_tools_take_context_only",
    versions: "0.24.4",
    behaviour: "Of an answer to PostToolUseFailure only additionalContext is read.",
    evidence: "source",
    whatWeDo: "A denial is told as context.",
  },
  {
    id: "stderr_that_is_json",
    versions: "0.24.4",
    behaviour: "With exit code 2, an object in JSON on stderr is taken for the answer: {} lets the tool run.",
    evidence: "run",
    whatWeDo: "A refusal without a call is such an object that denies, in every way there is.",
  },
  {
    id: "seconds_below_a_thousand",
    versions: "0.24.4",
    behaviour: "A timeout of 1000 or more is taken for milliseconds.",
    evidence: "documentation",
    whatWeDo: "It is written, and read, accordingly.",
  },
  {
    id: "compaction_takes_rules",
    versions: "0.24.4",
    behaviour: "PreCompact cannot hinder the compaction; its context becomes instructions for the summary.",
    evidence: "source",
    whatWeDo: "Rules to preserve are sent so; a denial is recorded as without effect.",
  },
  {
    id: "names_of_others",
    versions: "0.24.4",
    behaviour: "It sets CLAUDE_PROJECT_DIR and GEMINI_PROJECT_DIR besides its own variables.",
    evidence: "run",
    whatWeDo: "It is known by QWEN_CODE_SESSION_ID and QWEN_PROJECT_DIR, which are looked at first.",
  },
  {
    id: "failed_output_reaches_the_model",
    versions: "0.24.4",
    behaviour:
      "The output of a command that ends with another exit code than 0 comes to PostToolUseFailure as error, and reaches the model whatever a hook answers there: updatedToolOutput, decision: block, continue: false and exit code 2 leave it as it is.",
    evidence: "run",
    whatWeDo:
      "A rewrite of error is recorded as not applied, and the model reads the objection beside the output. What must not be read has to be denied before it runs.",
  },
] as const satisfies readonly Quirk[];
