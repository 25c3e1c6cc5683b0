import { type ProcessEnding, runProcess } from "../../handlers/process/run-process.ts";
import { agentEnv, type ReadyAgent, type RunOptions } from "./agents/agent-program.ts";
import { ModelServer } from "./model-server/model-server.ts";
import type { ModelScript, OfferedTool } from "./model-server/script.ts";

/** What one run left behind. */
export interface AgentRun {
  /** What its model was told of its tools. */
  readonly toolResults: readonly string[];
  readonly tools: readonly OfferedTool[];
  /** How it ended, with the last it said where it said anything. */
  readonly ending: string;
}

/** The slowest start seen is 3 s; a machine under load is given twenty times that. */
const runTimeoutMs = 60_000;

/** Runs the agent once, with a model that follows the script. */
export async function runAgent(
  agent: ReadyAgent,
  prompt: string,
  script: ModelScript,
  options: RunOptions = {},
): Promise<AgentRun> {
  const { profile, program, place, signal } = agent;
  const model = await ModelServer.start(script);
  try {
    const spec = profile.headless(prompt, model.address, { server: place.server, ...options });
    const { ending, stderr } = await runProcess({
      argv: [program, ...spec.args],
      cwd: place.project,
      env: { ...agentEnv(agent), ...spec.env },
      stdin: "",
      timeoutMs: profile.runTimeoutMs ?? runTimeoutMs,
      spillFolder: null,
      ...(signal === undefined ? {} : { signal }),
    });
    signal?.throwIfAborted();
    const tools = model.requests.flatMap(({ turn }) => turn?.tools ?? []);
    const unasked = model.requests.length === 0 ? ", it never asked its model" : "";
    return { toolResults: model.toolResults, tools, ending: `${endingOf(ending, stderr)}${unasked}` };
  } finally {
    await model.close();
  }
}

/** What it said last counts only where it failed: agents warn of a good deal. */
function endingOf(ending: ProcessEnding, stderr: string): string {
  if (ending.how === "exited" && ending.exitCode === 0) return "exit 0";
  const how = ending.how === "exited" ? `exit ${ending.exitCode}` : ending.how.replace("_", " ");
  const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  return said === "" ? how : `${how}: ${said}`;
}
