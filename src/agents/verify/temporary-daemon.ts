import { type ChildProcessByStdio, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
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

type Child = ChildProcessByStdio<null, Readable, null>;

/** The slowest seen is 2 s, on a machine with nothing to spare. */
const startTimeoutMs = 30_000;

/** A daemon as its own process: one in ours could not be killed. */
export async function startTemporaryDaemon(options: TemporaryDaemonOptions): Promise<KillableDaemon> {
  const { home, node, cli, env, makeClient } = options;
  const client = makeClient(home);
  // The calls made after it was killed would start another daemon, which would outlive the verification.
  writeFileSync(join(home, "config.yaml"), "auto_start: false\n", { mode: 0o600 });
  const child = spawn(node, [cli, "up", "--port", "0"], {
    cwd: home,
    env: { ...env, SWARM_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = endOf(child);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    await untilListening(child, ended);
    return { client, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Resolves to how; a program that could not be started has ended too. */
function endOf(child: Child): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit ${code}`));
  });
}

function untilListening(child: Child, ended: Promise<string>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (why: string): void => reject(new Error(`the daemon did not start: ${why}`));
  const timer = setTimeout(fail, startTimeoutMs, "it took too long");
  // Whatever follows the first line is read and dropped: a full pipe would stop it.
  createInterface({ input: child.stdout }).once("line", (line) => {
    if (line.startsWith("listening on ")) resolve();
    else fail(line);
  });
  void ended.then(fail);
  return promise.finally(() => clearTimeout(timer));
}
