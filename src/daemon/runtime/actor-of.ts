import type { Origin } from "../../engine/events/envelope.ts";

/** Who is behind an event, for the record, when nobody says so. */
export function actorOf({ agent, source }: Origin): string {
  if (agent !== undefined) return `agent:${agent}`;
  return source === undefined ? "swarm" : `agent:${source}`;
}
