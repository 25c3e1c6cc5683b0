import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { openHooks } from "../../engine/hooks/create-hooks.ts";
import { Outbound } from "../../net/outbound.ts";
import { eventually, isAlive } from "../process/harness.cases.ts";
import type { Sandbox } from "../process/sandbox.ts";
import { mcpToolHandler } from "./mcp-tool-handler.ts";
import { ServerPool } from "./server-pool.ts";
import type { ServerSpec } from "./server-spec.ts";
import type { ToolServer } from "./tool-server.ts";

export type Era = "new" | "old";

/** The ways a server is spoken to: over pipes and over HTTP, in the protocol of 2026 and in the one before. */
export const ways = [
  ["stdio", "new"],
  ["stdio", "old"],
  ["http", "new"],
  ["http", "old"],
] as const satisfies (readonly ["stdio" | "http", Era])[];

const program = join(import.meta.dirname, "server-program.cases.ts");

/** Whoever is over some time, and has things to do then: a test, or a file of tests. */
interface Owner {
  after(work: () => Promise<void>): void;
}

/** Servers of one test's own; whatever is started here is gone when it is over. */
export class Workshop {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-mcp-")));
  readonly logged: string[] = [];
  readonly pool: ServerPool;
  readonly #outbound = new Outbound();
  readonly #children = new Set<ChildProcess>();

  constructor(owner: Owner, clock: Clock = systemClock) {
    const log = {
      warn: (message: string) => void this.logged.push(`warn ${message}`),
      info: (message: string) => void this.logged.push(`info ${message}`),
    };
    const env = { ...process.env, SECRET: "hunter2" };
    this.pool = new ServerPool({ env, log, clock, outbound: this.#outbound });
    owner.after(() => this.#leave());
  }

  /** A server of the SDK's. */
  async spec(
    transport: "stdio" | "http",
    era: Era,
    name = "test",
    env: Record<string, string> = {},
  ): Promise<ServerSpec> {
    if (transport === "http") return this.remote((await this.serve(era)).port, "/mcp", name);
    return this.local([process.execPath, program, "stdio", era], name, env);
  }

  local(argv: readonly [string, ...string[]], name = "test", env: Record<string, string> = {}): ServerSpec {
    const starts = { STARTS: this.file("starts"), ...env };
    return { name, transport: { kind: "stdio", argv, env: starts, cwd: this.folder } };
  }

  remote(port: number, path = "/mcp", name = "test", headers: Record<string, string> = {}): ServerSpec {
    const url = `http://127.0.0.1:${port}${path}`;
    return { name, transport: { kind: "http", url, allowPrivate: ["loopback"], headers } };
  }

  /** A program in JavaScript that reads lines and may answer them, for what no SDK's server would do. */
  script(code: string): ServerSpec {
    const file = this.file(`script-${this.#children.size}-${code.length}.mjs`);
    const head = `import { appendFileSync } from "node:fs"; import { createInterface } from "node:readline";
      appendFileSync(process.env.STARTS, process.pid + "\\n");
      const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      const reply = (id, result) => send({ id, result });
      const info = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
      const tools = [{ name: "it", inputSchema: { type: "object" } }];
      function answer({ id, method, params }) {
        if (id === undefined) return;
        if (method === "initialize") reply(id, info);
        else if (method === "tools/list") reply(id, { tools });
        else if (method === "tools/call") call(id, params);
        else send({ id, error: { code: -32601, message: "unknown" } });
      }
      let call = (id) => reply(id, { content: [] });
      let take = answer;
      createInterface({ input: process.stdin }).on("line", (line) => take(JSON.parse(line)));\n`;
    writeFileSync(file, head + code);
    return this.local([process.execPath, file]);
  }

  /** Starts a server that listens, and waits until it does. */
  async serve(era: Era, port = 0): Promise<{ readonly port: number; kill(): Promise<void> }> {
    const child = spawn(process.execPath, [program, "http", era], {
      env: {
        ...process.env,
        PORT: String(port),
        STARTS: this.file("starts"),
        REQUESTS: this.file("requests"),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#children.add(child);
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const kill = async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      this.#children.delete(child);
    };
    return { port: Number(line.replace("listening on ", "")), kill };
  }

  server(spec: ServerSpec, sandbox: Sandbox = "off"): ToolServer {
    return this.pool.lease(spec, sandbox).server;
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  lines(name: string): string[] {
    return existsSync(this.file(name)) ? readFileSync(this.file(name), "utf8").trim().split("\n") : [];
  }

  /** The processes of servers that were started. */
  starts(): number[] {
    return this.lines("starts").map(Number);
  }

  async #leave(): Promise<void> {
    await this.pool.close();
    await this.#outbound.close();
    for (const child of this.#children) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    const left = this.starts();
    await eventually(() => (left.some(isAlive) ? null : true), `of ${left} some are still running`);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The deadline of a call whose end is not what is tested; a test that waits for it hangs instead of passing. */
const farMs = 600_000;

/** What an event comes to with one hook that calls a tool. */
export async function emitTo(
  tool: string,
  servers: readonly ToolServer[],
  { data = {}, options = {}, event = "tool.before", isClaudeShaped = false }: Emit = {},
): Promise<Outcome> {
  const { hooks, register } = openHooks({ trace: true, log: { warn: () => undefined } });
  const handler = mcpToolHandler({ tool, servers, isClaudeShaped });
  register(event, { name: "it", timeoutMs: farMs, ...options }, handler, "mcp_tool");
  const payload =
    event === "tool.before" ? { tool_name: "Bash", tool_input: { command: "ls" }, ...data } : data;
  try {
    return await hooks.emit(event, payload as never, { session: "s1" });
  } finally {
    await hooks.close();
  }
}

interface Emit {
  readonly data?: Record<string, unknown>;
  readonly options?: object;
  readonly event?: "tool.before" | "session.start";
  readonly isClaudeShaped?: boolean;
}

/** Why the only hook of an event failed. */
export function reasonOf({ handlers: [handler] }: Outcome): string {
  return `${handler?.status}: ${handler?.reason}`;
}
