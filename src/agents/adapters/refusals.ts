import { noDecision } from "../../engine/events/decision.ts";
import { Outcome } from "../../engine/events/outcome.ts";
import type { Adapter, NativeAnswer } from "../port/adapter.ts";
import { exitAnswer } from "./answers.ts";

/**
 * Refuses in the words of the event, for agents that take exit code 2 for a denial before tools only, or drop what is on
 * stderr. Without a call there is nothing to go by but the exit code.
 */
export function refuseBy(
  encode: Adapter["encode"],
  exit: (reason: string) => NativeAnswer = plainExit,
): Adapter["refuse"] {
  return (reason, call) => {
    if (call === undefined) return exit(reason);
    const outcome = new Outcome(call.event, call.data as Outcome["data"]);
    outcome.decision = { ...noDecision, verdict: "deny", reason };
    return encode(outcome, call);
  };
}

/** Never JSON by chance: Gemini CLI and Qwen Code read stderr as an answer then, and a reason of `7` would let the call pass. */
function plainExit(reason: string): NativeAnswer {
  const why = reason.trim() || "denied by a hook";
  return exitAnswer(why.startsWith("swarm: ") ? why : `swarm: ${why}`);
}
