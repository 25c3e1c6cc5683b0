import { spawnSync } from "node:child_process";
import type { NativeAnswer, WantedHook } from "../port/adapter.ts";
import { agentEnv, type ReadyAgent } from "./agents/agent-program.ts";

export interface HookCall {
  readonly argv: WantedHook["argv"];
  readonly command: string;
  readonly cwd: string;
  /** A call that arrives twice is answered once: every call needs its own. */
  readonly callId: string;
}

const timeoutMs = 30_000;

/** Calls a hook as the agent would, without the agent. Nothing else runs meanwhile, so that the time is its own. */
export function callHook(
  agent: ReadyAgent,
  { argv, command, cwd, callId }: HookCall,
): NativeAnswer & { readonly ms: number } {
  const native = agent.profile.hookCall(command, cwd, callId);
  const [program, ...args] = argv;
  const input = JSON.stringify(native.payload);
  const env = { ...agentEnv(agent), ...native.env };
  const startedAtMs = performance.now();
  const ended = spawnSync(program, args, { cwd, env, input, timeout: timeoutMs, encoding: "utf8" });
  const ms = performance.now() - startedAtMs;
  if (ended.error !== undefined) return { exitCode: -1, stdout: "", stderr: ended.error.message, ms };
  return { exitCode: ended.status ?? -1, stdout: ended.stdout, stderr: ended.stderr, ms };
}

/** An odd number has a middle; the first one, which pays for cold caches, does not count. */
const counted = 11;

/** What the agent waits for at each tool call: the middle of some calls of the installed command line. */
export function hookLatency(agent: ReadyAgent, argv: WantedHook["argv"]): number {
  const { bare, sentinel } = agent.place;
  const times = Array.from({ length: counted + 1 }, (_, at) => {
    const callId = `latency-${sentinel.token}-${at}`;
    return callHook(agent, { argv, command: "true", cwd: bare, callId }).ms;
  });
  const sorted = times.slice(1).toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(counted / 2)] ?? 0) * 100) / 100;
}
