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
}

/** What it says to that: a tool to call, or a text that ends the turn. */
export type ModelReply = ToolCall | { readonly text: string };

export type ModelScript = (turn: ModelTurn) => ModelReply;

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
