import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { socketPath } from "../src/base/sockets.ts";
import { makeClient } from "../src/install/client-program.ts";
import { writeRequest } from "../src/server/hook-frames.ts";
import type { Amounts } from "./measure.ts";
import { columns, compile, root } from "./native-programs.ts";

/** What an agent pays for one hook call: start, stdin, decision, end. */
export const launched = {
  client: "client → daemon, recorded",
  noop: "exec of a static program that does nothing",
  curl: "curl → daemon",
  node: "a Node hook without imports",
  noDaemon: "client, no daemon, no hook for the tool",
  ruled: "client, no daemon, rules to ask",
  bareNode: "node -e 0",
} as const;

const bin = join(root, "bin/swarm");

/** A start takes little time and varies much: 60 rounds are 360 starts of each, four in a turn. */
const turnsPerRound = 1.5;

/** Times all of them in turn, from a small C program. The daemon is a process of its own, on a store of its own. */
export async function measureLaunches(rounds: number): Promise<Amounts> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  let daemon: ChildProcess | null = null;
  try {
    const launch = compile("launch.c", join(folder, "launch"));
    const noop = compile("", join(folder, "noop"), "int main(void) { return 0; }");
    const [up, down] = [place(folder, "up", guard), place(folder, "down", guard)];
    const ruled = place(folder, "ruled", rule);
    const started = spawn(process.execPath, [bin, "up", "--port", "0"], {
      cwd: up.cwd,
      env: up.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    daemon = started;
    await once(started.stdout, "data");
    started.stdout.resume();
    const input = join(folder, "input.json");
    writeFileSync(input, payload(up.cwd));
    const hook = join(folder, "hook.cjs");
    writeFileSync(
      hook,
      "let s='';process.stdin.on('data',c=>s+=c).on('end',()=>{JSON.parse(s);process.exit(0)})",
    );
    const url = [
      "-H",
      "x-swarm-guard: 1",
      "-H",
      "content-type: application/json",
      "--data-binary",
      `@${input}`,
    ];
    const programs: Readonly<Record<string, readonly string[]>> = {
      [launched.client]: [up.client, "claude-code", "--guard", "--timeout-ms", "59500"],
      [launched.noop]: [noop],
      [launched.curl]: [
        "/usr/bin/curl",
        "-sS",
        "--unix-socket",
        join(up.home, "swarm.sock"),
        ...url,
        "http://localhost/hook/claude-code",
      ],
      [launched.node]: [process.execPath, hook],
      [launched.noDaemon]: [down.client, "claude-code", "--guard", "--timeout-ms", "59500"],
      [launched.ruled]: [ruled.client, "claude-code", "--guard", "--timeout-ms", "59500"],
      [launched.bareNode]: [process.execPath, "-e", "0"],
    };
    await warmUp(up.home, payload(up.cwd));
    for (const { client, env } of [down, ruled]) startOften(client, env, input);
    if (!existsSync(join(down.home, "late"))) throw new Error("no call was answered from the book");
    const args = Object.values(programs).flatMap((argv) => ["--", ...argv]);
    const env = { ...up.env, NODE_EXTRA_CA_CERTS: undefined };
    const printed = execFileSync(launch, [String(Math.ceil(rounds * turnsPerRound)), input, ...args], {
      encoding: "utf8",
      env,
      cwd: up.cwd,
    });
    return columns(Object.keys(programs), printed);
  } finally {
    if (daemon?.kill("SIGTERM")) await once(daemon, "exit");
    rmSync(folder, { recursive: true });
  }
}

/** A daemon runs for days: what is timed is one that has answered before, not V8 as it learns. */
async function warmUp(home: string, input: string): Promise<void> {
  const env = { CLAUDECODE: "1" };
  const bytes = writeRequest({ agent: "claude-code", isGuard: true, timeoutMs: 59_500, env, input });
  for (let call = 0; call < 3_000; call++) {
    const socket = connect(socketPath(home, "hook"));
    socket.end(bytes);
    socket.resume();
    await once(socket, "close");
  }
}

/** The first starts compile, and find out what concerns no hook: not before the files are 0.1 s old. */
function startOften(client: string, env: NodeJS.ProcessEnv, input: string): void {
  const args = ["claude-code", "--guard", "--timeout-ms", "59500"];
  for (let start = 0; start < 5; start++) {
    execFileSync(client, args, { env, stdio: [openSync(input, "r"), "ignore", "inherit"] });
  }
}

/** For another tool: what is timed is not the guard. */
const guard =
  "hooks: [{ event: tool.before, type: command, name: guard, match: Write, on_failure: deny, command: exit 2 }]";
/** Judges every tool, and has nothing against this one. */
const rule = "policy: { rules: [{ id: keep-out, when: { tool: write }, behaviour: deny }] }";

/** A home with a client. */
function place(folder: string, name: string, config: string) {
  const [home, cwd] = [join(folder, name, "home"), join(folder, name, "project")];
  for (const made of [home, cwd]) mkdirSync(made, { recursive: true });
  writeFileSync(join(home, "config.yaml"), `${config}\n`);
  const path = (process.env.PATH ?? "").split(delimiter);
  const { argv, kind } = makeClient({ home, node: process.execPath, cli: bin, path });
  if (kind !== "native") throw new Error("the client suite needs a C compiler");
  const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home, CLAUDECODE: "1" };
  return { home, cwd, env, client: argv[0] };
}

function payload(cwd: string): string {
  const call = {
    tool_name: "Bash",
    tool_input: { command: "ls -la src", description: "lists what is there" },
  };
  return JSON.stringify({ session_id: "s1", cwd, hook_event_name: "PreToolUse", ...call });
}
