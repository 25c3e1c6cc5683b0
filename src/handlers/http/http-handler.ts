import type { Outbound } from "../../net/outbound.ts";
import { requestHeaders } from "../../net/request-headers.ts";
import { sign, signingKeys } from "../../net/standard-webhooks.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import type { Warn } from "../claude/answer.ts";
import { claudeInput, folderOf } from "../claude/input.ts";
import { readResponse } from "./read-response.ts";

/** A request to make for an event. */
export interface HttpSpec {
  readonly name: string;
  /** The file it was declared in speaks Claude Code's language: so do the request and its answer. */
  readonly isClaudeShaped: boolean;
  readonly nativeEvent: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | null;
  readonly previousSecret: string | null;
  readonly allowPrivate: readonly string[];
  readonly warn?: Warn;
}

/** An answer is a decision: more than this is something else. As much as a program may print. */
const limitBytes = 1024 * 1024;

/** A handler that asks an endpoint: the event as JSON in the request, the answer as JSON in the response. */
export function httpHandler(spec: HttpSpec, outbound: Outbound): HandlerFunction {
  const { name, isClaudeShaped, nativeEvent, secret, previousSecret, warn } = spec;
  const endpoint = outbound.endpoint(spec);
  const keys = signingKeys(secret, previousSecret);
  const sent = { accept: "application/json", ...requestHeaders(spec.headers) };
  return async (data, call) => {
    const input = isClaudeShaped
      ? claudeInput(nativeEvent, data, call, folderOf(data, call))
      : call.envelope(data);
    const body = JSON.stringify(input);
    const signed = keys.length === 0 ? {} : sign(keys, call.id, Date.now(), body);
    const headers = { ...sent, ...signed };
    const response = await endpoint.post({ headers, body, limitBytes, deadline: call.signal });
    return readResponse({ name, isClaudeShaped, limitBytes, warn }, call.event, response);
  };
}
