import { errorCatalog } from "../../base/error-catalog.ts";
import { SwarmError } from "../../base/errors.ts";

/** RFC 9457: an error as a JSON document, with the code and what to do. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly remedy: string;
}

export const problemType = "application/problem+json";

export function problemOf(error: unknown): Problem {
  const { code, message: detail }: SwarmError = error instanceof SwarmError ? error : internal;
  const { meaning: title, remedy, status } = errorCatalog[code];
  return { type: `urn:swarm-hooks:error:${code}`, title, status, detail, code, remedy };
}

/** What a mistake of ours says is for the log: it may hold anything. */
const internal = new SwarmError("SWARM_INTERNAL", { problem: "its log has the details" });
