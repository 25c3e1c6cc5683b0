import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { refusalTexts } from "../src/agents/adapters/refuse-unread.ts";
import { socketPath } from "../src/base/sockets.ts";
import { recordedEnvironment } from "../src/agents/install/client-environment.ts";
import { makeClient } from "../src/agents/install/client-program.ts";
import { writeRequest } from "../src/agents/calls/hook-frames.ts";
import type { Amounts } from "./measure.ts";
import { columns, compile, root } from "./native-programs.ts";

/** What an agent pays for one hook call: start, stdin, decision, end. */
export const launched = {
  client: "client → daemon, recorded",
  noop: "exec of a static program that does nothing",
  curl: "curl → daemon",
  node: "a Node hook without imports",
  noDaemon: "client, no daemon, no hook for the tool",
  allowed: "client, no daemon, allowed by rules",
  denied: "client, no daemon, denied by rules",
  hooked: "client, no daemon, a command to ask",
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
    const up = place(folder, "up", guard("Write", 2));
    const down = {
      [launched.noDaemon]: place(folder, "down", guard("Write", 2)),
      [launched.allowed]: place(folder, "allowed", rules("allow")),
      [launched.denied]: place(folder, "denied", rules("deny")),
      [launched.hooked]: place(folder, "hooked", guard("Bash", 0)),
    };
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
      ...Object.fromEntries(
        Object.entries(down).map(([name, { client }]) => [
          name,
          [client, "claude-code", "--guard", "--timeout-ms", "59500"],
        ]),
      ),
      [launched.bareNode]: [process.execPath, "-e", "0"],
    };
    await warmUp(up.home, payload(up.cwd));
    for (const [name, { client, home }] of Object.entries(down)) {
      startOften(client, up.env, input);
      const isShort = existsSync(join(home, "late"));
      if (isShort !== (name !== launched.hooked)) throw new Error(`${name}: answered by the other way`);
    }
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
  const bytes = writeRequest({
    agent: "claude-code",
    isGuard: true,
    timeoutMs: 59_500,
    sentAtMs: null,
    env,
    input,
  });
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

/** Of `Write`, which is not called: what is timed is not the guard. */
function guard(tool: string, exitCode: number): string {
  const what = `event: tool.before, type: command, name: guard, match: ${tool}, on_failure: deny`;
  return `hooks: [{ ${what}, command: exit ${exitCode} }]`;
}

/** The starter's, and one for the command that is called. */
function rules(behaviour: string): string {
  return `policy: { use: starter, rules: [{ id: lists, when: { command: [ls] }, behaviour: ${behaviour} }] }`;
}

/** A home with a client. */
function place(folder: string, name: string, config: string) {
  const [home, cwd] = [join(folder, name, "home"), join(folder, name, "project")];
  for (const made of [home, cwd]) mkdirSync(made, { recursive: true });
  writeFileSync(join(home, "config.yaml"), `auto_start: false\n${config}\n`);
  const path = (process.env.PATH ?? "").split(delimiter);
  const environment = recordedEnvironment({ PATH: process.env.PATH, HOME: home }, home);
  const { argv, kind } = makeClient({
    home,
    node: process.execPath,
    cli: bin,
    path,
    environment,
    refusals: refusalTexts(),
  });
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
