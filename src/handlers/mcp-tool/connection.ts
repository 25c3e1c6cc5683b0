import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { SwarmError } from "../../base/errors.ts";
import { version } from "../../base/version.ts";
import { inWords, readFault } from "./fault.ts";
import { type Line, openLine } from "./line.ts";
import { orAborted } from "./or-aborted.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { lost, oversize, refused, toolUnknown, unreachable } from "./server-errors.ts";
import { type ServerSpec, type StartOptions, serverLimits } from "./server-spec.ts";
import { listTools, type ToolInfo, type Tools } from "./tools.ts";

/** How a connection is made, and who hears of its end. */
export interface Opening {
  readonly signal: AbortSignal;
  /** The server is known to speak only versions from before 2026, and is not asked. */
  readonly isOld: boolean;
  /** Called when it is lost after it was made. */
  readonly onLost: (problem: SwarmError) => void;
}

/**
 * One connection, from its handshake to its end.
 *
 *     open ──▶ usable ──▶ retired: new calls go elsewhere, those under way end here ──▶ closed
 *                 └────▶ lost: every call under way has failed ──▶ closed
 *
 * One that is retired before its first call is still there for whoever has been handed it.
 */
export class Connection {
  readonly #server: string;
  readonly #sdk: Sdk;
  readonly #client: Client;
  readonly #line: Line;
  readonly #clock: StartOptions["clock"];
  readonly #onLost: Opening["onLost"];
  #tools: Promise<Tools> | null = null;
  #listedAtMs = 0;
  /** Why it is over before anybody closed it. */
  #problem: SwarmError | null = null;
  #isConnected = false;
  #isRetired = false;
  #hasLostSession = false;
  #underWay = 0;
  #unanswered = 0;
  #closing: Promise<void> | null = null;
  #isGone: () => void = () => undefined;
  /** Resolves when nothing is left of it, whoever has closed it. */
  readonly closed = new Promise<void>((resolve) => {
    this.#isGone = resolve;
  });

  /** Made by the first call of a server; aborted when nobody will call it any more. */
  static async open(spec: ServerSpec, options: StartOptions, opening: Opening): Promise<Connection> {
    const connection = new Connection(await loadSdk(), spec, options, opening);
    const { signal, isOld } = opening;
    const abort = () => void connection.close();
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (signal.aborted) throw new Error("it is no longer needed");
      await connection.#connect(isOld);
      return connection;
    } catch (error) {
      await connection.close();
      // A program that ends when it is asked for its version may be an old one, made to end by what it does not know.
      if (!isOld && !signal.aborted && connection.#line.hasRun()) {
        return await Connection.open(spec, options, { ...opening, isOld: true });
      }
      const problem = connection.#line.ended() ?? connection.#problem?.message ?? inWords(error);
      throw unreachable(spec.name, problem, error);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  private constructor(sdk: Sdk, spec: ServerSpec, options: StartOptions, opening: Opening) {
    this.#server = spec.name;
    this.#sdk = sdk;
    this.#clock = options.clock;
    this.#onLost = opening.onLost;
    this.#line = openLine(sdk, spec, options, {
      server: spec.name,
      onCutOff: (error) => this.#lose(lost(this.#server, inWords(error))),
      onOversize: () => this.#lose(oversize(this.#server)),
      // From now on it would tell us of no change.
      onDeaf: () => this.#retire(),
    });
    this.#client = new sdk.Client(
      { name: "swarm-hooks", version: version() },
      {
        // Newest first: a server of 2026 has no other way to be spoken to, older ones say that they do not know it.
        versionNegotiation: { mode: "auto", probe: { timeoutMs: this.#line.probeMs } },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.#forgetTools() } },
      },
    );
  }

  /** Whether a new call may use it. */
  get isUsable(): boolean {
    return this.#problem === null && !this.#isRetired;
  }

  /** Whether the server has forgotten us: what was asked of it then, it has not done. */
  get hasLostSession(): boolean {
    return this.#hasLostSession;
  }

  get isOld(): boolean {
    return this.#client.getProtocolEra() === "legacy";
  }

