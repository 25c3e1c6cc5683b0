import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { writeRequest } from "../../src/agents/calls/hook-frames.ts";
import { socketPath } from "../../src/base/sockets.ts";
import { root } from "../native-programs.ts";

const fill = fileURLToPath(new URL("make-home.ts", import.meta.url));

export function makeHome(home: string, rows: number): void {
  const { status, stderr } = spawnSync(process.execPath, [fill, home, String(rows)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** A daemon of a home, asked over its sockets. */
export class Daemon {
  readonly home: string;
  readonly #process: ChildProcess;
  #calls = 0;

  private constructor(home: string, process: ChildProcess) {
    this.home = home;
    this.#process = process;
  }

  /** Resolves when it says that it listens. */
  static async start(home: string): Promise<Daemon> {
    const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home };
    const args = [join(root, "bin/swarm"), "up", "--port", "0"];
    const server = spawn(process.execPath, args, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"] });
    const isUp = await Promise.race([
      once(server.stdout, "data").then(() => true),
      once(server, "exit").then(() => false),
    ]);
    if (!isUp) throw new Error("the daemon ended");
    server.stdout.resume();
    return new Daemon(home, server);
  }

  async stop(): Promise<void> {
    this.#process.kill("SIGTERM");
    await once(this.#process, "exit");
  }

  async ask(path: string): Promise<string> {
    const sent = request({ socketPath: socketPath(this.home, "api"), path, agent: false });
    sent.end();
    const [answer] = await once(sent, "response");
    let text = "";
    for await (const chunk of answer) text += chunk;
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return text;
  }

  /** A call of an agent, another one each time. */
  async decide(): Promise<void> {
    const tool_input = { command: `ls -la src/${this.#calls++}` };
    const call = { session_id: "s1", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input };
    const input = JSON.stringify({ ...call, cwd: this.home, tool_use_id: `toolu_${this.#calls}` });
    const env = { CLAUDECODE: "1" };
    const socket = connect(socketPath(this.home, "hook"));
    socket.end(
      writeRequest({
        agent: "claude-code",
        isGuard: true,
        timeoutMs: 59_500,
        sentAtMs: Date.now(),
        env,
        input,
      }),
    );
    socket.resume();
    await once(socket, "close");
  }
}
