import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { refusalTexts } from "../../src/agents/adapters/refuse-unread.ts";
import { recordedEnvironment } from "../../src/agents/install/client-environment.ts";
import { type ClientKind, makeClient } from "../../src/agents/install/client-program.ts";
import { startDaemon } from "../../src/daemon/server/daemon.ts";
import { endStartedDaemons } from "./started-daemons.ts";

export const cli = join(import.meta.dirname, "../../bin/swarm");
export const log = { warn: () => undefined };

/** What each kind of client is made from; the folder has that and nothing else. */
export const tools: Readonly<Record<ClientKind, readonly string[]>> = {
  native: ["musl-gcc", "cc"],
  curl: ["curl"],
  node: [],
};

export interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly program: string;
}

/** A home with a client of this kind and a guard that denies what says "forbidden", and a project. */
export function place(t: TestContext, kind: ClientKind, program = cli, isAutoStarted = false): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-client-")));
  const [home, cwd, bin] = [join(folder, "home"), join(folder, "project"), join(folder, "bin")];
  for (const made of [home, cwd, bin]) mkdirSync(made);
  t.after(async () => {
    await endStartedDaemons(home);
    rmSync(folder, { recursive: true });
  });
  writeFileSync(
    join(home, "config.yaml"),
    `auto_start: ${isAutoStarted}
hooks:
  - event: tool.before
    type: command
    name: guard
    mode: guard
    on_failure: deny
    command: "grep -q forbidden && { echo not that >&2; exit 2; } || exit 0"
`,
  );
  // A compiler needs its own tools, so for it the whole path counts.
  const path = kind === "native" ? (process.env.PATH ?? "").split(":") : [bin];
  for (const tool of tools[kind]) {
    const found = ["/usr/bin", "/usr/local/bin"].map((from) => join(from, tool)).find(existsSync);
    if (kind !== "native" && found !== undefined) symlinkSync(found, join(bin, tool));
  }
  const environment = recordedEnvironment({ PATH: process.env.PATH, HOME: home }, home);
  const client = makeClient({
    home,
    node: process.execPath,
    cli: program,
    prebuilt: null,
    path,
    environment,
    refusals: refusalTexts(),
  });
  assert.equal(client.kind, kind);
  return { home, cwd, program: client.argv[0] };
}

export const isThere = (kind: ClientKind) =>
  kind === "node" ||
  tools[kind].some((tool) => spawnSync("/bin/sh", ["-c", `command -v ${tool}`]).status === 0);

export async function call(
  { home, cwd, program }: Place,
  input: string | Buffer,
  flags: readonly string[] = ["--guard"],
  agent: { readonly args?: readonly string[]; readonly env: NodeJS.ProcessEnv } = {
    env: { CLAUDECODE: "1" },
  },
) {
  const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home, ...agent.env };
  const child: ChildProcess = spawn(program, agent.args ?? ["claude-code", ...flags], { cwd, env });
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin?.on("error", () => undefined); // it may have seen enough
  child.stdin?.end(input);
  const [exitCode] = await once(child, "close");
  return { exitCode, stdout: stdout.trim(), stderr: stderr.trim() };
}

export const payload = (cwd: string, command: string, id = "t1") =>
  JSON.stringify({
    session_id: "s1",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: id,
  });

export async function daemon(t: TestContext, { home, cwd }: Place): Promise<void> {
  const started = await startDaemon({ home, cwd, env: process.env, log, port: 0 });
  t.after(() => started?.stop());
}

export const refusal = /^swarm: denied, because this call could not be judged: ./;
export const denial = /"permissionDecision":"deny","permissionDecisionReason":"not that"/;
