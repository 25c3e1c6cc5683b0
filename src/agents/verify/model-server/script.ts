/** What a model is asked, whatever the words of its API. */
export interface ModelTurn {
  /** What people have said, in order. */
  readonly prompts: readonly string[];
  /** What its tools have answered so far, in order. */
  readonly toolResults: readonly string[];
  /** Tools it may call. */
  readonly tools: readonly OfferedTool[];
}

export interface OfferedTool {
  readonly name: string;
  /** Where the agent groups its tools: a call has to name the group. */
  readonly namespace?: string;
}

export interface ToolCall {
  readonly tool: string;
  /** That of the tool as it was offered. */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** In place of the input, for a tool that takes a text and no arguments. */
  readonly text?: string;
}

/** What it says to that: a tool to call, or a text that ends the turn. */
export type ModelReply = ToolCall | { readonly text: string };

export type ModelScript = (turn: ModelTurn) => ModelReply;

/** A tool is offered under the name the script has for it, or, where an agent puts a server's name before it, with it at its end. */
export function offeredAs(tool: string, { tools }: ModelTurn): OfferedTool | undefined {
  return tools.find(({ name }) => name === tool) ?? tools.find(({ name }) => name.endsWith(tool));
}

/** A call that is made of what came before it. */
export type NextCall = ToolCall | ((turn: ModelTurn) => ToolCall);

/**
 * One call after the other, by how many have been answered, then a text. Agents also ask for titles and summaries,
 * without tools or with a few of their own: only a request that offers the tool is part of the script.
 */
export function callsInOrder(calls: readonly NextCall[]): ModelScript {
  return (turn) => {
    const next = calls[turn.toolResults.length];
    const call = typeof next === "function" ? next(turn) : next;
    const offered = turn.tools.find(({ name }) => name === call?.tool);
    if (call === undefined || offered === undefined) return { text: "done" };
    return offered.namespace === undefined ? call : { ...call, namespace: offered.namespace };
  };
}

/**
 * The same for calls of tools the agent may not have: those it does not offer are left out. A request that does not
 * offer the first tool is no part of the script.
 */
export function callsOffered(calls: readonly ToolCall[]): ModelScript {
  return (turn) => {
    const offered = calls.flatMap((call) => {
      const tool = offeredAs(call.tool, turn);
      return tool === undefined ? [] : [{ ...call, tool: tool.name, ...namespaceOf(tool) }];
    });
    const [first] = calls;
    const isPart = first !== undefined && offeredAs(first.tool, turn) !== undefined;
    return (isPart ? offered[turn.toolResults.length] : undefined) ?? { text: "done" };
  };
}

function namespaceOf({ namespace }: OfferedTool): Partial<OfferedTool> {
  return namespace === undefined ? {} : { namespace };
}
