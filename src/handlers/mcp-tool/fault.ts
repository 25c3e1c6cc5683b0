import { oneLine } from "../../base/show.ts";
import { ConnectError } from "../../net/connect.ts";
import type { Sdk } from "./sdk.ts";

/** What went wrong with a call, as far as the client's error tells. */
export type Fault =
  /** The server answered with an error, in JSON-RPC or in HTTP. */
  | { readonly kind: "protocol"; readonly problem: string }
  | { readonly kind: "http"; readonly status: number; readonly problem: string }
  /** Something came, but not what the protocol says. */
  | { readonly kind: "answer"; readonly problem: string }
  /** Nothing will come any more. */
  | { readonly kind: "line"; readonly problem: string };

export function readFault(sdk: Sdk, error: unknown): Fault {
  const { ProtocolError, SdkHttpError, SdkError, SdkErrorCode: codes } = sdk;
  const problem = inWords(error);
  if (error instanceof ProtocolError) return { kind: "protocol", problem: `${error.code} ${problem}` };
  if (error instanceof SdkHttpError) return { kind: "http", status: error.data.status, problem };
  const ofTheLine = [codes.NotConnected, codes.ConnectionClosed, codes.SendFailed, codes.RequestTimeout];
  const isAboutAnswer =
    error instanceof SdkError
      ? !ofTheLine.includes(error.code)
      : error instanceof SyntaxError || (error instanceof Error && error.name === "ZodError");
  if (isAboutAnswer) return { kind: "answer", problem: `its answer cannot be used: ${problem}` };
  return { kind: "line", problem };
}

const maxChars = 500;

/**
 * What an error says, or better what caused it: "fetch failed" explains nothing, the refused connection below it does.
 * An answer of HTTP is its status, not the page that came with it.
 */
export function inWords(error: unknown): string {
  let found = error;
  for (let depth = 0; depth < 5 && found instanceof Error; depth++) {
    const told = statusOf(found) ?? connectionOf(found);
    if (told !== null) return oneLine(told, maxChars);
    const [first] = found instanceof AggregateError ? found.errors : [found.cause];
    if (!(first instanceof Error)) break;
    found = first;
  }
  const text = found instanceof Error ? found.message || found.name : String(found);
  return oneLine(text, maxChars);
}

function connectionOf(error: Error): string | null {
  if (!(error instanceof ConnectError)) return null;
  const { code, host, message } = error;
  switch (code) {
    case "SWARM_ADDRESS_REFUSED":
      return `${host} is refused (${message}), expected an address of the public internet or one its allow_private lists`;
    case "SWARM_HOST_UNRESOLVED":
      return `${host} has no address: ${message}`;
    case "SWARM_TLS_FAILED":
      return `no secure connection to ${host}: ${message}`;
    case "SWARM_CONNECT_FAILED":
      return message;
  }
}

function statusOf(error: Error): string | null {
  const { data } = error as { data?: { status?: unknown; statusText?: unknown } };
  if (typeof data?.status !== "number") return null;
  return `HTTP ${data.status}${typeof data.statusText === "string" ? ` ${data.statusText}` : ""}`.trim();
}
