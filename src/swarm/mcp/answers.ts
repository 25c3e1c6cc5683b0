import { errorCatalog, type ErrorCode } from "../../base/error-catalog.ts";
import { problemOf } from "../../daemon/rest/problem.ts";
import { visible } from "../../base/visible.ts";

const maxTextChars = 8_000;
const maxItems = 100;

/**
 * What a model is shown of what others wrote: short enough for its context, and nothing in it that cannot be seen. A text
 * stays a text and a list a list, so that the answer is still as its schema says.
 */
export function forModel(value: unknown): unknown {
  if (typeof value === "string") return shortened(value).split("\n").map(visible).join("\n");
  if (Array.isArray(value)) return value.slice(0, maxItems).map(forModel);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(entries.map(([key, one]) => [visible(key), forModel(one)]));
}

function shortened(text: string): string {
  const more = text.length - maxTextChars;
  return more <= 0 ? text : `${text.slice(0, maxTextChars)}… [${more} characters more]`;
}

export interface ToolAnswer {
  readonly [key: string]: unknown;
  readonly content: { type: "text"; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

export function answered(shown: Readonly<Record<string, unknown>>): ToolAnswer {
  const structuredContent = forModel(shown) as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

/** The catalogue's remedies are commands for people; a model has tools. */
const remedies: Partial<Record<ErrorCode, string>> = {
  SWARM_LEASE_STALE:
    "Stop working on this task now: nothing you do for it can be reported. Take another with claim_task or wait_for_task.",
  SWARM_TASK_NONE_READY: "Call wait_for_task.",
  SWARM_TASK_NONE_HELD: "Take one with claim_task.",
  SWARM_TASK_NOT_READY: "Take another: claim_task without task_id.",
  SWARM_TASK_UNKNOWN: "Give an id that claim_task or get_task has shown.",
  SWARM_TASK_STATE:
    "Look at the task with get_task; if you do not have it any more, take another with claim_task.",
  SWARM_TASK_REFUSED: "Do not try this one again: take another with claim_task, or tell the person.",
  SWARM_DAEMON_LOST:
    "It may be starting again: call once more in some seconds. What it answered before is kept.",
  SWARM_TOKEN_REFUSED: "You have ended, or were never registered: stop, and tell the person who started you.",
  SWARM_AGENT_ENDED: "You have been ended: stop.",
  SWARM_OPTION_INVALID: "Call again with what is expected.",
  SWARM_OPTION_UNKNOWN: "Call again without it.",
};

/** A tool's error: the code, what was wrong, what to do. */
export function refusal(error: unknown): ToolAnswer {
  const { code, detail } = problemOf(error);
  const remedy = remedies[code as ErrorCode] ?? errorCatalog[code as ErrorCode].remedy;
  const text = `${code}: ${forModel(detail) as string}\nWhat to do: ${remedy}`;
  return { content: [{ type: "text", text }], isError: true };
}
