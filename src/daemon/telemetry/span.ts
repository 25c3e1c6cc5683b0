import { hash } from "node:crypto";
import { redact } from "../../base/redact.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import type { EventName } from "../../engine/events/names.ts";
import type { HandlerRecord, Outcome } from "../../engine/events/outcome.ts";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work, finished. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** Unix time in milliseconds, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Null: nothing went wrong. */
  readonly error: string | null;
}

/** An attribute is a name or a short reason, never a payload. */
const maxChars = 256;

/** One event. Its ids follow from the event's own, so that an observer that ends later finds its place. */
export function emitSpan(
  { event, id, decision }: Pick<Outcome, "event" | "id" | "decision">,
  data: object,
  origin: Origin,
  startMs: number,
  endMs: number,
): Span {
  const attributes = {
    ...namesOf(event, data),
    ...originOf(origin),
    "swarm.event": event,
    "swarm.event.id": id,
    "swarm.verdict": decision.verdict,
    ...(decision.hook !== null && { "swarm.decided_by": decision.hook }),
  };
  const ids = { traceId: traceOf(id), spanId: spanOf(id), parentSpanId: null };
  return { ...ids, name: `emit ${event}`, startMs, endMs, attributes: clean(attributes), error: null };
}

/** One call of a hook, at this place among the event's. */
export function handlerSpan(
  { event, id }: Pick<Outcome, "event" | "id">,
  { name, kind, mode, status, verdict, reason, ms }: HandlerRecord,
  startMs: number,
): Span {
  const attributes = {
    "swarm.event": event,
    "swarm.hook.name": name,
    "swarm.hook.kind": kind,
    "swarm.hook.mode": mode,
    "swarm.hook.status": status,
    "swarm.verdict": verdict,
  };
  const hasFailed = status === "failed" || status === "timed_out";
  return {
    traceId: traceOf(id),
    spanId: spanOf(`${id} ${name}`),
    parentSpanId: spanOf(id),
    name: `hook ${cleanText(name)}`,
    startMs,
    endMs: startMs + ms,
    attributes: clean(attributes),
    error: hasFailed ? cleanText(reason ?? status) : null,
  };
}

/** What semantic conventions for generative AI have a name for. */
function namesOf(event: EventName, data: object): Record<string, unknown> {
  const given = data as Readonly<Record<string, unknown>>;
  const [area] = event.split(".");
  switch (area) {
    case "tool":
    case "permission":
      return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": given.tool_name,
        "gen_ai.tool.call.id": given.tool_use_id ?? given.tool_call_id,
      };
    case "model":
      return { "gen_ai.operation.name": "chat", "gen_ai.request.model": given.model };
    case "subagent":
    case "agent":
      return { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": given.agent_name };
    default:
      return {};
  }
}

function originOf({ session, agent, task, source }: Origin): Record<string, unknown> {
  return {
    "gen_ai.conversation.id": session,
    "gen_ai.agent.id": agent,
    "swarm.task": task,
    "swarm.source": source,
  };
}

/** Secrets are replaced, and what is not there, or no text, is left out. */
function clean(attributes: Readonly<Record<string, unknown>>): Attributes {
  const texts = Object.entries(attributes).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return Object.fromEntries(texts.map(([name, text]) => [name, cleanText(text)]));
}

export function cleanText(text: string): string {
  return String(redact(text)).slice(0, maxChars).toWellFormed();
}

function traceOf(id: string): string {
  return hash("sha256", `trace ${id}`, "hex").slice(0, 32);
}

function spanOf(id: string): string {
  return hash("sha256", `span ${id}`, "hex").slice(0, 16);
}
