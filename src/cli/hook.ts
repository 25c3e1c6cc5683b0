import { readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { refuseUnread } from "../agents/adapters/refuse-unread.ts";
import type { NativeAnswer } from "../agents/port/adapter.ts";
import type { NativeRequest } from "../agents/calls/native-calls.ts";
import { maxInputBytes, writeAnswer } from "../agents/calls/hook-frames.ts";
import { askDaemon } from "./ask-daemon.ts";
import { type Command, usage } from "./command.ts";
import { swarmHome } from "./swarm-home.ts";

export const hookCommand: Command = {
  summary: "answer one hook call of a coding agent: its JSON on stdin, the answer in its own words",
  positionals: ["AGENT"],
  options: { "timeout-ms": "N  how long the agent waits, in milliseconds" },
  flags: {
    guard: { doc: "deny whatever cannot be judged (exit 2); else stay silent then" },
    framed: { doc: "print exit code and lengths before the answer, as the daemon does: for the client" },
    "no-daemon": { doc: "evaluate in this process, whether or not there is a daemon" },
  },
  hint: "did you mean swarm hooks?",
  examples: ["swarm hook claude-code --guard --timeout-ms 60000 < payload.json"],
  run({ positionals: [agent], options, flags }) {
    if (agent === undefined) throw usage("hook", "an agent is missing");
    return answerHook({
      agent,
      isGuard: flags.has("guard"),
      timeoutMs: Number(options["timeout-ms"] ?? 0),
      isFramed: flags.has("framed"),
      asksDaemon: !flags.has("no-daemon"),
    });
  },
};

export interface HookArguments {
  readonly agent: string;
  readonly isGuard: boolean;
  readonly timeoutMs: number;
  /** Whether the answer goes to a client, which takes half of one for none. */
  readonly isFramed: boolean;
  readonly asksDaemon: boolean;
}

/** Reads the call from stdin, prints its answer and ends the process. */
export async function answerHook(args: HookArguments) {
  // On a terminal nothing would come, and nothing would say so.
  if (isatty(0))
    throw usage(
      "hook",
      "an agent's call is read from stdin, and there is a terminal",
      "did you mean swarm hooks?",
    );
  const answered = await answerInput(args);
  const { stdout, stderr, exitCode } = args.isFramed
    ? { stdout: writeAnswer(answered), stderr: "", exitCode: 0 }
    : answered;
  // Whatever is still under way, the agent has its answer: it must not wait for the end of this process. The streams take
  // 3 ms to make, and are needed only where nobody takes the answer at once.
  const rest = [writeNow(1, stdout), writeNow(2, stderr)] as const;
  if (rest[1].length > 0) process.stderr.write(rest[1]);
  if (rest[0].length === 0 && rest[1].length === 0) process.exit(exitCode);
  process.stdout.write(rest[0], () => process.exit(exitCode));
  return { text: "", exitCode };
}

/** What could not be written without waiting. */
function writeNow(descriptor: number, text: string | Buffer): Buffer {
  let rest: Buffer = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // A pipe that is full and does not block, or that nobody reads: for the stream to wait, or to say so.
  }
  return rest;
}

async function answerInput(args: HookArguments): Promise<NativeAnswer> {
  const { agent, isGuard, timeoutMs } = args;
  const unread: NativeRequest = { agent, isGuard, timeoutMs, env: process.env, input: "" };
  let input: string;
  try {
    input = await readStdin();
  } catch (error) {
    return unjudged(unread, `its input cannot be read: ${(error as Error).message}`);
  }
  const request = { ...unread, input };
  return Promise.race([answer(request, args), deadline(request)]);
}

/** Never throws: for an agent every ending but exit 2 is consent, and a stack trace is one of those. */
async function answer(
  request: NativeRequest,
  { asksDaemon, isFramed }: HookArguments,
): Promise<NativeAnswer> {
  try {
    if (Buffer.byteLength(request.input) > maxInputBytes) throw new Error("its input is over 1 MiB");
    const answered = asksDaemon ? await askDaemon(request, swarmHome()) : "not asked";
    if (typeof answered === "object") return answered;
    // Loaded by the one call in many that finds no daemon.
    const { evaluate } = await import("./evaluate-hook.ts");
    // Only a client has cleaned the environment that the daemon would be started in.
    return await evaluate(request, { startsDaemon: isFramed && answered === "absent" });
  } catch (error) {
    return unjudged(request, (error as Error).message);
  }
}

function unjudged({ agent, isGuard, env }: NativeRequest, why: string): NativeAnswer {
  return isGuard ? refuseUnread(agent, env, why) : { stdout: "", stderr: "", exitCode: 0 };
}

/** Never, where the agent has not said how long it waits. */
function deadline(request: NativeRequest): Promise<NativeAnswer> {
  return new Promise((resolve) => {
    if (request.timeoutMs <= 0) return;
    const why = "no answer came before the agent's own deadline";
    setTimeout(() => resolve(unjudged(request, why)), request.timeoutMs).unref();
  });
}

/** Read at once: nothing can be done before it is there, and a stream takes 6 ms to make. */
async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  // What is over the limit is refused, however much there is.
  while (length <= maxInputBytes) {
    const chunk = readNow();
    if (chunk === null) {
      for await (const rest of process.stdin) {
        chunks.push(rest as Buffer);
        length += (rest as Buffer).length;
        if (length > maxInputBytes) break;
      }
      break;
    }
    if (chunk.length === 0) break;
    chunks.push(chunk);
    length += chunk.length;
  }
  const bytes = Buffer.concat(chunks);
  // What is too long may have been cut within a letter, and is refused for its length.
  return length > maxInputBytes ? bytes.toString("utf8") : decoder.decode(bytes);
}

/** Strictly: a byte that is replaced on the way would be judged as something it is not. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Empty at its end; null where it has to be waited for by other means, as with a pipe that does not block. */
function readNow(): Buffer | null {
  const chunk = Buffer.allocUnsafe(64 * 1024);
  try {
    return chunk.subarray(0, readSync(0, chunk));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EOF") return Buffer.alloc(0); // how Windows says it
    if (code === "EAGAIN") return null;
    throw error;
  }
}
