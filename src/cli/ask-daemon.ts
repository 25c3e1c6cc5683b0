import { existsSync } from "node:fs";
import { socketPath } from "../base/sockets.ts";
import { type NativeAnswer, tellingVariables } from "../agents/port/adapter.ts";
import type { NativeRequest } from "../agents/calls/native-calls.ts";
import { readAnswer, writeRequest } from "../agents/calls/hook-frames.ts";

/**
 * A daemon at work says so twice a second. What its process does cannot be seen from here, so it is given the longest time
 * that the other clients give one.
 */
const silentMs = 4_000;

/** `absent`: nobody listens, or what did was killed. `silent`: somebody does, and says nothing. */
type NoAnswer = "absent" | "silent";

export async function askDaemon(request: NativeRequest, home: string): Promise<NativeAnswer | NoAnswer> {
  const path = socketPath(home, "hook");
  if (!existsSync(path)) return "absent";
  // Loaded when there is somebody to connect to: 2 ms of a start that every call waits for.
  const { connect } = await import("node:net");
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(path);
    socket.setTimeout(silentMs, () => {
      resolve("silent");
      socket.destroy();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve("absent");
      // Killed while it had the call, before it began to answer.
      else if (chunks.length === 0 && (error.code === "ECONNRESET" || error.code === "EPIPE"))
        resolve("absent");
      else reject(error);
    });
    socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
    socket.on("close", () => {
      const answered = readAnswer(Buffer.concat(chunks));
      // It was killed before it began, or is an older one that does not know this request.
      if (chunks.length === 0) resolve("absent");
      else if (answered === null) reject(new Error("the daemon's answer is cut off"));
      else resolve(answered);
    });
    const env = Object.fromEntries(Object.entries(request.env).filter(isTelling)) as Record<string, string>;
    socket.write(writeRequest({ ...request, env, sentAtMs: Date.now() }));
  });
}

const telling: ReadonlySet<string> = new Set(tellingVariables);

function isTelling([name, value]: [string, string | undefined]): boolean {
  return value !== undefined && telling.has(name);
}
