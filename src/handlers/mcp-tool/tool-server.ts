import type { CallToolResult } from "@modelcontextprotocol/client";
import type { SwarmError } from "../../base/errors.ts";
import { Connection } from "./connection.ts";
import { orAborted } from "./or-aborted.ts";
import { unreachable } from "./server-errors.ts";
import { type ServerSpec, type StartOptions, serverLimits } from "./server-spec.ts";
import type { ToolInfo, Tools } from "./tools.ts";

/**
 * An MCP server as hooks see it: there when it is called. It is connected by the first call, kept, and connected again
 * by the first call after it was lost; one that cannot be kept is left alone for longer and longer in between.
 */
export class ToolServer {
  readonly name: string;
  readonly #spec: ServerSpec;
  readonly #options: StartOptions;
  #connection: Connection | null = null;
  #connecting: Promise<Connection> | null = null;
  /** Also those that were given up and still have calls under way. */
  readonly #open = new Set<Connection>();
  readonly #abort = new AbortController();
  #failures = 0;
  #retryAtMs = 0;
  #lastProblem = "";
  #isOld = false;

  constructor(spec: ServerSpec, options: StartOptions) {
    this.name = spec.name;
    this.#spec = spec;
    this.#options = options;
  }

  async call(
    tool: string,
    argumentsFor: (tool: ToolInfo) => Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const connection = await this.#connected(signal);
    try {
      return await this.#answer(connection.call(tool, argumentsFor, signal));
    } catch (error) {
      if (!connection.hasLostSession) throw error;
      // It was started anew and knows nothing of us, so it has done nothing either.
      const next = await this.#connected(signal);
      return this.#answer(next.call(tool, argumentsFor, signal));
    }
  }

  async tools(signal: AbortSignal): Promise<Tools> {
    return orAborted((await this.#connected(signal)).tools(), signal);
  }

  async has(tool: string, signal: AbortSignal): Promise<boolean> {
    return (await orAborted((await this.#connected(signal)).find(tool), signal)) !== null;
  }

  /** Ends it; nothing of it is left when this resolves. */
  async close(): Promise<void> {
    this.#abort.abort();
    const closing = [...this.#open].map((connection) => connection.close());
    await this.#connecting?.catch(() => undefined);
    await Promise.all([...closing, ...[...this.#open].map((connection) => connection.close())]);
  }

  /** One connection for all who call meanwhile; it is made to its end even if whoever asked first gives up. */
  #connected(signal: AbortSignal): Promise<Connection> {
    if (this.#abort.signal.aborted) return Promise.reject(unreachable(this.name, "it was closed"));
    if (this.#connection?.isUsable === true) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return orAborted(this.#connecting, signal);
  }

  async #connect(): Promise<Connection> {
    const { clock } = this.#options;
    const waitMs = this.#retryAtMs - clock.monotonicMs();
    if (waitMs > 0) {
      const when = `tried again in ${Math.ceil(waitMs / 1000)} s, after ${this.#failures} failures`;
      throw unreachable(this.name, `${this.#lastProblem}; ${when}`);
    }
    this.#connection?.leave();
    this.#connection = null;
    try {
      const connection = await Connection.open(this.#spec, this.#options, {
        signal: this.#abort.signal,
        isOld: this.#isOld,
        onLost: (problem) => this.#noteFailure(problem),
      });
      this.#isOld = connection.isOld;
      this.#connection = connection;
      this.#open.add(connection);
      void connection.closed.then(() => this.#open.delete(connection));
      return connection;
    } catch (error) {
      this.#isOld = false; // it may have been replaced by a newer one
      this.#noteFailure(error);
      throw error;
    }
  }

  /** Only an answer shows that it is well: one that dies of every call was connected before each of them. */
  async #answer(call: Promise<CallToolResult>): Promise<CallToolResult> {
    const result = await call;
    this.#failures = 0;
    return result;
  }

  #noteFailure(error: unknown): void {
    const { params, message } = error as SwarmError;
    this.#lastProblem = "problem" in params ? params.problem : message;
    const doublings = this.#failures++ - 1;
    const delayMs = doublings < 0 ? 0 : serverLimits.firstDelayMs * 2 ** Math.min(doublings, 20);
    this.#retryAtMs = this.#options.clock.monotonicMs() + Math.min(delayMs, serverLimits.longestDelayMs);
  }
}
