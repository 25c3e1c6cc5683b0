import type { Quirk } from "../../port/adapter.ts";

export const geminiQuirks = [
  {
    id: "untrusted_folder",
    versions: "0.61.0",
    behaviour:
      "In a folder its user has not trusted no hook runs, not even one of the user's own settings, and without a terminal it does not start.",
    evidence: "run",
    whatWeDo:
      "swarm install says so; swarm verify copies the trust the user has given this folder, and none other.",
  },
  {
    id: "milliseconds",
    versions: "0.61.0",
    behaviour: "timeout is in milliseconds.",
    evidence: "source",
    whatWeDo: "60 seconds are written as 60000.",
  },
  {
    id: "rewrites_merge",
    versions: "0.61.0",
    behaviour:
      "New arguments are documented to be merged over the old ones; headless, what was not named was gone all the same.",
    evidence: "run",
    whatWeDo:
      "All arguments are sent, and a rewrite that takes one away becomes a denial with the suggestion.",
  },
  {
    id: "no_call_id",
    versions: "0.61.0",
    behaviour: "Tool calls have no id, but every event has one time for all of its hooks.",
    evidence: "run",
    whatWeDo: "A call that comes in twice is told by session, time and the whole payload.",
  },
  {
    id: "pre_compress_every_request",
    versions: "0.61.0",
    behaviour:
      "PreCompress is raised before every request to the model, whether or not anything will be compacted.",
    evidence: "run",
    whatWeDo:
      "Our entry has the matcher manual; a call with another trigger is recorded as native.unknown, because nothing tells what it is about.",
  },
  {
    id: "ask_hangs",
    versions: "0.61.0",
    behaviour: "ask without a terminal hangs until somebody kills it.",
    evidence: "run",
    whatWeDo: "ask becomes deny, because nothing tells whether there is a terminal.",
  },
  {
    id: "allow_grants_nothing",
    versions: "0.61.0",
    behaviour: "allow does not spare its user the question whether a tool may run.",
    evidence: "source",
    whatWeDo: "It is not sent.",
  },
  {
    id: "context_before_tools_is_dropped",
    versions: "0.61.0",
    behaviour: "additionalContext at BeforeTool reaches nobody.",
    evidence: "run",
    whatWeDo: "It is not sent, and the record says so.",
  },
  {
    id: "stderr_that_is_json",
    versions: "0.61.0",
    behaviour:
      "Exit code 2 with a number, true or null on stderr lets the tool run: it is read as an empty answer.",
    evidence: "run",
    whatWeDo:
      "A reason on stderr begins with a word of ours; denials are said in JSON wherever the call could be read.",
  },
  {
    id: "last_decision_counts",
    versions: "0.61.0",
    behaviour:
      "At BeforeModel and AfterModel the decision of the last hook takes the place of all before it.",
    evidence: "source",
    whatWeDo:
      "A denial there says continue: false as well, which no decision of another hook undoes; the turn ends either way.",
  },
  {
    id: "feedback_replaces_the_result",
    versions: "0.61.0",
    behaviour:
      "The reason of a denial at AfterTool takes the place of the tool's result, which cannot be changed.",
    evidence: "run",
    whatWeDo: "A rewrite of tool_output becomes such a denial, with the new output in the reason.",
  },
  {
    id: "messages_by_place",
    versions: "0.61.0",
    behaviour:
      "Texts of llm_request.messages are put into the request one by one; those that are left out stay.",
    evidence: "run",
    whatWeDo:
      "A rewrite of messages is sent as a whole; one with fewer of them, or without a text, becomes a denial.",
  },
  {
    id: "after_model_per_chunk",
    versions: "0.61.0",
    behaviour:
      "AfterModel is raised for every piece of a streamed answer, each time with the whole conversation.",
    evidence: "documentation",
    whatWeDo:
      "It and BeforeModel are installed only while a hook for model.after or model.before is configured.",
  },
  {
    id: "synthetic_answers_and_tail_calls",
    versions: "0.61.0",
    behaviour: "A made-up llm_response was not used, and a tail call raises AfterTool again, without end.",
    evidence: "run",
    whatWeDo: "Neither is ever sent.",
  },
  {
    id: "feedback_comes_back",
    versions: "0.61.0",
    behaviour: "The reason of a denial at AfterAgent is a new prompt, and raises BeforeAgent.",
    evidence: "source",
    whatWeDo: "It is a prompt.submit like others.",
  },
] as const satisfies readonly Quirk[];
