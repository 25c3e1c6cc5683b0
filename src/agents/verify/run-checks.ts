import { existsSync } from "node:fs";
import type { AgentProgram, ReadyAgent, RunOptions } from "./agents/agent-program.ts";
import { type CallClass, type Check, check } from "./check.ts";
import { callsInOrder, callsOffered, type ModelScript, type ToolCall } from "./model-server/script.ts";
import { type AgentRun, runAgent } from "./run-agent.ts";
import type { DeniedCall } from "./sentinel.ts";

/** A kind of call, the denied ones that try it, and all the model asks for to make them. */
interface Trial {
  readonly class: CallClass;
  readonly denied: readonly DeniedCall[];
  readonly calls: readonly ToolCall[];
}

/** One turn of the agent that asks for one call after the other: most are denied, one is allowed, one rewritten. */
export async function checkHeadless(agent: ReadyAgent): Promise<Check[]> {
  const { profile, place } = agent;
  const trials = trialsOf(agent);
  const shell = (["allowed", "original"] as const).map((call) =>
    profile.shell(place.sentinel.commandOf(call)),
  );
  const { files } = profile;
  // Where only some models are offered tools for files, they have a turn of their own, with such a model.
  const isOwnTurn = ({ class: name }: Trial) =>
    files.model !== undefined && (name === "write" || name === "edit");
  const common = trials.filter((trial) => !isOwnTurn(trial)).flatMap(({ calls }) => calls);
  const run = await runAgent(agent, "swarm verify", callsOffered([...common, ...shell]));
  const own = trials.filter(isOwnTurn).flatMap(({ calls }) => calls);
  const fileRun =
    own.length === 0 ? run : await runAgent(agent, "swarm verify", callsOffered(own), optionsOf(files));
  return [
    ...trials.map((trial) => judgeTrial(agent, isOwnTurn(trial) ? fileRun : run, trial)),
    check("allow", ...judgeAllowed(agent, run)),
    check("rewrite", ...judgeRewritten(agent, run)),
  ];
}

function optionsOf({ model }: AgentProgram["files"]): RunOptions {
  return model === undefined ? {} : { model };
}

function trialsOf({ profile, place }: ReadyAgent): Trial[] {
  const { sentinel, server } = place;
  const shells = ["shell_1", "shell_2", "shell_3"] as const;
  const { files } = profile;
  const edited = place.path(sentinel.word("edited file"));
  const [before, after] = [sentinel.word("old text"), sentinel.fileOf("edit")];
  return [
    {
      class: "shell",
      denied: shells,
      calls: shells.map((call) => profile.shell(sentinel.commandOf(call))),
    },
    {
      class: "write",
      denied: ["write"],
      calls: [files.write(place.path(sentinel.fileOf("write")), sentinel.word("text"))],
    },
    { class: "edit", denied: ["edit"], calls: files.edit(edited, before, after) },
    { class: "mcp", denied: ["mcp"], calls: profile.mcp(server, { text: sentinel.fileOf("mcp") }) },
  ];
}

function judgeTrial(agent: ReadyAgent, run: AgentRun, { class: name, denied, calls }: Trial): Check {
  const tool = calls.at(-1)?.tool ?? "";
  if (run.tools.length > 0 && !isOffered(run, tool)) {
    return check(name, "not_applicable", `it offers no ${agent.place.sentinel.masked(tool)}`);
  }
  return check(name, ...judgeDenied(agent, run, denied));
}

/** Denied calls once more, asked for by an agent the agent has started. */
export async function checkSubagent(agent: ReadyAgent): Promise<Check> {
  const { profile, place } = agent;
  const { sentinel } = place;
  const prompt = `swarm verify ${sentinel.token} by another agent`;
  const start = profile.subagent(prompt);
  const main = callsInOrder(start);
  const file = place.path(sentinel.fileOf("subagent_write"));
  const write = profile.files.model === undefined ? [profile.files.write(file, sentinel.word("text"))] : [];
  const inner = callsOffered([profile.shell(sentinel.commandOf("subagent_shell")), ...write]);
  // Told apart by what it was asked: the prompt of the inner one stands in no other conversation as a person's word.
  const isInner: Parameters<typeof watched>[1] = ({ prompts }) =>
    prompts.some((text) => text.includes(prompt));
  const [script, seen] = watched((turn) => (isInner(turn) ? inner(turn) : main(turn)), isInner);
  const run = await runAgent(agent, "swarm verify", script);
  const [{ tool }] = start;
  if (run.tools.length > 0 && !isOffered(run, tool)) {
    return check("subagent", "not_applicable", `it offers no ${tool}`);
  }
  const canWrite = write.some((call) => seen.has(call.tool));
  const denied = ["subagent_shell", ...(canWrite ? (["subagent_write"] as const) : [])] as const;
  return check("subagent", ...judgeDenied(agent, run, denied));
}

