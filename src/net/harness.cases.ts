import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { TestContext } from "node:test";
import type { DialTarget, Network } from "./connect.ts";
import { Outbound } from "./outbound.ts";

/** Records what would be connected to and never connects: no packet leaves, whatever a test sends to. */
export class RecordingNetwork implements Network {
  readonly dialled: DialTarget[] = [];
  readonly resolved: string[] = [];
  readonly #answers: (host: string) => readonly string[];

  constructor(answers: (host: string) => readonly string[] = () => []) {
    this.#answers = answers;
  }

  async resolve(host: string): Promise<readonly string[]> {
    this.resolved.push(host);
    return this.#answers(host);
  }

  dial(target: DialTarget): Socket {
    this.dialled.push(target);
    throw new Error("this dialler never connects");
  }
}

/** A server on loopback for one test. */
export async function serve(
  t: TestContext,
  listener: RequestListener,
): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

export function outbound(t: TestContext, network?: Network): Outbound {
  const made = new Outbound(network);
  t.after(() => made.close());
  return made;
}

/** A signal nobody aborts. */
export const never = new AbortController().signal;
