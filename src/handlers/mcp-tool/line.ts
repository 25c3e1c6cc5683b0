import type { Transport } from "@modelcontextprotocol/client";
import { hookEnvironment } from "../process/environment.ts";
import { LastingProcess } from "../process/lasting-process.ts";
import { defaultProcessLimits } from "../process/process-limits.ts";
import { programPath } from "../process/program-path.ts";
import { sandboxLimits } from "../process/sandbox.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { LineWatch } from "./line-watch.ts";
import type { Sdk } from "./sdk.ts";
import {
  type HttpSpec,
  type ServerSpec,
  type StartOptions,
  type StdioSpec,
  serverLimits,
} from "./server-spec.ts";
import { StderrLog } from "./stderr-log.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** What messages go over: a program's pipes, or requests. */
export interface Line {
  readonly transport: Transport;
  /** How long a server may take to say which versions it speaks. */
  readonly probeMs: number;
  /** How it ended by itself, in words; null while it has not. */
  ended(): string | null;
  /** Whether a program was started and has ended by itself. */
  hasRun(): boolean;
  /** Whether the server keeps something about us between requests. */
  hasSession(): boolean;
  close(): Promise<void>;
}

export function openLine(sdk: Sdk, spec: ServerSpec, options: StartOptions, watch: LineWatch): Line {
  const { name, transport } = spec;
  return transport.kind === "stdio"
    ? programLine(sdk, name, transport, options, watch)
    : requestLine(sdk, transport, options, watch);
}

function programLine(
  sdk: Sdk,
  name: string,
  { argv: [program, ...args], env, cwd }: StdioSpec,
  options: StartOptions,
  watch: LineWatch,
): Line {
  const stderr = new StderrLog(name, options.log);
  const limits = { ...defaultProcessLimits, ...sandboxLimits(options.sandbox) };
  const spec = {
    argv: [programPath(program, cwd), ...args] as const,
    cwd,
    env: hookEnvironment(options.env, env),
  };
  const start = (onStdout: (chunk: Buffer) => void) =>
    new LastingProcess(spec, limits, {
      onStdout,
      onStderr: (chunk) => stderr.add(chunk),
      stderrTail: () => stderr.tail(),
    });
  const transport = new StdioTransport(sdk, start, watch);
  return {
    transport,
    probeMs: serverLimits.probeMs,
    ended: () => describeEnding(transport.ending, stderr.tail()),
    hasRun: () => transport.ending !== null && transport.ending.how !== "not_started",
    hasSession: () => false,
    close: () => transport.close(),
  };
}

function describeEnding(ending: StdioTransport["ending"], stderr: string): string | null {
  if (ending === null) return null;
  if (ending.how === "not_started") return ending.error;
  const how =
    ending.how === "exited" ? `ended with exit code ${ending.exitCode}` : `was ended by ${ending.signal}`;
  return `it ${how}${stderr === "" ? "" : `: ${stderr}`}`;
}

function requestLine(
  sdk: Sdk,
  { url, allowPrivate, headers }: HttpSpec,
  options: StartOptions,
  watch: LineWatch,
): Line {
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch: boundedFetch(options.outbound.fetchFor({ url, allowPrivate }), watch),
    requestInit: { headers: { ...headers } },
  });
  return {
    transport,
    probeMs: serverLimits.connectMs, // silence is an outage here, not a sign of age
    ended: () => null,
    hasRun: () => false,
    hasSession: () => transport.sessionId !== undefined,
    async close() {
      await Promise.race([transport.terminateSession().catch(() => undefined), farewell()]);
      await transport.close();
    },
  };
}

/** A server that does not take leave is left. */
function farewell(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, serverLimits.farewellMs).unref());
}
