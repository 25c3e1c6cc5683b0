import { type Adapter, eventVariable, type NativeAnswer, type RefusalTexts } from "../port/adapter.ts";
import { agentNames } from "../port/agents.ts";
import { exitAnswer } from "./answers.ts";
import { adapters } from "./index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Refuses a call whose input nobody has read, in the words of the agent the entry is for. Which event it is only a variable
 * of the entry can tell; without one there is nothing to go by but the agent.
 */
export function refuseUnread(agent: string, env: Variables, why: string): NativeAnswer {
  const reason = `swarm: denied, because this call could not be judged: ${why}`;
  const adapter = Object.values<Adapter>(adapters).find((known) => known.agent === agent);
  if (adapter === undefined) return exitAnswer(reason);
  const call = adapter.decode({ payload: {}, env });
  const answer = call.event === "native.unknown" ? null : adapter.refuse(reason, call);
  // An event that knows no denial has no words for one.
  return answer === null || (answer.exitCode === 0 && answer.stdout === "") ? adapter.refuse(reason) : answer;
}

/** Of every agent that takes more than a line on stderr; an event's own come after its agent's. */
export function refusalTexts(): RefusalTexts[] {
  const why = "\u0001";
  const reason = exitAnswer(`swarm: denied, because this call could not be judged: ${why}`).stderr.trimEnd();
  const found: RefusalTexts[] = [];
  for (const agent of agentNames) {
    let last = `${reason}\n`;
    for (const event of ["", ...new Set(adapters[agent].events.map(({ native }) => native))]) {
      const env = event === "" ? {} : { [eventVariable]: event };
      const { exitCode, stdout, stderr } = refuseUnread(agent, env, why);
      const text = exitCode === 0 ? stdout : stderr;
      if (text === last) continue;
      if (event === "") last = text;
      found.push({ agent, event, exitCode, texts: text.split(JSON.stringify(reason).slice(1, -1)) });
    }
  }
  return found;
}
