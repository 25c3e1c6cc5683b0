import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { ProcessLimits } from "./process-limits.ts";
import type { Program } from "./run-process.ts";
import { withUlimits } from "./with-ulimits.ts";

/** Starts a program as the leader of its own session and process group, with the mark of its run. May throw. */
export function spawnContained(
  { argv, cwd, env, hasChannel = false }: Program,
  { namespace, ulimits }: Pick<ProcessLimits, "namespace" | "ulimits">,
  runId: string,
): ChildProcessWithoutNullStreams {
  // Node takes an empty folder for its own.
  if (cwd === "") throw new Error("the working directory is empty");
  const command = withUlimits(argv, ulimits);
  const [program, ...args] = namespace === null ? command : ([...namespace, ...command] as const);
  const child = spawn(program, args, {
    cwd,
    env: {
      ...env,
      // A run within a run keeps the outer mark: ending the outer one then finds the processes of the inner.
      SWARM_RUN: env.SWARM_RUN === undefined ? runId : `${env.SWARM_RUN}:${runId}`,
      // Node hands its own on unless the key is there; a value of undefined is not passed at all.
      NODE_V8_COVERAGE: env.NODE_V8_COVERAGE,
    },
    stdio: Array.from({ length: hasChannel ? 5 : 3 }, () => "pipe"),
    // Its own session and process group, so that one signal reaches all who stay in it.
    detached: true,
    windowsHide: true,
  });
  // The first three are pipes whatever follows them; the compiler cannot see that in a list.
  return child as ChildProcessWithoutNullStreams;
}
