import type { Quirk } from "../../port/adapter.ts";

export const claudeQuirks = [
  {
    id: "stop_runs_the_tool",
    versions: "2.1.325",
    behaviour: "continue: false at PreToolUse ends the turn, but the tool runs before.",
    evidence: "run",
    whatWeDo: "A stop there is a denial as well.",
  },
  {
    id: "defer_is_ignored",
    versions: "2.1.325",
    behaviour:
      "defer works with -p and one tool call; otherwise it is ignored and the tool goes its usual way.",
    evidence: "source",
    whatWeDo: "defer becomes deny, because nothing tells which of the two it is.",
  },
  {
    id: "ask_headless",
    versions: "2.1.325",
    behaviour: "ask without a terminal is a denial that carries the reason.",
    evidence: "run",
    whatWeDo: "ask is passed on.",
  },
  {
    id: "context_keeps_working",
    versions: "2.1.325",
    behaviour: "Context at Stop and SubagentStop makes the agent go on, as a denial does.",
    evidence: "run",
    whatWeDo: "Context is not sent there; with a denial it is told within the reason.",
  },
  {
    id: "input_is_replaced",
    versions: "2.1.325",
    behaviour: "updatedInput replaces all arguments, and needs and grants no permission.",
    evidence: "run",
    whatWeDo: "The whole rewritten tool_input is sent, without a decision that no hook made.",
  },
  {
    id: "output_has_to_fit",
    versions: "2.1.325",
    behaviour: "updatedToolOutput of another shape than the tool's own output is ignored.",
    evidence: "run",
    whatWeDo: "The whole output is sent, and a rewrite that changes its shape becomes feedback that says so.",
  },
  {
    id: "event_name_has_to_match",
    versions: "2.1.325",
    behaviour: "A wrong hookEventName makes the whole answer an error that blocks nothing.",
    evidence: "run",
    whatWeDo: "The name is the call's own.",
  },
  {
    id: "permission_request_rewrites_by_allowing",
    versions: "2.1.325",
    behaviour: "A permission dialog takes other arguments only together with allow.",
    evidence: "source",
    whatWeDo: "Without an allow of a hook the rewrite becomes a denial with the suggestion.",
  },
  {
    id: "failure_passes",
    versions: "2.1.325",
    behaviour: "A hook that crashes, hangs or exits with 1 is ignored; onFailure: block makes it block.",
    evidence: "run",
    whatWeDo: "Entries of guards are installed with onFailure: block.",
  },
  {
    id: "worktree_create",
    versions: "2.1.325",
    behaviour: "A hook of WorktreeCreate has to print the path of the worktree it made.",
    evidence: "documentation",
    whatWeDo: "It is never installed; a call of it is recorded and gets no answer.",
  },
  {
    id: "empty_agent_type",
    versions: "2.1.325",
    behaviour: "/compact ends two internal subagents whose agent_type is empty.",
    evidence: "run",
    whatWeDo: "They are events like others, with an empty agent_name.",
  },
  {
    id: "prompt_cannot_be_changed",
    versions: "2.1.325",
    behaviour: "UserPromptSubmit can refuse a prompt and add to it, but not change it.",
    evidence: "source",
    whatWeDo: "A rewrite of the prompt becomes a refusal with the suggestion.",
  },
  {
    id: "failed_output_reaches_the_model",
    versions: "2.1.326",
    behaviour:
      "The output of a command that ends with another exit code than 0 comes to PostToolUseFailure as error, and reaches the model whatever a hook answers there: updatedToolOutput, decision: block, continue: false and exit code 2 leave it as it is.",
    evidence: "run",
    whatWeDo:
      "A rewrite of error is recorded as not applied, and the model reads the objection beside the output. What must not be read has to be denied before it runs.",
  },
] as const satisfies readonly Quirk[];
