import type { ReadyAgent } from "./agents/agent-program.ts";
import { type Check, check } from "./check.ts";
import { callsInOrder, type ModelScript } from "./model-server/script.ts";
import { type AgentRun, runAgent } from "./run-agent.ts";
import { commandOf, type Fate, markerOf } from "./sentinel.ts";

/** One turn of the agent that asks for three commands: one is denied, one allowed, one rewritten. */
export async function checkHeadless(agent: ReadyAgent): Promise<Check[]> {
  const script = callsInOrder((["denied", "allowed", "original"] as const).map((fate) => call(agent, fate)));
  const run = await runAgent(agent, "swarm verify", script);
  return [
    check("deny", ...judgeDenied(agent, run, "headless")),
    check("allow", ...judgeAllowed(agent, run)),
    check("rewrite", ...judgeRewritten(agent, run)),
  ];
}

/** The same denied command, asked for by an agent the agent has started. */
export async function checkSubagent(agent: ReadyAgent): Promise<Check> {
  const { profile, place } = agent;
  const prompt = `swarm verify ${place.sentinel.token} by another agent`;
  const start = profile.subagent(prompt);
  const main = callsInOrder(start);
  const inner = callsInOrder([call(agent, "denied", "subagent")]);
  // Told apart by what it was asked: the prompt of the inner one stands in no other conversation as a person's word.
  const script: ModelScript = (turn) =>
    turn.prompts.some((text) => text.includes(prompt)) ? inner(turn) : main(turn);
  const run = await runAgent(agent, "swarm verify", script);
  const [{ tool }] = start;
  const isOffered = run.tools.some(({ name }) => name === tool);
  if (run.tools.length > 0 && !isOffered) return check("subagent", "not_applicable", `it offers no ${tool}`);
  return check("subagent", ...judgeDenied(agent, run, "subagent"));
}

/** The denied command once more. */
export async function runDenied(agent: ReadyAgent, name: string): Promise<Judgement> {
  return judgeDenied(
    agent,
    await runAgent(agent, "swarm verify", callsInOrder([call(agent, "denied", name)])),
    name,
  );
}

export type Judgement = readonly [Check["result"], string];

function call({ profile, place }: ReadyAgent, fate: Fate, run = "headless") {
  return profile.shell(commandOf(markerOf(place.sentinel, fate, run)));
}

/** Not having run is no proof by itself: an agent that fails for another reason has not run it either. */
function judgeDenied({ place }: ReadyAgent, run: AgentRun, name: string): Judgement {
  const { sentinel } = place;
  if (place.has(markerOf(sentinel, "denied", name))) return ["fail", "the denied command ran"];
  const told = run.toolResults.find((text) => text.includes(sentinel.reason));
  if (told !== undefined) return ["pass", `it did not run, and the model was told: ${told.trim()}`];
  return ["not_provable", `it did not run, but not by our word: ${heard(run)}`];
}

function judgeAllowed({ place }: ReadyAgent, run: AgentRun): Judgement {
  if (place.has(markerOf(place.sentinel, "allowed", "headless"))) return ["pass", "the command ran"];
  return ["not_provable", `a harmless command did not run: ${heard(run)}`];
}

function judgeRewritten({ place }: ReadyAgent, run: AgentRun): Judgement {
  const [original, rewritten] = (["original", "rewritten"] as const).map((fate) =>
    place.has(markerOf(place.sentinel, fate, "headless")),
  );
  if (original === true) return ["fail", "the command ran as the model wrote it"];
  if (rewritten === true) return ["pass", "the rewritten command ran, the original did not"];
  return ["not_provable", `neither form ran: ${heard(run)}`];
}

function heard({ toolResults, ending }: AgentRun): string {
  const last = toolResults.at(-1)?.trim();
  return last === undefined || last === "" ? ending : `the model heard "${last.slice(0, 300)}" (${ending})`;
}
