import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What one address may have open. Browsers open six, programs that keep theirs a few dozen. */
const maxPerPeer = 256;

/**
 * The connections of a server, by whom they are from. One too many does not keep the newcomer out: the peer's oldest
 * that has no whole request under way goes instead, so that thousands that never finish asking cannot keep out one
 * that does. Only when every one of them waits for an answer is the newcomer turned away.
 */
export class Connections {
  /** Oldest first. */
  readonly #byPeer = new Map<string, Set<Socket>>();
  readonly #asked = new Map<Socket, Set<IncomingMessage>>();

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => this.#take(socket));
    // It is somebody else's from here on, who has a limit of their own.
    server.on("upgrade", (_request, socket: Socket) => this.#forget(socket));
  }

  /** A request is under way until it is answered. */
  note(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const asked = this.#asked.get(socket) ?? new Set();
    this.#asked.set(socket, asked.add(request));
    response.once("close", () => void asked.delete(request));
  }

  #take(socket: Socket): void {
    const peer = peerOf(socket);
    const own = this.#byPeer.get(peer) ?? new Set();
    this.#byPeer.set(peer, own.add(socket));
    socket.once("close", () => this.#forget(socket));
    if (own.size <= maxPerPeer) return;
    const [idlest = socket] = [...own].filter((one) => !this.#isWaiting(one));
    idlest.destroy();
    this.#forget(idlest);
  }

  /** For an answer: all that was to be sent has come. */
  #isWaiting(socket: Socket): boolean {
    return [...(this.#asked.get(socket) ?? [])].some(({ complete }) => complete);
  }

  #forget(socket: Socket): void {
    const peer = peerOf(socket);
    const own = this.#byPeer.get(peer);
    own?.delete(socket);
    if (own?.size === 0) this.#byPeer.delete(peer);
    this.#asked.delete(socket);
  }
}

/** Known before it is gone: a socket that is closed has no address any more. */
const peers = new WeakMap<Socket, string>();

function peerOf(socket: Socket): string {
  const peer = peers.get(socket) ?? socket.remoteAddress ?? "this machine";
  peers.set(socket, peer);
  return peer;
}
