import type { NativeAnswer } from "../port/adapter.ts";

/** A hook call as `native/swarm-hook.c` sends it. */
export interface HookRequest {
  readonly agent: string;
  readonly isGuard: boolean;
  /** How long the agent's hook may take; 0: it did not say. */
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
  /** When it was sent, in Unix milliseconds; null: by an older client, which knows no `workingFrame`. */
  readonly sentAtMs: number | null;
  /** What the agent wrote on the hook's stdin. */
  readonly input: string;
}

/** What is sent before an answer that takes its time, again and again: a client gives up a daemon that says nothing. */
export const workingFrame = "working\n";
/** Several times within the 2 s a client waits before it looks what has become of the daemon. */
export const workingEveryMs = 500;
/** A client that has waited this long may have gone, and evaluated its call for itself. */
export const silentMs = 2_000;

export const maxEnvBytes = 64 * 1024;
export const maxInputBytes = 1024 * 1024;
const maxHeaderBytes = 256;

/** Strictly: a byte that is replaced on the way would be judged as something it is not. */
const decoder = new TextDecoder("utf-8", { fatal: true });

const header = /^swarm-hook\/2 ([A-Za-z0-9_-]{1,64}) ([01]) (\d{1,9}) (\d{1,15}) (\d{1,7}) (\d{1,7})$/;
/** Of clients that were made before requests said when they were sent. */
const olderHeader = /^swarm-hook\/1 ([A-Za-z0-9_-]{1,64}) ([01]) (\d{1,9})() (\d{1,7}) (\d{1,7})$/;

/** The request in these bytes; null while more are to come. Throws on what can never become one. */
export function readRequest(bytes: Buffer): HookRequest | null {
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(10);
  if (end === -1) {
    if (bytes.length >= maxHeaderBytes) throw new Error("the request has no header");
    return null;
  }
  const line = bytes.toString("latin1", 0, end);
  const found = header.exec(line) ?? olderHeader.exec(line);
  if (found === null) throw new Error("the request's header is not one of ours");
  const [agent = "", guard, timeoutMs, sentAtMs, envBytes, inputBytes] = found.slice(1);
  const [envLength, inputLength] = [Number(envBytes), Number(inputBytes)];
  if (envLength > maxEnvBytes || inputLength > maxInputBytes) throw new Error("the request is too large");
  const envEnd = end + 1 + envLength;
  if (bytes.length < envEnd + inputLength) return null;
  return {
    agent,
    isGuard: guard === "1",
    timeoutMs: Number(timeoutMs),
    sentAtMs: sentAtMs === "" ? null : Number(sentAtMs),
    env: readEnv(bytes.toString("utf8", end + 1, envEnd)),
    input: decoder.decode(bytes.subarray(envEnd, envEnd + inputLength)),
  };
}

export function writeRequest({ agent, isGuard, timeoutMs, sentAtMs, env, input }: HookRequest): Buffer {
  const variables = Buffer.from(
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\0`)
      .join(""),
  );
  const body = Buffer.from(input);
  const sent = sentAtMs === null ? "" : ` ${sentAtMs}`;
  const version = sentAtMs === null ? 1 : 2;
  const line = `swarm-hook/${version} ${agent} ${Number(isGuard)} ${timeoutMs}${sent} ${variables.length} ${body.length}\n`;
  return Buffer.concat([Buffer.from(line), variables, body]);
}

export function writeAnswer({ exitCode, stdout, stderr }: NativeAnswer): Buffer {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
  return Buffer.concat([Buffer.from(`${exitCode} ${out.length} ${err.length}\n`), out, err]);
}

/** Null when it is cut off: half an answer is none. What says that one is under way comes before it. */
export function readAnswer(received: Buffer): NativeAnswer | null {
  let begin = 0;
  while (received.toString("latin1", begin, begin + workingFrame.length) === workingFrame)
    begin += workingFrame.length;
  const bytes = received.subarray(begin);
  const found = /^(\d{1,3}) (\d{1,8}) (\d{1,8})\n/.exec(bytes.toString("latin1", 0, 32));
  if (found === null) return null;
  const start = found[0].length;
  const [exitCode = 0, out = 0, err = 0] = found.slice(1).map(Number);
  if (bytes.length !== start + out + err) return null;
  return {
    exitCode,
    stdout: bytes.toString("utf8", start, start + out),
    stderr: bytes.toString("utf8", start + out),
  };
}

function readEnv(text: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (let from = 0, to = text.indexOf("\0"); to !== -1; from = to + 1, to = text.indexOf("\0", from)) {
    const at = text.indexOf("=", from);
    if (at !== -1 && at < to) env[text.slice(from, at)] = text.slice(at + 1, to);
  }
  return env;
}
