import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { KillableDaemon } from "./killed-daemon.ts";

export interface TemporaryDaemonOptions {
  /** `SWARM_HOME` of nobody else. */
  readonly home: string;
  readonly node: string;
  readonly cli: string;
  readonly env: NodeJS.ProcessEnv;
  /** Makes the client that asks the daemon of this home, and tells where it is. */
  readonly makeClient: (home: string) => string;
}

/** The slowest seen is 2 s, on a machine with nothing to spare. */
const startTimeoutMs = 30_000;

/** A daemon as its own process: one in ours could not be killed. */
export async function startTemporaryDaemon(options: TemporaryDaemonOptions): Promise<KillableDaemon> {
  const { home, node, cli, env, makeClient } = options;
  const client = makeClient(home);
  const child = spawn(node, [cli, "up", "--port", "0"], {
    cwd: home,
    env: { ...env, SWARM_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    await untilListening(child);
    return { client, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

async function untilListening(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error("the daemon has no output");
  const lines = createInterface({ input: child.stdout });
  const signal = AbortSignal.timeout(startTimeoutMs);
  const [line] = (await Promise.race([
    once(lines, "line", { signal }),
    once(lines, "close", { signal }),
  ])) as [string?];
  if (line?.startsWith("listening on ") !== true)
    throw new Error(`the daemon did not start: ${line ?? "it ended"}`);
}
