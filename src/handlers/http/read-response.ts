import { SwarmError } from "../../base/errors.ts";
import type { EventName } from "../../engine/events/names.ts";
import type { HttpResponse } from "../../net/outbound.ts";
import { readClaudeAnswer, type Warn } from "../claude/answer.ts";

interface Reader {
  readonly name: string;
  readonly isClaudeShaped: boolean;
  readonly limitBytes: number;
  readonly warn?: Warn | undefined;
}

/**
 * What a response means: an answer, nothing, or a failure that is thrown for the engine to judge by `on_failure`. Only
 * JSON that says it is JSON counts: the page a captive portal puts in the endpoint's place must not be taken for consent.
 */
export function readResponse(
  { name: hook, isClaudeShaped, limitBytes, warn }: Reader,
  event: EventName,
  { status, headers, body, isCut }: HttpResponse,
): unknown {
  if (status < 200 || status > 299)
    throw new SwarmError("SWARM_RESPONSE_STATUS", { hook, status, detail: detail(status) });
  if (isCut) throw new SwarmError("SWARM_RESPONSE_FLOODED", { hook, limitBytes });
  if (body.length === 0) return undefined;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    throw new SwarmError("SWARM_RESPONSE_CONTENT", { hook, content: `content encoded as ${encoding}` });
  const content = headers["content-type"] ?? "no content-type";
  if (!isJson.test(content)) throw new SwarmError("SWARM_RESPONSE_CONTENT", { hook, content });
  const answer = parse(hook, body);
  return isClaudeShaped ? readClaudeAnswer(event, answer, warn) : answer;
}

const isJson = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

function detail(status: number): string {
  return status >= 300 && status < 400 ? "redirects are not followed" : "";
}

/** Strictly UTF-8: a byte that is replaced on the way would be judged as something it is not. */
const decoder = new TextDecoder("utf-8", { fatal: true });

function parse(hook: string, body: Buffer): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = JSON.parse(decoder.decode(body));
  } catch (error) {
    throw new SwarmError("SWARM_RESPONSE_ANSWER", { hook, problem: (error as Error).message });
  }
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer))
    return answer as Record<string, unknown>;
  const problem = Array.isArray(answer) ? "an array" : answer === null ? "null" : `a ${typeof answer}`;
  throw new SwarmError("SWARM_RESPONSE_ANSWER", { hook, problem });
}
