import type { Quirk } from "../../port/adapter.ts";

export const codexQuirks = [
  {
    id: "one_key_too_many",
    versions: "0.166.0",
    behaviour: "An answer with an unknown key is thrown away as a whole, and the tool runs.",
    evidence: "run",
    whatWeDo: "Each event's answer has only keys of its own schema.",
  },
  {
    id: "ask_runs_the_tool",
    versions: "0.166.0",
    behaviour: "ask and defer count as a failed hook, and the tool runs.",
    evidence: "run",
    whatWeDo: "Both become deny.",
  },
  {
    id: "allow_needs_a_rewrite",
    versions: "0.166.0",
    behaviour: "allow without updatedInput counts as a failed hook; updatedInput is read only next to allow.",
    evidence: "source",
    whatWeDo:
      "An allow is not sent. A rewrite is sent with allow, which grants nothing: the result of PreToolUse knows only a block and a new input.",
  },
  {
    id: "denial_needs_a_reason",
    versions: "0.166.0",
    behaviour: "A denial with an empty reason counts as a failed hook, and the tool runs.",
    evidence: "source",
    whatWeDo: "There is always a reason.",
  },
  {
    id: "exit_2_needs_stderr",
    versions: "0.166.0",
    behaviour: "Exit code 2 without text on stderr counts as a failed hook, and the tool runs.",
    evidence: "run",
    whatWeDo: "There is always text.",
  },
  {
    id: "stop_at_pre_tool_use",
    versions: "0.166.0",
    behaviour: "continue: false at PreToolUse counts as a failed hook, and the tool runs.",
    evidence: "run",
    whatWeDo: "A stop there becomes a denial.",
  },
  {
    id: "stop_at_post_tool_use",
    versions: "0.166.0",
    behaviour: "continue: false at PostToolUse replaces the result, but the model is called again.",
    evidence: "run",
    whatWeDo: "A stop there becomes feedback.",
  },
  {
    id: "feedback_replaces_the_result",
    versions: "0.166.0",
    behaviour:
      "The reason of a block at PostToolUse takes the place of the tool's result, which cannot be changed.",
    evidence: "run",
    whatWeDo: "A rewrite of tool_output becomes such a block, with the new output in the reason.",
  },
  {
    id: "text_output",
    versions: "0.166.0",
    behaviour: "The output of shell tools is a plain string.",
    evidence: "run",
    whatWeDo: "tool_output is that string.",
  },
  {
    id: "command_has_to_stay",
    versions: "0.166.0",
    behaviour: "New arguments of a shell or patch tool without a command are an error.",
    evidence: "source",
    whatWeDo: "Such a rewrite becomes a denial with the suggestion.",
  },
  {
    id: "deep_answers",
    versions: "0.166.0",
    behaviour: "JSON of more than 128 levels is not read.",
    evidence: "source",
    whatWeDo: "A rewrite of more than 100 levels becomes a denial.",
  },
  {
    id: "half_characters",
    versions: "0.166.0",
    behaviour: "Half of a surrogate pair in JSON is an error, and the whole answer is lost.",
    evidence: "source",
    whatWeDo: "It is replaced by U+FFFD.",
  },
  {
    id: "compaction_ends_the_turn",
    versions: "0.166.0",
    behaviour: "PreCompact has no block; continue: false hinders compaction and ends the turn.",
    evidence: "source",
    whatWeDo: "A denial is said so. A lost rewrite is not worth it and only recorded.",
  },
  {
    id: "root_keys",
    versions: "0.166.0",
    behaviour: "hooks.json with a root key other than description and hooks is not read.",
    evidence: "run",
    whatWeDo: "Nothing but hooks is written.",
  },
  {
    id: "no_exec_form",
    versions: "0.166.0",
    behaviour: "A command is a line for the user's shell; there is no list of arguments.",
    evidence: "source",
    whatWeDo: "Arguments are quoted so that sh, bash, zsh and fish read them alike.",
  },
  {
    id: "short_session_end",
    versions: "0.166.0",
    behaviour: "Hooks of SessionEnd and Interrupt get 1 second, at most 3.",
    evidence: "source",
    whatWeDo: "The table of events says so; who installs asks for no more.",
  },
  {
    id: "typing_calls_no_hook",
    versions: "0.166.0 || 0.169.0",
    behaviour:
      "write_stdin types into a command that exec_command has started with tty: true, and calls no hook. The hook of exec_command is told the command alone. Without tty its stdin is /dev/null.",
    evidence: "run",
    whatWeDo:
      "The rule self/typed-input, which comes with every policy, denies commands that execute what is typed into them. Editors that git opens by its user's own EDITOR are not seen; PAGER, GIT_PAGER and GH_PAGER are cat there.",
  },
] as const satisfies readonly Quirk[];
