import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ModelServer } from "../../../src/agents/verify/model-server/model-server.ts";
import type { ModelTurn, ToolCall } from "../../../src/agents/verify/model-server/script.ts";
import { programOf, type RealAgent } from "../install-agents.ts";
import { Person } from "../person.ts";
import { probedAgents, type Servers } from "./probed-agents.ts";

/** A call the scripted model makes, if it is offered the tool or a way to it; null ends the turn. */
export type PickCall = (turn: ModelTurn) => ToolCall | null;

/** What a run has come to. */
export interface ProbedRun {
  /** Whether a tool of the MCP server has run. */
  readonly isTouched: boolean;
  /** Every tool the agent offered to the model. */
  readonly offered: readonly string[];
  /** What its tools have answered. */
  readonly results: readonly string[];
}

/** Somebody with one agent, our hooks in its settings, and the MCP servers of a test. */
export class ProbedAgentRun {
  readonly agent: RealAgent;
  readonly person: Person;
  /** What its environment has besides. */
  env: Readonly<Record<string, string>> = {};
  readonly #marker: string;

  constructor(agent: RealAgent, config: string, servers: Readonly<Record<string, readonly string[]>>) {
    this.agent = agent;
    this.person = new Person(agent);
    this.#marker = join(this.person.project, "touched");
    this.configure(config);
    const { status, stderr } = this.person.swarm("install", agent, "--yes");
    if (status !== 0) throw new Error(stderr);
    const program = join(import.meta.dirname, "mcp-server.mjs");
    const argv: Servers = Object.fromEntries(
      Object.entries(servers).map(([name, tools]) => [
        name,
        [process.execPath, program, this.#marker, ...tools],
      ]),
    );
    probedAgents[agent].configure(this.person, argv);
  }

  /** Replaces the user's configuration. */
  configure(config: string): void {
    writeFileSync(join(this.person.home, ".swarm/config.yaml"), config);
  }

  /** One turn, in which the model makes these calls one after the other. */
  async run(...calls: readonly PickCall[]): Promise<ProbedRun> {
    rmSync(this.#marker, { force: true });
    const probed = probedAgents[this.agent];
    const offered = new Set<string>();
    const model = await ModelServer.start((turn) => {
      const names = turn.tools.map(({ name }) => name);
      for (const name of [...names, ...(probed.namedInPrompts?.(turn.prompts) ?? [])]) offered.add(name);
      // Agents also ask for titles and summaries, with no tools or a few.
      const call = names.length > 3 ? calls[turn.toolResults.length]?.(turn) : undefined;
      return call ?? { text: "done" };
    });
    const spec = programOf(this.agent).headless("go", model.address);
    const child = spawn(this.person.program(this.agent), probed.args?.(spec.args) ?? [...spec.args], {
      cwd: this.person.project,
      env: { ...this.person.env, ...probed.env, ...spec.env, ...this.env },
      stdio: "ignore",
    });
    await once(child, "exit");
    await model.close();
    return { isTouched: existsSync(this.#marker), offered: [...offered], results: model.toolResults };
  }

  leave(): Promise<void> {
    return this.person.leave();
  }
}

/** The call of an MCP tool by what the agent has made of its name; Qwen Code's are behind `tool_call`. */
export function callOf(
  agent: RealAgent,
  isWanted: (name: string) => boolean,
  behind: string,
  input: Readonly<Record<string, string>> = { note: "x" },
): PickCall {
  if (agent === "qwen-code") return () => ({ tool: "tool_call", input: { name: behind, arguments: input } });
  return ({ tools }) => {
    const found = tools.find(({ name, namespace = "" }) => isWanted(`${namespace}${name}`));
    if (found === undefined) return null;
    const { name: tool, namespace } = found;
    return namespace === undefined ? { tool, input } : { tool, namespace, input };
  };
}
