import { connect } from "node:net";
import { socketPath } from "../base/sockets.ts";
import { withoutFlags } from "../config/flags.ts";
import { type NativeAnswer, tellingVariables } from "../ports/adapter.ts";
import { NativeCalls, type NativeRequest } from "../runtime/native-calls.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { SharedAnswers } from "../runtime/shared-answers.ts";
import { maxInputBytes, readAnswer, writeRequest } from "../server/hook-frames.ts";
import { type Command, usage } from "./command.ts";
import { openRuntime, swarmHome } from "./home.ts";

export const hookCommand: Command = {
  summary: "answer one hook call of a coding agent: its JSON on stdin, the answer in its own words",
  positionals: ["AGENT"],
  options: { "timeout-ms": "N  how long the agent waits, in milliseconds" },
  flags: { guard: { doc: "deny whatever cannot be judged (exit 2); else stay silent then" } },
  examples: ["swarm hook claude-code --guard --timeout-ms 60000 < payload.json"],
  async run({ positionals: [agent], options, flags }) {
    if (agent === undefined) throw usage("hook", "an agent is missing");
    const timeoutMs = Number(options["timeout-ms"] ?? 0);
    const input = await readStdin();
    const request: NativeRequest = { agent, isGuard: flags.has("guard"), timeoutMs, env: process.env, input };
    const { stdout, stderr, exitCode } = await Promise.race([answer(request), deadline(request)]);
    process.stderr.write(stderr);
    // Whatever is still under way, the agent has its answer: it must not wait for the end of this process.
    process.stdout.write(stdout, () => process.exit(exitCode));
    return { text: "", exitCode };
  },
};

/** Never throws: for an agent every ending but exit 2 is consent, and a stack trace is one of those. */
async function answer(request: NativeRequest): Promise<NativeAnswer> {
  try {
    if (Buffer.byteLength(request.input) > maxInputBytes) throw new Error("its input is over 1 MiB");
    return (await askDaemon(request)) ?? (await evaluate(request));
  } catch (error) {
    return unjudged(request, (error as Error).message);
  }
}

function unjudged({ isGuard }: NativeRequest, why: string): NativeAnswer {
  if (!isGuard) return { stdout: "", stderr: "", exitCode: 0 };
  const stderr = `swarm: denied, because this call could not be judged: ${why}\n`;
  return { stdout: "", stderr, exitCode: 2 };
}

/** Never, where the agent has not said how long it waits. */
function deadline(request: NativeRequest): Promise<NativeAnswer> {
  return new Promise((resolve) => {
    if (request.timeoutMs <= 0) return;
    const why = "no answer came before the agent's own deadline";
    setTimeout(() => resolve(unjudged(request, why)), request.timeoutMs).unref();
  });
}

async function evaluate(request: NativeRequest): Promise<NativeAnswer> {
  // The agent's environment is a project's to set: it turns no switch.
  const runtime = await openRuntime(withoutFlags(process.env));
  let unguardedIn: string | null = null;
  const onUnguarded = (cwd: string): void => {
    unguardedIn = cwd;
  };
  try {
    const answers = new SharedAnswers(runtime.home);
    const answered = await new NativeCalls(runtime, { onUnguarded, answers }).answer(request);
    if (unguardedIn !== null) await guardEntries(runtime, unguardedIn);
    return answered;
  } finally {
    await runtime.close();
  }
}

/** A guard came after the entry did, and there is no daemon to see to it: the next call shall come by a guard's entry. */
async function guardEntries(runtime: Runtime, folder: string): Promise<void> {
  const { updateAgents } = await import("../runtime/entry-upkeep.ts");
  // Whatever is wrong with the settings, this call has been judged; `swarm doctor` tells.
  await updateAgents(runtime, folder, { env: process.env, log: { warn: () => undefined } }).catch(
    () => undefined,
  );
}

/** Null when there is no daemon. */
function askDaemon(request: NativeRequest): Promise<NativeAnswer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(socketPath(swarmHome(), "hook"));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(error);
    });
    socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
    socket.on("close", () => {
      const answered = readAnswer(Buffer.concat(chunks));
      if (answered === null) reject(new Error("the daemon's answer is cut off"));
      else resolve(answered);
    });
    const env = Object.fromEntries(Object.entries(request.env).filter(isTelling)) as Record<string, string>;
    socket.write(writeRequest({ ...request, env }));
  });
}

const telling: ReadonlySet<string> = new Set(tellingVariables);

function isTelling([name, value]: [string, string | undefined]): boolean {
  return value !== undefined && telling.has(name);
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxInputBytes) break; // it is refused, however much there is
  }
  return Buffer.concat(chunks).toString("utf8");
}
