import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { ClientKind } from "../../src/agents/install/client-program.ts";
import { startTemporaryDaemon } from "../../src/agents/verify/temporary-daemon.ts";
import { isAlive } from "../../src/handlers/process/harness.cases.ts";
import { call, cli, denial, isThere, type Place, payload, place } from "./client-harness.ts";
import { endOf, Place as CommandPlace, until } from "./harness.ts";
import { startedDaemons } from "./started-daemons.ts";

const kinds: readonly ClientKind[] = ["native", "curl", "node"];

/** A home whose clients start the daemon. */
const startingPlace = (t: TestContext, kind: ClientKind = "native", program?: string): Place =>
  place(t, kind, program, true);
const daemons = ({ home }: Place): number[] => startedDaemons(home);

function swarm({ home, cwd }: Place, ...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home };
  return endOf(spawn(process.execPath, [cli, ...args], { cwd, env }));
}

async function daemonOf(at: Place): Promise<number | null> {
  const { stdout } = await swarm(at, "status", "--json");
  return (JSON.parse(stdout) as { pid: number | null }).pid;
}

/** Until the daemon that was started answers. */
async function started(at: Place): Promise<number> {
  await until(() => existsSync(join(at.home, "hook.sock")));
  const pid = await daemonOf(at);
  assert.ok(pid !== null);
  return pid;
}

