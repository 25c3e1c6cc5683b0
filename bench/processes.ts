import { spawn } from "node:child_process";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** What was measured about one contestant. */
export interface Measured {
  readonly contestant: string;
  /** Nanoseconds per call, or in a scene about memory mebibytes per run: one number per round. */
  readonly amounts: readonly number[];
  /** Heap bytes per call, one number per process; empty where they are not counted. */
  readonly bytes: readonly number[];
}

/** Where V8 happens to put code and data made a tenth of difference between runs of the same program. */
const processesPerScene = 3;

/**
 * Measures a scene in processes of its own, the rounds shared out among them. What V8 learnt from one scene would
 * make another look slower than it is.
 */
export async function runInProcesses(
  sceneIndex: number,
  rounds: number,
  processes = processesPerScene,
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (let left = Math.min(processes, rounds), done = 0; left > 0; left--) {
    const share = Math.ceil((rounds - done) / left);
    done += share;
    all.push(...(await runInProcess(sceneIndex, share)));
  }
  return all;
}

async function runInProcess(sceneIndex: number, rounds: number): Promise<Measured[]> {
  return (await runScript("run-scene.ts", [String(sceneIndex), String(rounds)])) as Measured[];
}

/** Runs one of our scripts in a process of its own; what it prints is JSON. */
export async function runScript(script: string, args: readonly string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ["--expose-gc", path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    // Every Node that inherits it reads and parses those certificates, 200 kB of them on some machines.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined },
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code === null ? `signal ${signal}` : `exit code ${code}`));
  });
  const [printed, ending] = await Promise.all([json(child.stdout).catch(() => null), ended]);
  if (ending !== "exit code 0") throw new Error(`${script} ${args.join(" ")} ended with ${ending}`);
  return printed;
}
