import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketPath } from "../src/base/sockets.ts";
import { writeRequest } from "../src/agents/calls/hook-frames.ts";
import type { Amounts } from "./measure.ts";
import { columns, compile, root } from "./native-programs.ts";

/** Calls that come at once, each on a connection of its own. */
export const loaded = {
  socket: "hook socket, 32 connections",
  http: "node:http with the same hooks and record, 32 connections",
} as const;

const [connections, callsPerRound] = [32, 320];

/** Loads both in turn from a small C program. Each server is a process of its own, on a store of its own. */
export async function measureLoads(rounds: number): Promise<Amounts> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  const servers: ChildProcess[] = [];
  try {
    const load = compile("load.c", join(folder, "load"));
    const [ours, theirs] = [home(folder, "ours"), home(folder, "theirs")];
    const input = JSON.stringify({ ...call, cwd: folder });
    const framed = join(folder, "framed");
    const framing = {
      agent: "claude-code",
      isGuard: true,
      timeoutMs: 59_500,
      sentAtMs: null,
      env: { CLAUDECODE: "1" },
      input,
    };
    writeFileSync(framed, writeRequest(framing));
    const posted = join(folder, "posted");
    const head = `POST /hook/claude-code HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(input)}`;
    writeFileSync(posted, `${head}\r\n\r\n${input}`);
    const socket = join(folder, "http.sock");
    const peer = join(root, "bench/contestants/http-hook-server.ts");
    servers.push(await serve(ours, [join(root, "bin/swarm"), "up", "--port", "0"]));
    servers.push(await serve(theirs, [peer, theirs, socket]));
    const targets = ["--", socketPath(ours, "hook"), framed, "--", socket, posted];
    const args = [rounds, callsPerRound, connections].map(String);
    return columns(Object.values(loaded), execFileSync(load, [...args, ...targets], { encoding: "utf8" }));
  } finally {
    for (const server of servers) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    rmSync(folder, { recursive: true });
  }
}

const call = {
  session_id: "s1",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls -la src", description: "lists what is there" },
};

function home(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  const guard = "event: tool.before, type: command, name: guard, match: Write, mode: guard, on_failure: deny";
  writeFileSync(join(path, "config.yaml"), `hooks:\n  - { ${guard}, command: exit 2 }\n`);
  return path;
}

async function serve(home: string, args: readonly string[]): Promise<ChildProcess> {
  const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home };
  const server = spawn(process.execPath, args, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"] });
  await once(server.stdout, "data");
  server.stdout.resume();
  return server;
}
