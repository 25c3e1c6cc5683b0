// The hook socket's job by a plain node:http server: the same hooks, the same record. `http-hook-server.ts HOME SOCKET`
import { createServer } from "node:http";
import { NativeCalls } from "../../src/agents/calls/native-calls.ts";
import { openRuntime } from "../../src/daemon/runtime/runtime.ts";

const [home = "", socket = ""] = process.argv.slice(2);
const log = { warn: () => undefined };
const runtime = await openRuntime({ home, cwd: home, env: process.env, log, isResident: true });
const calls = new NativeCalls(runtime);
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.on("end", async () => {
    const input = Buffer.concat(chunks).toString();
    const answer = await calls.answer({ agent: "claude-code", isGuard: true, timeoutMs: 59_500, env, input });
    response.setHeader("x-swarm-exit", String(answer.exitCode));
    response.end(answer.exitCode === 0 ? answer.stdout : answer.stderr);
  });
});
const env = { CLAUDECODE: "1" };
server.listen(socket, () => process.stdout.write("listening\n"));
process.on("SIGTERM", () => {
  server.close();
  void runtime.close().then(() => process.exit(0));
});
