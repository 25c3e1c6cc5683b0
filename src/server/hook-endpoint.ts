import type { NativeCalls } from "../runtime/native-calls.ts";
import type { App } from "./app.ts";

/**
 * The hook socket's job over HTTP, for a client that is a shell script with curl. The body of the answer is stdout, or
 * stderr when the exit code in the header is not 0. Variables come as `NAME=value`; as a mere name where the value is none
 * that fits into a header, because it is there that tells agents apart.
 */
export function addHookEndpoint(app: App, calls: NativeCalls): App {
  return app.post("/hook/:agent", async ({ req }) => {
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

function variableOf(text: string): [string, string] {
  const at = text.indexOf("=");
  return at === -1 ? [text, "1"] : [text.slice(0, at), text.slice(at + 1)];
}

/** Strictly: a byte that is replaced on the way would be judged as something it is not. */
const decoder = new TextDecoder("utf-8", { fatal: true });
