import { commonTool } from "./common-tool.ts";
import type { Decision } from "./decision.ts";
import type { EventName } from "./names.ts";
import type { ToolNames } from "./tool-names.ts";
import type { CommonTool } from "./tools.ts";

/** Where an event came from; whoever emits it may say. */
export interface Origin {
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly task?: string | undefined;
  readonly cwd?: string | undefined;
  readonly source?: string | undefined;
  readonly native_event?: string | undefined;
  /** What the adapter of the agent makes of the tool's name; without it the name alone has to do. */
  readonly toolNames?: ToolNames | undefined;
  /**
   * By when an answer is needed, on the engine's monotonic clock. A hook that is at work then has failed: whoever
   * asked would not wait any longer and take silence for consent.
   */
  readonly answerByMs?: number | undefined;
  /** How long the caller waits for a person, where the decision is to ask one. Default not at all. */
  readonly personWaitMs?: number | undefined;
}

/** Where something came from, as it is handed on and recorded; null where nobody has said. */
export interface OriginFields {
  readonly session: string | null;
  readonly agent: string | null;
  readonly task: string | null;
  readonly cwd: string | null;
  readonly source: string | null;
}

export function originFields({
  session = null,
  agent = null,
  task = null,
  cwd = null,
  source = null,
}: { readonly [N in keyof OriginFields]?: string | null | undefined } = {}): OriginFields {
  return { session, agent, task, cwd, source };
}

/** An event as a handler outside this process receives it. */
export interface Envelope extends OriginFields {
  readonly event: EventName;
  readonly id: string;
  /** Unix time in seconds, with fractions. */
  readonly timestamp: number;
  readonly native_event: string | null;
  /** Of events about a tool: the call in words that are the same for every agent. */
  readonly tool?: CommonTool;
  /** For observers, who are called after it. */
  readonly decision?: Pick<Decision, "verdict" | "reason" | "hook">;
  readonly data: unknown;
}

export function envelope(
  event: EventName,
  id: string,
  nowMs: number,
  origin: Origin | undefined,
  data: unknown,
  decision?: Decision,
): Envelope {
  const tool = commonTool((data ?? {}) as Record<string, unknown>, origin);
  return {
    event,
    id,
    timestamp: nowMs / 1000,
    ...originFields(origin),
    native_event: origin?.native_event ?? null,
    ...(tool !== null && { tool }),
    ...(decision !== undefined && { decision: decidedFields(decision) }),
    data,
  };
}

function decidedFields({ verdict, reason, hook }: Decision): Pick<Decision, "verdict" | "reason" | "hook"> {
  return { verdict, reason, hook };
}
