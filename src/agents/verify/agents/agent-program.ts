import type { Scope, SettingsFolders } from "../../port/adapter.ts";
import type { AgentName } from "../../port/agents.ts";
import type { NextCall, ToolCall } from "../model-server/script.ts";
import type { McpServer, Workplace } from "../workplace.ts";
import { decidingVariables } from "./deciding-variables.ts";

/** A settings file of the user's, as it is. */
export interface RealSettings {
  readonly scope: Scope;
  readonly file: string;
  readonly text: string;
}

/** What one run is started with. */
export interface RunSpec {
  readonly args: readonly string[];
  /** Besides what every start of the agent gets. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RunOptions {
  /** What its model is called, where that decides which tools it is offered. */
  readonly model?: string;
  /** An MCP server it is given, where that is said when it is started. */
  readonly server?: McpServer;
}

/** A real agent, ready to be run in a workplace. */
export interface ReadyAgent extends SettingsFolders {
  readonly profile: AgentProgram;
  /** Where its program is. */
  readonly program: string;
  readonly place: Workplace;
  /** Ends what is under way. */
  readonly signal?: AbortSignal;
}

/** How an agent's real program is run without its vendor: headless, against a model on loopback. */
export interface AgentProgram {
  readonly agent: AgentName;
  /** Its name on PATH, and the variable that says otherwise. */
  readonly program: string;
  readonly programVariable: string;
  /**
   * Whether it runs an entry its user has never seen. Where it does not, verify does not vouch for one: what would
   * need a new entry is proven without the agent.
   */
  readonly runsNewEntries: boolean;
  /** Brings what decides about hooks into the workplace, and nothing else: no credentials, no sessions. */
  copySettings(
    settings: readonly RealSettings[],
    folders: SettingsFolders,
    place: Workplace,
    /** Other files in which hooks can be switched off. */
    switches?: readonly Omit<RealSettings, "scope">[],
  ): void;
  /** Variables that make the workplace its home: even its version is asked for with them. */
  homeEnv(place: Workplace): Readonly<Record<string, string>>;
  /** Its own variables: those in its user's shell may decide about hooks, and are kept. */
  readonly variables: RegExp;
  /** One turn without a person. */
  headless(prompt: string, modelAddress: string, options?: RunOptions): RunSpec;
  /** How long its slowest run may take here; without it, as long as any. */
  readonly runTimeoutMs?: number;
  /** What the agent itself has against running our hook, and what to do about it; null: nothing it says. */
  objection(agent: ReadyAgent, hook: string): Promise<string | null>;
  /** The model's call that makes it run a command. */
  shell(command: string): ToolCall;
  /** The model's calls that open a command on a terminal, and type into it; left out where it has no tool for that. */
  readonly typing?: {
    open(command: string): ToolCall;
    type(text: string): NextCall;
  };
  /** The model's calls that make it write and change files, with what has to come before. */
  readonly files: {
    write(file: string, text: string): ToolCall;
    edit(file: string, before: string, after: string): readonly [ToolCall, ...ToolCall[]];
    /** A model it knows to be offered these tools, where others are not. */
    readonly model?: string;
  };
  /** The model's calls that make it call the tool of the MCP server. */
  mcp(server: McpServer, input: Readonly<Record<string, string>>): readonly [ToolCall, ...ToolCall[]];
  /** The model's calls that make it hand this prompt to a subagent, and wait. */
  subagent(prompt: string): readonly [ToolCall, ...NextCall[]];
  /** A hook call as it makes it before a command runs. */
  hookCall(
    command: string,
    cwd: string,
    callId: string,
  ): { readonly payload: object; readonly env: Readonly<Record<string, string>> };
}

/** An agent nobody can run without its vendor: whether it does as our hooks say cannot be seen here. */
export interface UnprovableAgent {
  readonly agent: AgentName;
  /** Why not, and what there is to go by instead. */
  readonly unprovable: string;
}

/** What programs need of an environment, and what runtimes take for options of theirs; no key, no token, no address is among it. */
const kept = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|SWARM_HOME|NODE_OPTIONS|BUN_OPTIONS)$/;

/** Whatever an agent still wants from the network ends here: nothing listens on the discard port. */
const nowhere = "http://127.0.0.1:9";

/** The whole environment of a program in a workplace. */
export function baseEnv({ place, env }: Pick<ReadyAgent, "place" | "env">): Record<string, string> {
  const own = Object.entries(env).filter(
    (pair): pair is [string, string] => kept.test(pair[0]) && pair[1] !== undefined,
  );
  const proxies = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
    [name, nowhere],
    [name.toUpperCase(), nowhere],
  ]);
  const local = "127.0.0.1,localhost";
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(proxies),
    no_proxy: local,
    NO_PROXY: local,
    TMPDIR: place.temporary,
  };
}

/** The same for the agent itself. */
export function agentEnv(agent: ReadyAgent): Record<string, string> {
  const { env, profile, place } = agent;
  const own = Object.entries(env).filter(([name]) => profile.variables.test(name));
  return {
    ...baseEnv(agent),
    ...decidingVariables(Object.fromEntries(own)),
    ...profile.homeEnv(place),
  };
}
