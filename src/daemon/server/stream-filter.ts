import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { suggest } from "../../base/suggest.ts";
import { verdicts } from "../../engine/events/decision.ts";
import { type RunEvent, runEventKinds } from "../../record/port/run-event.ts";
import { rowName, sequenceOf } from "../rest/values.ts";

export const streamPath = "/api/v1/stream";

/** What a reader of the stream wants to hear. */
export interface StreamFilter {
  /** The row it knows last; null: only what comes from now on. */
  readonly afterSeq: number | null;
  matches(row: RunEvent): boolean;
}

const known = ["after", "event", "kind", "session", "verdict"];

/** The filter an address asks for; a name nobody knows is a mistake somebody should hear of. */
export function streamFilter(query: URLSearchParams): StreamFilter {
  for (const option of query.keys()) {
    if (known.includes(option)) continue;
    throw new SwarmError("SWARM_OPTION_UNKNOWN", {
      where: "query",
      option,
      suggestion: suggest(option, known),
    });
  }
  const after = query.get("after");
  const event = query.get("event");
  const wanted = {
    event: event === null ? null : rowName(event),
    kind: oneOf("kind", runEventKinds, query.get("kind")),
    session: query.get("session"),
    verdict: oneOf("verdict", verdicts, query.get("verdict")),
  };
  const conditions = Object.entries(wanted).filter(([, value]) => value !== null) as [
    keyof RunEvent,
    string,
  ][];
  return {
    afterSeq: after === null ? null : sequenceOf(after),
    matches: (row) => conditions.every(([field, value]) => row[field] === value),
  };
}

function oneOf(option: string, all: readonly string[], value: string | null): string | null {
  if (value === null || all.includes(value)) return value;
  throw invalidOption("query", option, all.join(", "), value);
}