for (const kind of kinds) {
  suite(`the ${kind} client`, { skip: !isThere(kind) && "cannot be made here" }, () => {
    test("judges the call that finds no daemon, and starts one for the next", async (t) => {
      const at = startingPlace(t, kind);
      assert.match((await call(at, payload(at.cwd, "forbidden"))).stdout, denial);
      const pid = await started(at);
      assert.match((await call(at, payload(at.cwd, "forbidden", "t2"))).stdout, denial);
      assert.deepEqual(daemons(at), [pid]);
    });

    test("starts it in a session of its own, with nothing of the agent's environment", async (t) => {
      const at = startingPlace(t, kind);
      const env = { CLAUDECODE: "1", SWARM_RUN: "run_1", NODE_OPTIONS: "--no-warnings", FROM_AGENT: "yes" };
      await call(at, payload(at.cwd, "ls"), ["--guard"], { env });
      const pid = await started(at);
      const names = readFileSync(`/proc/${pid}/environ`, "utf8")
        .split("\0")
        .map((entry) => entry.split("=")[0]);
      for (const name of Object.keys(env)) assert.equal(names.includes(name), false, name);
      const [, , , session] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      assert.equal(Number(session), pid);
      assert.equal(readlinkSync(`/proc/${pid}/cwd`), at.home);
    });

    test("starts none after swarm stop, until swarm up", async (t) => {
      const at = startingPlace(t, kind);
      assert.match((await swarm(at, "stop")).stdout, /agents' calls start none until swarm up/);
      assert.match((await call(at, payload(at.cwd, "forbidden"))).stdout, denial);
      assert.deepEqual(daemons(at), []);
      await swarm(at, "up", "--detach", "--port", "0");
      const pid = await daemonOf(at);
      assert.ok(pid !== null);
      process.kill(pid, "SIGKILL");
      await until(() => !isAlive(pid));
      const again = await call(at, payload(at.cwd, "forbidden", "t2"));
      assert.match(again.stdout, denial, JSON.stringify(again));
      await until(() => daemons(at).length === 1);
    });

    test("starts none where the user's file says auto_start: false", async (t) => {
      const at = place(t, kind, undefined, false);
      assert.match((await call(at, payload(at.cwd, "forbidden"))).stdout, denial);
      assert.deepEqual(daemons(at), []);
      assert.equal(existsSync(join(at.home, "last-start")), false);
    });
  });
}

/** A program that counts how often it is told to be the daemon, and ends at once then. */
function countingProgram(t: TestContext): { readonly program: string; starts(): number } {
  const { folder } = new CommandPlace(t);
  const [program, log] = [join(folder, "swarm.cjs"), join(folder, "starts")];
  const counts = `require("node:fs").appendFileSync(${JSON.stringify(log)}, "x"); process.exit(1);`;
  writeFileSync(program, `if (process.argv[2] === "up") { ${counts} } require(${JSON.stringify(cli)});\n`);
  return { program, starts: () => (existsSync(log) ? readFileSync(log, "utf8").length : 0) };
}

test("calls at once start one daemon, and a start that fails is not tried again with every call", async (t) => {
  const { program, starts } = countingProgram(t);
  const at = startingPlace(t, "native", program);
  const ids = Array.from({ length: 8 }, (_, each) => `t${each}`);
  const answers = await Promise.all(ids.map((id) => call(at, payload(at.cwd, "forbidden", id))));
  for (const { stdout } of answers) assert.match(stdout, denial);
  await until(() => starts() > 0 && daemons(at).length === 0);
  await call(at, payload(at.cwd, "ls", "later"));
  await until(() => daemons(at).length === 0);
  assert.equal(starts(), 1);
  // As if that had been a while ago.
  writeFileSync(join(at.home, "last-start"), new Date(Date.now() - 31_000).toISOString());
  await call(at, payload(at.cwd, "ls", "much later"));
  await until(() => starts() === 2);
});

test("a daemon that is being started while swarm stop runs does not stay", async (t) => {
  const at = startingPlace(t);
  const auto = spawn(process.execPath, [cli, "up", "--auto", "--log-file", join(at.home, "daemon.log")], {
    env: { PATH: process.env.PATH, HOME: at.home, SWARM_HOME: at.home },
    cwd: at.home,
  });
  const ended = endOf(auto);
  // It holds the lock of the home by now, and does not answer yet.
  await until(() => existsSync(join(at.home, "daemon.lock")));
  await swarm(at, "stop");
  const { status } = await ended;
  assert.equal(status, 0);
  assert.equal(await daemonOf(at), null);
});

test("a person who stops the daemon with Ctrl-C has stopped it for agents, too; a service manager has not", async (t) => {
  for (const [signal, isMarked] of [
    ["SIGINT", true],
    ["SIGTERM", false],
  ] as const) {
    const commands = new CommandPlace(t);
    const up = await commands.up();
    up.child.kill(signal);
    await up.ended;
    assert.equal(existsSync(join(commands.home, "stopped")), isMarked, signal);
  }
});

test("a copy of a call that comes once the daemon is there has the answer of the first, and no row of its own", async (t) => {
  const at = startingPlace(t);
  const first = await call(at, payload(at.cwd, "forbidden"));
  await started(at);
  const copy = await call(at, payload(at.cwd, "forbidden"));
  assert.equal(copy.stdout, first.stdout);
  const { stdout } = await swarm(at, "audit", "log", "--event", "tool.before", "--json");
  assert.equal((JSON.parse(stdout) as { items: unknown[] }).items.length, 1);
});

test("a daemon that a call starts does not bring back a home that was removed meanwhile", async (t) => {
  const at = startingPlace(t);
  rmSync(at.home, { recursive: true });
  const auto = await swarm(at, "up", "--auto", "--port", "0");
  assert.equal(auto.status, 0);
  assert.match(auto.stdout, /^not started/);
  assert.equal(existsSync(at.home), false);
});

test("a daemon whose home is removed ends by itself", async (t) => {
  const commands = new CommandPlace(t);
  const up = await commands.up();
  rmSync(commands.home, { recursive: true });
  assert.equal((await up.ended).status, 0);
  assert.match(up.printed(), /its SWARM_HOME was removed/);
});

test("the calls of a verification start no daemon after theirs was killed", async (t) => {
  const at = startingPlace(t);
  rmSync(join(at.home, "config.yaml"));
  const env = { PATH: process.env.PATH, HOME: at.home };
  const makeClient = () => at.program;
  const daemon = await startTemporaryDaemon({ home: at.home, node: process.execPath, cli, env, makeClient });
  await daemon.kill();
  assert.equal((await call(at, payload(at.cwd, "ls"))).exitCode, 0);
  assert.equal(existsSync(join(at.home, "last-start")), false);
});
