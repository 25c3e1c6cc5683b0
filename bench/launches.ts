import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  policy: "client → daemon, starter policy, recorded",
  guard: "client → daemon, a guard for another tool, recorded",
  empty: "the same client → a Node server that does nothing",
  journal: "the same client → a Node server that parses and journals the call",
  noop: "exec of a static program that does nothing",
  node: "a Node hook without imports",
  noDaemon: "client, no daemon, starter policy, recorded",
  bareNode: "node -e 0",
} as const;

/** The daemon of another checkout, which is built. */
export const baseline = process.env.SWARM_BENCH_BASELINE ?? null;
export const baselineName = "the same client → the daemon of the baseline, starter policy";

const bin = join(root, "bin/swarm");
const emptyServer = join(root, "bench/contestants/empty-hook-server.ts");
const journalServer = join(root, "bench/contestants/journal-hook-server.ts");

/** A start takes little time and varies much: 60 rounds are 360 starts of each, four in a turn. */
const turnsPerRound = 1.5;

/** Times all of them in turn, from a small C program. Each daemon is a process of its own, on a store of its own. */
export async function measureLaunches(rounds: number): Promise<Amounts> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  const servers: ChildProcess[] = [];
  try {
    const launch = compile("launch.c", join(folder, "launch"));
    const noop = compile("", join(folder, "noop"), "int main(void) { return 0; }");
    const hook = join(folder, "hook.cjs");
    writeFileSync(
      hook,
      "let s='';process.stdin.on('data',c=>s+=c).on('end',()=>{JSON.parse(s);process.exit(0)})",
    );
    const project = join(folder, "project");
    mkdirSync(project);
    const input = join(folder, "input.json");
    writeFileSync(input, payload(project, "@@@@@@@@"));
    const make = (name: string, config: string) => place(join(folder, name), project, config);
    const policy = make("policy", starter);
    const guard = make("guard", guardOfAnotherTool);
    const empty = make("empty", "");
    const journal = make("journal", "");
    const noDaemon = make("no-daemon", `auto_start: false\n${starter}`);
    const old = baseline === null ? null : make("baseline", starter);
    const serve = async (at: Place, args: readonly string[]) => {
      servers.push(await startServer(at, args));
      await warmUp(at.home, project);
    };
    await serve(policy, [bin, "up", "--port", "0"]);
    await serve(guard, [bin, "up", "--port", "0"]);
    await serve(empty, [emptyServer, socketPath(empty.home, "hook")]);
    await serve(journal, [journalServer, socketPath(journal.home, "hook"), journal.home]);
    if (baseline !== null && old !== null)
      await serve(old, [join(baseline, "bin/swarm"), "up", "--port", "0"]);
    const call = ({ client }: Place) => [client, "claude-code", "--guard", "--timeout-ms", "59500"];
    const programs: Readonly<Record<string, readonly string[]>> = {
      [launched.policy]: call(policy),
      [launched.guard]: call(guard),
      [launched.empty]: call(empty),
      [launched.journal]: call(journal),
      [launched.noop]: [noop],
      [launched.node]: [process.execPath, hook],
      [launched.noDaemon]: call(noDaemon),
      [launched.bareNode]: [process.execPath, "-e", "0"],
      ...(old !== null && { [baselineName]: call(old) }),
    };
    const args = Object.values(programs).flatMap((argv) => ["--", ...argv]);
    const env = { ...policy.env, NODE_EXTRA_CA_CERTS: undefined };
    const printed = execFileSync(launch, [String(Math.ceil(rounds * turnsPerRound)), input, ...args], {
      encoding: "utf8",
      env,
      cwd: project,
    });
    return columns(Object.keys(programs), printed);
  } finally {
    for (const server of servers) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    rmSync(folder, { recursive: true });
  }
}

async function startServer({ env }: Place, args: readonly string[]): Promise<ChildProcess> {
  const server = spawn(process.execPath, args, { cwd: env.HOME, env, stdio: ["ignore", "pipe", "inherit"] });
  await once(server.stdout, "data");
  server.stdout.resume();
  return server;
}

/** A daemon runs for days: what is timed is one that has answered before, not V8 as it learns. */
async function warmUp(home: string, cwd: string): Promise<void> {
  const framing = { agent: "claude-code", isGuard: true, timeoutMs: 59_500, env: { CLAUDECODE: "1" } };
  for (let call = 0; call < 3_000; call++) {
    const input = payload(cwd, `w${String(call).padStart(7, "0")}`);
    const socket = connect(socketPath(home, "hook"));
    socket.end(writeRequest({ ...framing, sentAtMs: Date.now(), input }));
    socket.resume();
    await once(socket, "close");
  }
}

const starter = "policy: { use: starter }";
/** Its tool is not called: what is timed is not the guard. */
const guardOfAnotherTool =
  "hooks: [{ event: tool.before, type: command, name: guard, match: Write, on_failure: deny, command: exit 2 }]";

interface Place {
  readonly home: string;
  readonly client: string;
  readonly env: { readonly HOME: string; readonly [name: string]: string | undefined };
}

/** A home with a client. */
function place(home: string, cwd: string, config: string): Place {
  mkdirSync(home);
  writeFileSync(join(home, "config.yaml"), `${config}\n`);
  const path = (process.env.PATH ?? "").split(delimiter);
  const environment = recordedEnvironment({ PATH: process.env.PATH, HOME: home }, home);
  const { argv, kind } = makeClient({
    home,
    prebuilt: null,
    node: process.execPath,
    cli: bin,
    path,
    environment,
    refusals: refusalTexts(),
  });
  if (kind !== "native") throw new Error("the client suite needs a C compiler");
  const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home, PWD: cwd, CLAUDECODE: "1" };
  return { home, client: argv[0], env };
}

/** As Claude Code sends it; `number` makes it a call of its own. */
function payload(cwd: string, number: string): string {
  return JSON.stringify({
    session_id: "s1",
    transcript_path: join(cwd, "transcript.jsonl"),
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: {
      command: `cd src && npm test -- --grep "case ${number}" | head -50`,
      description: "runs a test",
    },
    tool_use_id: `toolu_${number}`,
  });
}
