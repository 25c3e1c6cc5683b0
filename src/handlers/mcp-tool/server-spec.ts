import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Outbound } from "../../net/outbound.ts";
import type { Sandbox } from "../process/sandbox.ts";

/** An MCP server, and how it is reached. */
export interface ServerSpec {
  readonly name: string;
  readonly transport: StdioSpec | HttpSpec;
}

export interface StdioSpec {
  readonly kind: "stdio";
  readonly argv: readonly [string, ...string[]];
  /** Beside the few variables every program gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface HttpSpec {
  readonly kind: "http";
  readonly url: string;
  /** Addresses it may be at that are not of the public internet. */
  readonly allowPrivate: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What all servers of one runtime have in common. */
export interface ServerOptions {
  /** Of it a program gets the allow-listed few. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly clock: Clock;
  readonly outbound: Outbound;
}

/** What one server is started with. */
export interface StartOptions extends ServerOptions {
  readonly sandbox: Sandbox;
}

export const serverLimits = {
  /** One message: an answer is a few hundred bytes, or a conversation with some of it changed. */
  messageBytes: 1024 * 1024,
  /** Of a server's standard error: what is logged of one connection, and what stands in an error. */
  loggedBytes: 64 * 1024,
  tailChars: 500,
  /** Written to a server that does not read it; a payload may have 8 MiB. */
  unreadBytes: 32 * 1024 * 1024,
  tools: 1_000,
  toolPages: 20,
  /** From the start of a program to the end of the handshake. `npx` may have to download it. */
  connectMs: 30_000,
  /** A program that does not answer a question newer than itself is taken for an older one. */
  probeMs: 5_000,
  /** Before a session is ended without the server's consent. */
  farewellMs: 1_000,
  /** A tool that is not there is looked for again, but not on every call. */
  relistMs: 5_000,
  /** Calls without an answer after which a server counts as stuck. */
  unanswered: 3,
  /** Between attempts to connect: none after the first failure, then twice as long each time. */
  firstDelayMs: 500,
  longestDelayMs: 15_000,
} as const;
