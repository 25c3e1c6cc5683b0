import { createServer, type Server, type Socket } from "node:net";
import type { Log } from "../../base/log.ts";
import type { NativeAnswer } from "../port/adapter.ts";
import {
  type HookRequest,
  readRequest,
  silentMs,
  workingEveryMs,
  workingFrame,
  writeAnswer,
} from "./hook-frames.ts";

type Answer = (request: HookRequest) => Promise<NativeAnswer>;

/**
 * The socket agents' hooks come in by. One request, one answer, no HTTP: a round trip is 35 µs here and 80 with
 * node:http, on a path that every tool call of every agent waits for.
 */
export class HookSocket {
  readonly server: Server;
  readonly #open = new Set<Socket>();

  constructor(answer: Answer, log: Log) {
    this.server = createServer((socket) => {
      this.#open.add(socket);
      socket.on("close", () => void this.#open.delete(socket));
      // The answer is one write; whether the agent is still there to read it is its own affair.
      socket.on("error", () => socket.destroy());
      socket.setTimeout(idleMs, () => socket.destroy());
      void serve(socket, answer, log);
    });
  }

  /** Takes no more calls and waits for those under way, at most this long. */
  async drain(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.server.close(() => resolve()));
    const timer = setTimeout(() => {
      for (const socket of this.#open) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }
}

/** For a whole request to arrive, which the client connects before it reads; then the hooks' own deadlines count. */
const idleMs = 60_000;

async function serve(socket: Socket, answer: Answer, log: Log): Promise<void> {
  try {
    const request = await requestOf(socket);
    if (request === null) return;
    socket.setTimeout(0);
    if (await isAbandoned(socket, request)) return;
    const timer = request.sentAtMs === null ? null : setInterval(sayWorking, workingEveryMs, socket);
    try {
      socket.end(writeAnswer(await answer(request)));
    } finally {
      if (timer !== null) clearInterval(timer);
    }
  } catch (error) {
    // Without an answer a guard denies: that is the client's part, and the safe end of any mistake here.
    log.warn(`hook call failed: ${(error as Error).message}`, {});
    socket.destroy();
  }
}

function sayWorking(socket: Socket): void {
  socket.write(workingFrame);
}

/**
 * Whether the client has gone: it has evaluated the call for itself then, and to judge it again would run its hooks twice
 * and leave a second row. Only one that has waited long is asked; what it says is whether it can still be written to.
 */
async function isAbandoned(socket: Socket, { sentAtMs }: HookRequest): Promise<boolean> {
  if (sentAtMs === null || Date.now() - sentAtMs < silentMs) return false;
  return new Promise((resolve) => {
    socket.write(workingFrame, (error) => resolve(error !== undefined && error !== null));
  });
}

/** Null when the other side went away before it had asked. */
function requestOf(socket: Socket): Promise<HookRequest | null> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      try {
        const request = readRequest(bytes);
        if (request !== null) resolve(request);
      } catch (error) {
        reject(error);
      }
    });
    socket.on("close", () => resolve(null));
  });
}
