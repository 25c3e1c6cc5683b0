import { addAbortListener } from "node:events";
import { isIP, connect as openSocket, type Socket } from "node:net";
import { type Block, whyRefused } from "./address.ts";
import { hostOf } from "./check-url.ts";

/** How names are looked up and connections opened; a test puts its own in the place of either. */
export interface Network {
  resolve(host: string): Promise<readonly string[]>;
  /** Begins to connect to one of the addresses, which are all checked. */
  dial(target: DialTarget): Socket;
}

export interface DialTarget {
  readonly host: string;
  readonly addresses: readonly string[];
  readonly port: number;
}

/** Why there is no connection. */
export class ConnectError extends Error {
  readonly code: ConnectErrorCode;
  readonly host: string;

  constructor(code: ConnectErrorCode, host: string, problem: string, cause?: unknown) {
    super(problem, { cause });
    this.code = code;
    this.host = host;
  }
}

type ConnectErrorCode =
  | "SWARM_ADDRESS_REFUSED"
  | "SWARM_HOST_UNRESOLVED"
  | "SWARM_CONNECT_FAILED"
  | "SWARM_TLS_FAILED";

/** Connecting and the TLS handshake together. */
const connectMs = 10_000;

/**
 * A connection to the host of an address, checked three times: a literal is never looked up, so the text itself is;
 * every answer of the resolver is, and only those are dialled, so that a second lookup cannot say something else; and
 * so is the address the socket ended up with, before a byte is sent.
 */
export async function connectChecked(
  { url, allowed }: { readonly url: URL; readonly allowed: readonly Block[] },
  network: Network,
  closing: AbortSignal,
): Promise<Socket> {
  const host = hostOf(url);
  const isSecure = url.protocol === "https:";
  const addresses = await addressesOf(host, network);
  for (const address of addresses) check(host, address, allowed);
  closing.throwIfAborted();
  const port = Number(url.port || (isSecure ? 443 : 80));
  const socket = network.dial({ host, addresses, port });
  const listener = addAbortListener(closing, () => socket.destroy());
  try {
    await until(socket, "connect", host, "SWARM_CONNECT_FAILED");
    check(host, socket.remoteAddress ?? "", allowed);
    if (!isSecure) return socket.setNoDelay(true);
    // Loaded when it is needed, here and below: a command that makes no request starts without.
    const { connect: startTls } = await import("node:tls");
    const secured = startTls({ socket, ALPNProtocols: ["http/1.1"], ...identityOf(host) });
    await until(secured, "secureConnect", host, "SWARM_TLS_FAILED");
    return secured.setNoDelay(true);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    listener[Symbol.dispose]();
  }
}

/** The machine's own resolver and its own connections. */
export const systemNetwork: Network = {
  async resolve(host) {
    const { lookup } = await import("node:dns/promises");
    return (await lookup(host, { all: true, order: "verbatim" })).map(({ address }) => address);
  },
  dial({ host, addresses, port }) {
    const answers = addresses.map((address) => ({ address, family: isIP(address) }));
    // Several addresses are tried as RFC 8305 says; which ones was decided before.
    return openSocket({
      host,
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, done) => done(null, answers),
    });
  },
};

async function addressesOf(host: string, network: Network): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    const addresses = await network.resolve(host);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    throw new ConnectError("SWARM_HOST_UNRESOLVED", host, problemOf(error), error);
  }
  throw new ConnectError("SWARM_HOST_UNRESOLVED", host, "it has no address");
}

function check(host: string, address: string, allowed: readonly Block[]): void {
  const why = whyRefused(address, allowed);
  if (why === null) return;
  const shown = address === host ? why : `${address}, ${why}`;
  throw new ConnectError("SWARM_ADDRESS_REFUSED", host, shown);
}

/** A certificate is made out to the name; to the address where there is none. */
function identityOf(host: string): { servername: string } | { host: string } {
  return isIP(host) === 0 ? { servername: host } : { host };
}

function until(
  socket: Socket,
  event: "connect" | "secureConnect",
  host: string,
  code: ConnectErrorCode,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error(`not within ${connectMs} ms`)), connectMs);
    timer.unref();
    const settle = (error?: unknown): void => {
      clearTimeout(timer);
      for (const [name, listener] of listeners) socket.off(name, listener);
      // One that comes after nobody listens any more would end the process.
      socket.on("error", () => undefined);
      if (error === undefined) resolve();
      else reject(new ConnectError(code, host, problemOf(error), error));
    };
    const listeners: [string, (error?: Error) => void][] = [
      [event, () => settle()],
      ["error", settle],
      ["close", () => settle(new Error("the connection was closed"))],
    ];
    for (const [name, listener] of listeners) socket.on(name, listener);
  });
}

/** Several addresses that all failed come as one error without a message. */
function problemOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(problemOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
