import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Server as NetServer } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { SwarmError } from "../../base/errors.ts";
import { type App, answer } from "./app.ts";
import { Connections } from "./connections.ts";
import { problemOf, problemType } from "../rest/problem.ts";
import { hurry } from "./request-deadline.ts";

const limits = {
  // Node's own defaults wait 60 s for headers and 300 s for a request: 500 slow sockets would hold the daemon.
  headersTimeout: 2_000,
  // Of its own making: a file that is sent takes as long as it takes.
  requestTimeout: 0,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 16 * 1024,
  // A request without one is refused like any other wrong host, and so says why.
  requireHostHeader: false,
} as const;

/** Of all peers together. */
const maxConnections = 512;

/** A server whose app is set once its address is known. */
export class Listener {
  readonly server: Server;
  readonly #connections: Connections;
  #handle: ReturnType<typeof getRequestListener> | null = null;
  #isDraining = false;
  #underWay = 0;
  #whenIdle: () => void = () => undefined;

  constructor() {
    this.server = createServer(limits, (request, response) => this.#take(request, response));
    this.server.maxConnections = maxConnections;
    this.#connections = new Connections(this.server);
  }

  serve(app: App): void {
    this.#handle = getRequestListener(app.fetch, {
      // The app itself looks at the Host header; this only completes the address of a request without one.
      hostname: "localhost",
      errorHandler: (error) => answer(unreadable(error instanceof Error ? error.message : String(error))),
    });
  }

  /**
   * Takes no more calls and waits for those under way, at most this long. A connection that is open without a call
   * is nothing to wait for: browsers open them in advance.
   */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    const closed = new Promise<void>((resolve) => void this.server.close(() => void resolve()));
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      if (this.#underWay === 0) resolve();
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([idle, late]);
    clearTimeout(timer);
    this.server.closeAllConnections();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#handle === null) refuse(response, notServing("starting"));
    else if (this.#isDraining) refuse(response, notServing("stopping"));
    // Another server's address as the target would be answered as if it were ours.
    else if (request.url?.startsWith("/") !== true) refuse(response, unreadable("its target is no path"));
    else {
      this.#underWay++;
      this.#connections.note(request, response);
      hurry(request, response);
      response.once("close", () => {
        this.#underWay--;
        if (this.#underWay === 0) this.#whenIdle();
      });
      void this.#handle(request, response);
    }
  }
}

function refuse(response: ServerResponse, error: SwarmError): void {
  const problem = problemOf(error);
  response.writeHead(problem.status, { "content-type": problemType, connection: "close" });
  response.end(JSON.stringify(problem));
}

function notServing(state: "starting" | "stopping"): SwarmError {
  return new SwarmError("SWARM_NOT_SERVING", { state });
}

function unreadable(problem: string): SwarmError {
  return new SwarmError("SWARM_REQUEST_INVALID", { problem });
}

/** Loopback alone. Port 0: any that is free. Resolves with the port. */
export async function listenOnPort(server: Server, port: number): Promise<number> {
  await listening(
    server,
    () => server.listen(port, "127.0.0.1"),
    (error) => {
      return new SwarmError("SWARM_PORT_TAKEN", { port, problem: error.message }, { cause: error });
    },
  );
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/**
 * Where browsers look first for a name that means this machine. Whatever else listened there could show a page of its own
 * under the dashboard's origin and take its login links and passkeys. Tells whether nothing else can.
 */
export async function listenOnLoopback6(server: Server, port: number): Promise<boolean> {
  try {
    await listening(
      server,
      () => server.listen({ port, host: "::1", ipv6Only: true }),
      (error) => error,
    );
    return true;
  } catch (error) {
    // Without IPv6 there is no such place.
    return ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** Node's own is 511: of a thousand agents that call at once half would wait for a place. The kernel has its own bound. */
const backlog = 4_096;

/**
 * Whoever may open the socket needs no token, so it is its owner's alone. One that is there already was left behind
 * by a daemon that is gone: the caller holds the lock of this `SWARM_HOME`.
 */
export async function listenOnSocket(server: NetServer, path: string): Promise<void> {
  rmSync(path, { force: true });
  const failed = (error: Error) =>
    new SwarmError("SWARM_SOCKET_FAILED", { socket: path, problem: error.message }, { cause: error });
  const before = process.umask(0o177);
  try {
    await listening(server, () => server.listen({ path, backlog }), failed);
  } finally {
    process.umask(before);
  }
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    // Node 22.13 cuts off a path that is too long, and listens there.
    server.close();
    throw failed(error as Error);
  }
}

function listening(server: NetServer, listen: () => void, fail: (error: Error) => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(fail(error));
    server.once("error", failed);
    server.once("listening", () => {
      server.off("error", failed);
      resolve();
    });
    listen();
  });
}
