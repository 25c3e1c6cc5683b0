import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { LastingEnding, LastingProcess } from "../process/lasting-process.ts";
import { LineReader } from "./line-reader.ts";
import type { LineWatch } from "./line-watch.ts";
import type { Sdk } from "./sdk.ts";
import { serverLimits } from "./server-spec.ts";

/** Starts the program; what it prints goes to `onStdout`. */
export type StartProgram = (onStdout: (chunk: Buffer) => void) => LastingProcess;

/**
 * Messages as lines over a program's pipes. The SDK has one of its own, which leaves behind whatever the program has
 * started, waits for up to four seconds before it ends one, and copies a line anew for every chunk of it.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** The SDK knows a transport over pipes by this and `pid`: there silence means an old server, not an outage. */
  readonly stderr = null;
  readonly #sdk: Sdk;
  readonly #start: StartProgram;
  readonly #watch: LineWatch;
  #program: LastingProcess | null = null;
  #ending: LastingEnding | null = null;
  #isClosed = false;

  constructor(sdk: Sdk, start: StartProgram, watch: LineWatch) {
    this.#sdk = sdk;
    this.#start = start;
    this.#watch = watch;
  }

  get pid(): number | null {
    return this.#program?.pid ?? null;
  }

  /** How the program ended, unless it was ended by us; null while it runs. */
  get ending(): LastingEnding | null {
    return this.#ending;
  }

  async start(): Promise<void> {
    const lines = new LineReader(serverLimits.messageBytes, (line) => this.#read(line));
    const program = this.#start((chunk) => {
      if (!this.#isClosed && !lines.add(chunk)) this.#watch.onOversize();
    });
    this.#program = program;
    void program.ended.then((ending) => {
      if (!this.#isClosed) this.#ending = ending;
      void this.close();
    });
    if (program.pid !== null) return;
    await program.ended;
    throw new Error("it could not be started");
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const program = this.#program;
    if (program === null || this.#isClosed) throw new Error("it is not connected");
    if (program.unreadBytes > serverLimits.unreadBytes) throw new Error("it does not read what it is sent");
    await new Promise<void>((resolve) => program.write(this.#sdk.serializeMessage(message), resolve));
  }

  /** Whoever waits for an answer hears at once that there will be none; the program is over when this resolves. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
    await this.#program?.end();
  }

  #read(line: string): void {
    if (this.#isClosed) return;
    let message: JSONRPCMessage;
    try {
      message = this.#sdk.deserializeMessage(line);
    } catch {
      // A banner or a line of a log is passed over. What was meant for a message may be the answer somebody waits for.
      if (/^\s*\{.*"jsonrpc"\s*:/s.test(line))
        this.#watch.onCutOff(new Error("it sent a message that is none"));
      return;
    }
    this.onmessage?.(message);
  }
}