/**
 * A shell is opened, and a command typed into it. Where an agent types without calling a hook, the shell must not open: none
 * of the project's hooks is against it, so that it is our own rule that is tried.
 */
export async function checkTyping(
  agent: ReadyAgent,
  { open, type }: NonNullable<AgentProgram["typing"]>,
): Promise<Check> {
  const { sentinel } = agent.place;
  const file = agent.place.path(sentinel.word("typed file"));
  const script = callsInOrder([open("sh"), type(`: > ${file}\n`)]);
  const run = await runAgent(agent, "swarm verify", script);
  if (existsSync(file))
    return check("typing", "fail", "what was typed into a shell ran, and no hook was called");
  const told = run.toolResults.find((text) => text.includes("[self/typed-input]"));
  if (told === undefined)
    return check("typing", "not_provable", `no shell was opened, but not by our word: ${lastHeard(run)}`);
  return check(
    "typing",
    "pass",
    `no shell was opened, and the model was told: ${sentinel.masked(told.trim())}`,
  );
}

/** The script, and the tools that were offered in the turns that matter. */
function watched(
  script: ModelScript,
  matters: (turn: Parameters<ModelScript>[0]) => boolean,
): [ModelScript, ReadonlySet<string>] {
  const seen = new Set<string>();
  return [
    (turn) => {
      if (matters(turn)) for (const { name } of turn.tools) seen.add(name);
      return script(turn);
    },
    seen,
  ];
}

/** A denied command once more. */
export async function runDenied(agent: ReadyAgent, call: DeniedCall): Promise<Judgement> {
  const { profile, place } = agent;
  const script = callsInOrder([profile.shell(place.sentinel.commandOf(call))]);
  return judgeDenied(agent, await runAgent(agent, "swarm verify", script), [call]);
}

export type Judgement = readonly [Check["result"], string];

/** Not having run is no proof by itself: an agent that fails for another reason has not run it either. */
function judgeDenied({ place }: ReadyAgent, run: AgentRun, calls: readonly DeniedCall[]): Judgement {
  const { sentinel } = place;
  const ran = calls.filter((call) => place.hasRun(call));
  if (ran.length > 0) return ["fail", `a denied call ran: ${ran.join(", ")}`];
  const heard = calls.map((call) => ({
    call,
    answer: answerWith(run, sentinel.reasonOf(call)),
  }));
  const missing = heard.find(({ answer }) => answer === null);
  if (missing !== undefined) {
    return ["not_provable", `it did not run, but not by our word (${missing.call}): ${lastHeard(run)}`];
  }
  return ["pass", `it did not run, and the model was told: ${sentinel.masked(heard[0]?.answer ?? "")}`];
}

/** What the model was told of the call, up to the end of our reason: what follows may name the command. */
function answerWith({ toolResults }: AgentRun, reason: string): string | null {
  const told = toolResults.find((text) => text.includes(reason));
  return told === undefined ? null : told.slice(0, told.indexOf(reason) + reason.length).trim();
}

function judgeAllowed({ place }: ReadyAgent, run: AgentRun): Judgement {
  if (place.hasRun("allowed")) return ["pass", "the command ran"];
  return ["not_provable", `a harmless command did not run: ${lastHeard(run)}`];
}

function judgeRewritten({ place }: ReadyAgent, run: AgentRun): Judgement {
  if (place.hasRun("original")) return ["fail", "the command ran as the model wrote it"];
  if (place.hasRun("rewritten")) return ["pass", "the rewritten command ran, the original did not"];
  return ["not_provable", `neither form ran: ${lastHeard(run)}`];
}

function isOffered({ tools }: AgentRun, tool: string): boolean {
  return tools.some(({ name }) => name.endsWith(tool));
}

function lastHeard({ toolResults, ending }: AgentRun): string {
  const last = toolResults.at(-1)?.trim();
  return last === undefined || last === "" ? ending : `the model heard "${last.slice(0, 300)}" (${ending})`;
}
