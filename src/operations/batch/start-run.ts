import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { SwarmError } from "../../base/errors.ts";
import type { RunEnd } from "./run-batch.ts";
import type { Checkpoint, RunnerMessage, RunnerOrder } from "./run-spec.ts";

export interface StartRunOptions {
  /** The file of the runner's process. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onMessage?: (message: RunnerMessage) => void;
}

export interface RunningBatch {
  /** Undefined: it could not be started, and `ended` says why. */
  readonly pid: number | undefined;
  /** Never rejects: a process that is lost is a run that failed with SWARM_BATCH_RUNNER_LOST, to be resumed. */
  readonly ended: Promise<RunEnd>;
  /** Has it stop at a checkpoint; `ended` tells when it has. */
  stop(): void;
  /** Ends it at once, wherever it is. */
  kill(): void;
}

const keptErrorChars = 2_000;

/** A run keeps next to nothing, and V8 lets what is new pile up: ten million answers of a model took 260 MB, with this 130. */
export const runnerFlags = ["--max-semi-space-size=4"] as const;

/** Starts a process that does the run: a crash in it, or a leak, or a busy loop, is its own. */
export function startRun(order: RunnerOrder, { program, env, onMessage }: StartRunOptions): RunningBatch {
  const child = spawn(process.execPath, [...runnerFlags, program], { stdio: ["pipe", "pipe", "pipe"], env });
  let stderr = "";
  let end: RunEnd | null = null;
  let checkpoint: Checkpoint | null = null;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-keptErrorChars);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as RunnerMessage;
    checkpoint = message.checkpoint;
    if (message.type !== "checkpoint") end = message;
    onMessage?.(message);
  });
  // It may be gone before it has read: its end says so.
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(order)}\n`);
  const ended = new Promise<RunEnd>((resolve) => {
    child.once("error", (error) => resolve(lost(`could not be started: ${error.message}`)));
    child.once("close", (code, signal) => {
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      resolve(end ?? lost(stderr.trim() === "" ? how : `${how}: ${stderr.trim()}`));
    });
  });
  const stop = () => void child.stdin.end(`{"type":"stop"}\n`);
  return { pid: child.pid, ended, stop, kill: () => void child.kill("SIGKILL") };

  function lost(how: string): RunEnd {
    const { code, message } = new SwarmError("SWARM_BATCH_RUNNER_LOST", { runId: order.spec.run_id, how });
    return { type: "failed", checkpoint, code, message };
  }
}
