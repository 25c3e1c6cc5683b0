import { once } from "node:events";
import type { WebSocket } from "ws";

/** What may wait to be sent; a row is 1 KB, so with the page that is read next it stays below 1 MB. */
const maxBufferedBytes = 512 * 1024;
const closingMs = 500;

/** Somebody at the other end of a WebSocket who only listens. */
export abstract class SocketReader {
  protected readonly socket: WebSocket;
  #hasAnswered = true;
  /** Resolves when what was sent last has left this process, or never will. */
  #lastSent: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, onClose: () => void) {
    this.socket = socket;
    socket.on("close", onClose);
    // Too large a frame, or what is none: the socket is closed by then.
    socket.on("error", () => socket.terminate());
    socket.on("pong", () => {
      this.#hasAnswered = true;
    });
  }

  abstract start(): void;

  /** Asks whether it is still there; one that has not answered since the last time is not. */
  ping(): void {
    if (this.#hasAnswered) this.socket.ping();
    else this.socket.terminate();
    this.#hasAnswered = false;
  }

  /** Resolves when it is gone; one that does not answer is not waited for. */
  async close(code: number, reason: string): Promise<void> {
    if (this.socket.readyState === this.socket.CLOSED) return;
    const closed = once(this.socket, "close");
    const timer = setTimeout(() => this.socket.terminate(), closingMs);
    this.socket.close(code, reason);
    await closed;
    clearTimeout(timer);
  }

  protected get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  protected get isFull(): boolean {
    return this.socket.bufferedAmount >= maxBufferedBytes;
  }

  /** Resolves when there is room again. */
  protected async room(): Promise<void> {
    if (this.isFull) await this.#lastSent;
  }

  protected write(message: object): void {
    this.#lastSent = new Promise((resolve) => {
      this.socket.send(JSON.stringify(message), () => resolve());
    });
  }
}
