import type { NativeCalls } from "./native-calls.ts";
import type { App } from "../../daemon/server/app.ts";
import { silentMs } from "./hook-frames.ts";

/**
 * The hook socket's job over HTTP, for a client that is a shell script with curl. The body of the answer is stdout, or
 * stderr when the exit code in the header is not 0. Variables come as `NAME=value`; as a mere name where the value is none
 * that fits into a header, because it is there that tells agents apart.
 */
export function addHookEndpoint(app: App, calls: NativeCalls): App {
  return app.post("/hook/:agent", async ({ req }) => {
    if (await isAbandoned(req.header("x-swarm-sent-s"), req.raw.signal)) return new Response(null, abandoned);
    const names = (req.header("x-swarm-env") ?? "").split(" ").filter(Boolean);
    const answer = await calls.answer({
      agent: req.param("agent"),
      isGuard: req.header("x-swarm-guard") === "1",
      timeoutMs: Number(req.header("x-swarm-timeout-ms") ?? 0) || 0,
      env: Object.fromEntries(names.map(variableOf)),
      input: decoder.decode(await req.arrayBuffer()),
    });
    const text = answer.exitCode === 0 ? answer.stdout : answer.stderr;
    return new Response(text, { headers: { "x-swarm-exit": String(answer.exitCode) } });
  });
}

/** Nobody reads it. */
const abandoned = { status: 408 };

/** The end of a connection is noticed a moment after what was sent before it. */
const noticeMs = 100;

/**
 * Whether the client has gone: it has evaluated the call for itself then, and to judge it again would run its hooks twice
 * and leave a second row. Only one that has waited long may have.
 */
async function isAbandoned(sentS: string | undefined, signal: AbortSignal): Promise<boolean> {
  const isFresh = sentS === undefined || !(Date.now() - Number(sentS) * 1_000 >= silentMs);
  if (isFresh || signal.aborted) return !isFresh;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), noticeMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function variableOf(text: string): [string, string] {
  const at = text.indexOf("=");
  return at === -1 ? [text, "1"] : [text.slice(0, at), text.slice(at + 1)];
}

/** Strictly: a byte that is replaced on the way would be judged as something it is not. */
const decoder = new TextDecoder("utf-8", { fatal: true });