  async #connect(isOld: boolean): Promise<void> {
    const { transport } = this.#line;
    const options = { timeout: serverLimits.connectMs };
    await this.#client.connect(transport, isOld ? { ...options, prior: { kind: "legacy" } } : options);
    this.#client.onclose = () =>
      this.#lose(lost(this.#server, this.#line.ended() ?? "the connection was closed"));
    if (this.#line.ended() !== null) throw new Error("it ended");
    this.#isConnected = true;
    void this.#client.autoOpenedSubscription?.closed.then((by) => {
      if (by !== "local") this.#retire();
    });
  }

  /** All tools; asked for once, and again after the server has said that they changed. */
  tools(): Promise<Tools> {
    if (this.#tools !== null) return this.#tools;
    this.#listedAtMs = this.#clock.monotonicMs();
    const listing = this.#use(() => this.#listTools()).catch((error) => {
      if (this.#tools === listing) this.#tools = null;
      throw error;
    });
    this.#tools = listing;
    return listing;
  }

  async #listTools(): Promise<Tools> {
    const tools = await listTools(this.#client);
    if (tools !== null) return tools;
    throw refused(this.#server, `its list of tools has no end, expected at most ${serverLimits.tools}`);
  }

  /** Null when there is none, even after a second look: not every server tells when it has a new one. */
  async find(name: string): Promise<ToolInfo | null> {
    const found = (await this.tools()).get(name);
    if (found !== undefined) return found;
    if (this.#clock.monotonicMs() - this.#listedAtMs < serverLimits.relistMs) return null;
    this.#forgetTools();
    return (await this.tools()).get(name) ?? null;
  }

  call(
    name: string,
    argumentsFor: (tool: ToolInfo) => Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    return this.#use(async () => {
      const tool = await orAborted(this.find(name), signal);
      if (tool === null) throw toolUnknown(this.#server, name, await this.tools());
      const { definition: toolDefinition } = tool;
      const params = { name, arguments: argumentsFor(tool) };
      // The hook's deadline comes by the signal; the SDK's own would be a minute.
      const result = await this.#client.callTool(params, {
        toolDefinition,
        signal,
        timeout: longestTimeoutMs,
      });
      this.#unanswered = 0;
      return result;
    }, signal);
  }

  /** Nobody will call it any more; it is closed when the calls under way are over. */
  leave(): void {
    this.#retire();
    if (this.#underWay === 0) void this.close();
  }

  /** Resolves when nothing is left of it; a program of ours is over then. */
  close(): Promise<void> {
    this.#isRetired = true;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#line.close();
    await this.#client.close().catch(() => undefined); // its timers; the line is gone already
    this.#isGone();
  }

  /** Keeps the line open for as long as it takes, and says in our own words why it failed. */
  async #use<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } catch (error) {
      throw this.#explain(error, signal);
    } finally {
      this.#underWay--;
      if (this.#isRetired && this.#underWay === 0) void this.close();
    }
  }

  #explain(error: unknown, signal: AbortSignal | undefined): unknown {
    if (this.#problem !== null) return this.#problem;
    if (signal?.aborted === true) {
      this.#noteUnanswered(signal.reason);
      return signal.reason;
    }
    if (error instanceof SwarmError) return error;
    const fault = readFault(this.#sdk, error);
    if (fault.kind === "line") {
      const problem = lost(this.#server, fault.problem);
      this.#lose(problem);
      return problem;
    }
    if (fault.kind === "protocol") this.#forgetTools(); // it may be that they are no longer what they were
    if (fault.kind === "http") {
      this.#hasLostSession = fault.status === 404 && this.#line.hasSession();
      this.#retire();
    }
    return refused(this.#server, fault.problem);
  }

  /** A server that hangs never comes back by itself. One call may be slow; several in a row are no accident. */
  #noteUnanswered(reason: unknown): void {
    if (!(reason instanceof SwarmError) || reason.code !== "SWARM_HANDLER_TIMED_OUT") return;
    if (++this.#unanswered < serverLimits.unanswered) return;
    this.#lose(lost(this.#server, `it did not answer ${this.#unanswered} calls in a row`));
  }

  #lose(problem: SwarmError): void {
    if (this.#problem !== null || this.#closing !== null) return;
    this.#problem = problem;
    if (this.#isConnected) this.#onLost(problem);
    void this.close();
  }

  #retire(): void {
    this.#isRetired = true;
  }

  #forgetTools(): void {
    this.#tools = null;
  }
}

/** The longest a timer can hold. */
const longestTimeoutMs = 2_147_483_647;
