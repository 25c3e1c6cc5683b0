// Starts a daemon on a home of its own with config.yaml, and tells it of an agent that starts and ends.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";

const here = import.meta.dirname;
const home = mkdtempSync(join(tmpdir(), "swarm-example-"));
const config = readFileSync(join(here, "config.yaml"), "utf8").replace(
  "./server.ts",
  join(here, "server.ts"),
);
writeFileSync(join(home, "config.yaml"), config);

const path = [dirname(process.execPath), process.env.PATH].join(delimiter); // the server's node is the one that runs this
const env = { ...process.env, PATH: path, SWARM_HOME: home };
const daemon = spawn(process.execPath, [join(here, "../../bin/swarm"), "up", "--port", "0"], { env });
const serverSaid = linesOf(daemon);
const [line] = (await once(createInterface({ input: daemon.stdout }), "line")) as [string];
const address = line.replace("listening on ", "");
const authorization = `Bearer ${readFileSync(join(home, "token"), "utf8").trim()}`;

async function emit(event: string, agent: string, data: object): Promise<unknown> {
  const body = JSON.stringify({ event, agent, data });
  const headers = { authorization, "content-type": "application/json" };
  const response = await fetch(`${address}/api/v1/events`, { method: "POST", headers, body });
  return ((await response.json()) as { data: unknown }).data;
}

const messages = [
  { role: "system", content: "be brief" },
  { role: "system", content: "important: never push to main" },
  { role: "user", content: "hello" },
];
console.log("MyAgent goes on with", await emit("on_start", "MyAgent", { messages, context: null }));
console.log("Another goes on with", await emit("on_start", "Another", { messages, context: { turn: 1 } }));
await emit("on_end", "MyAgent", { messages: messages.slice(1), context: null });

daemon.kill();
console.log("the server said", await serverSaid);
rmSync(home, { recursive: true });

/** What the server of tools wrote to stderr, out of the daemon's log. */
async function linesOf({ stderr }: ChildProcess): Promise<string[]> {
  let log = "";
  for await (const chunk of stderr ?? []) log += chunk;
  return [...log.matchAll(/MCP server agent-tools: (.*?) \{/g)].map(([, said = ""]) => said);
}
