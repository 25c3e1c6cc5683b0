import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./anthropic.ts";
import { type Asked, type Dialect, type Json, objectOf, type StreamEvent } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { openaiChatCompletions } from "./openai-chat-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { ModelScript, ModelTurn } from "./script.ts";

const dialects: readonly Dialect[] = [anthropicMessages, openaiResponses, openaiChatCompletions, gemini];

/** A request as it came in; its turn is null where it was no question to the model. */
export interface ModelRequest {
  readonly path: string;
  readonly turn: ModelTurn | null;
}

/** A model on loopback that says what its script says, and remembers what it was asked. */
export class ModelServer {
  readonly address: string;
  readonly requests: readonly ModelRequest[];
  readonly #server: Server;

  static async start(script: ModelScript): Promise<ModelServer> {
    const requests: ModelRequest[] = [];
    const server = createServer((request, response) => {
      void serve(request, response, script, requests);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    return new ModelServer(server, requests);
  }

  private constructor(server: Server, requests: readonly ModelRequest[]) {
    this.#server = server;
    this.requests = requests;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** What tools have answered, over all conversations: a request repeats the ones before it. */
  get toolResults(): readonly string[] {
    return [...new Set(this.requests.flatMap(({ turn }) => turn?.toolResults ?? []))];
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** A conversation of a whole run is some hundred kilobytes; agents send their instructions each time. */
const maxBodyBytes = 64 * 1024 * 1024;

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  script: ModelScript,
  requests: ModelRequest[],
): Promise<void> {
  const { pathname: path } = new URL(request.url ?? "/", "http://127.0.0.1");
  const dialect = dialects.find((known) => request.method === "POST" && known.path.test(path));
  try {
    const body = await bodyOf(request);
    const asked = dialect?.read(body, path);
    requests.push({ path, turn: asked?.turn ?? null });
    if (dialect === undefined || asked === undefined) return answerOther(response, path);
    answer(response, dialect, asked, script, String(requests.length));
  } catch (error) {
    requests.push({ path, turn: null });
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { type: "invalid_request_error", message: String(error) } }));
  }
}

function answer(
  response: ServerResponse,
  dialect: Dialect,
  { turn, isStreamed }: Asked,
  script: ModelScript,
  id: string,
): void {
  const reply = script(turn);
  response.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
  if (isStreamed) response.end(dialect.pieces(reply, id).map(streamed).join(""));
  else response.end(JSON.stringify(dialect.whole(reply, id)));
}

function streamed({ event, data }: StreamEvent): string {
  const text = data === "[DONE]" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Agents count tokens and list models on the way; whatever else they ask for, they do without. */
function answerOther(response: ServerResponse, path: string): void {
  const isCount = path.endsWith("/count_tokens");
  const isList = /^(\/v1)?\/models$/.test(path);
  response.writeHead(isCount || isList ? 200 : 404, { "content-type": "application/json" });
  const unknown = { error: { type: "not_found_error", message: `nothing is served at ${path}` } };
  response.end(JSON.stringify(isCount ? { input_tokens: 1 } : isList ? { data: [], models: [] } : unknown));
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new Error("the request is too large");
    chunks.push(chunk);
  }
  return length === 0 ? {} : objectOf(JSON.parse(Buffer.concat(chunks).toString("utf8")));
}
