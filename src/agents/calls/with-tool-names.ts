import { adapters } from "../adapters/index.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import type { AgentName } from "../port/agents.ts";

/** An event that says which agent it comes from is about that agent's tools, whoever emits it. */
export function withToolNames(origin: Origin, data: object): Origin {
  const { source } = origin;
  if (source === undefined || !Object.hasOwn(adapters, source)) return origin;
  const toolNames = adapters[source as AgentName].toolNames(data as Readonly<Record<string, unknown>>);
  return toolNames === undefined ? origin : { ...origin, toolNames };
}
