import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { BatchReader } from "../../operations/batch/batch-reader.ts";
import type { Caller, Gate } from "../access/check-caller.ts";
import { problemOf, problemType } from "../rest/problem.ts";
import type { SocketReader } from "./socket-reader.ts";
import { streamFilter, streamPath } from "./stream-filter.ts";
import { Reader } from "./stream-reader.ts";

/**
 * A browser cannot set headers of a WebSocket: it names its token, or its session's key, as a protocol, which no log of
 * addresses holds.
 */
const protocol = "swarm.v1";
const tokenPrefix = "swarm.token.";
const keyPrefix = "swarm.key.";

/** Readers have nothing to say but that they are there. */
const maxFrameBytes = 4 * 1024;
const maxReaders = 64;
const everyMs = 30_000;

type MakeReader = (socket: WebSocket, onClose: () => void) => SocketReader;

const batchStreamPath = /^\/api\/v1\/batch\/([A-Za-z0-9_-]{1,64})\/stream$/;

export interface StreamOptions {
  readonly runtime: Runtime;
  readonly gate: Gate;
  readonly log: Log;
  readonly onRefused: (error: SwarmError) => void;
}

/** The record as it grows, over WebSockets of this server. */
export class Stream {
  readonly #options: StreamOptions;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    // The first that is ours: the one with the token is not to be echoed.
    handleProtocols: (names) => (names.has(protocol) ? protocol : false),
  });
  readonly #readers = new Map<SocketReader, Caller>();
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(server: Server, options: StreamOptions) {
    this.#options = options;
    server.on("upgrade", (request, socket, head) => void this.#take(request, socket, head));
    this.#stopListening = options.runtime.audit.onRecorded((row) => {
      for (const reader of this.#readers.keys()) if (reader instanceof Reader) reader.tell(row);
    });
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#timer.unref();
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Tells its readers that the daemon stops; they come back to another one with the last row they know. */
  async drain(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening();
    await Promise.all(
      [...this.#readers.keys()].map((reader) => reader.close(1001, "the daemon is stopping")),
    );
  }

  async #take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    try {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
      const caller = callerOf(request);
      this.#check(caller);
      if (this.#readers.size >= maxReaders) throw new SwarmError("SWARM_READERS_FULL", { limit: maxReaders });
      const make = await this.#readerOf(pathname, searchParams);
      this.#sockets.handleUpgrade(request, socket, head, (accepted) => {
        const reader = make(accepted, () => this.#readers.delete(reader));
        this.#readers.set(reader, caller);
        reader.start();
      });
    } catch (error) {
      refuse(socket, error);
    }
  }

  /** What an address is listened to for. */
  async #readerOf(path: string, query: URLSearchParams): Promise<MakeReader> {
    const { runtime, log } = this.#options;
    if (path === streamPath) {
      const filter = streamFilter(query);
      return (socket, onClose) => new Reader(socket, runtime.store, filter, log, onClose);
    }
    const runId = batchStreamPath.exec(path)?.[1];
    if (runId === undefined) throw new SwarmError("SWARM_ROUTE_UNKNOWN", { method: "upgrade of", path });
    for (const option of query.keys())
      throw new SwarmError("SWARM_OPTION_UNKNOWN", { where: "query", option, suggestion: undefined });
    const runs = await runtime.batch.open();
    await runs.find(runId);
    return (socket, onClose) => new BatchReader(socket, runs, runId, log, onClose);
  }

  /** Lets go of readers whose token is no longer in force. */
  checkReaders(): void {
    for (const [reader, caller] of this.#readers) {
      try {
        this.#options.gate.check(caller, false);
      } catch {
        void reader.close(1008, "the token is no longer in force");
      }
    }
  }

  /** And of those who are gone. A session's token ends by itself. */
  #look(): void {
    for (const reader of this.#readers.keys()) reader.ping();
    this.checkReaders();
  }

  #check(caller: Caller): void {
    try {
      this.#options.gate.check(caller, false);
    } catch (error) {
      if (error instanceof SwarmError) this.#options.onRefused(error);
      throw error;
    }
  }
}

function callerOf({ headers }: IncomingMessage): Caller {
  const named = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  const after = (prefix: string): string | undefined =>
    named.find((name) => name.startsWith(prefix))?.slice(prefix.length);
  const { host, origin, authorization, cookie } = headers;
  const token = after(tokenPrefix);
  const bearer = token === undefined ? authorization : `Bearer ${token}`;
  return { host, origin, authorization: bearer, cookie, key: after(keyPrefix) };
}

/** Before the upgrade it is HTTP still. */
function refuse(socket: Duplex, error: unknown): void {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  const head = `HTTP/1.1 ${problem.status} Refused\r\ncontent-type: ${problemType}\r\nconnection: close`;
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
