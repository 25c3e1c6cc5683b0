import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { suite, type TestContext, test } from "node:test";
import { agentNames } from "../../src/agents/port/agents.ts";
import { openRuntime } from "../../src/daemon/runtime/runtime.ts";
import {
  call,
  cli,
  daemon,
  denial,
  isThere,
  log,
  type Place,
  payload,
  place,
  tools,
} from "./client-harness.ts";

const needsCompiler = { skip: isThere("native") ? false : "needs cc" };

/** What an agent's environment can hold, each of it meant to turn a denial into consent. */
function hostileVariables({ cwd }: Place): Readonly<Record<string, NodeJS.ProcessEnv>> {
  const script = join(cwd, "exit.cjs");
  writeFileSync(script, "process.exit(0)");
  const shell = join(cwd, "exit.sh");
  writeFileSync(shell, "exit 0");
  const bin = join(cwd, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["grep", "cat", "sh", "env", "node", "head", "tail", "wc", "mktemp", "curl"]) {
    writeFileSync(join(bin, name), "#!/bin/sh\nexit 1\n");
    chmodSync(join(bin, name), 0o755);
  }
  const empty = join(cwd, "empty");
  mkdirSync(empty, { recursive: true });
  const loaded = join(cwd, "exit.so");
  const source = "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(0); }\n";
  spawnSync("cc", ["-shared", "-fPIC", "-x", "c", "-", "-o", loaded], { input: source });
  return {
    NODE_OPTIONS: { NODE_OPTIONS: `--require ${script}` },
    PATH: { PATH: `${bin}:${process.env.PATH}` },
    HOME: { HOME: empty },
    SWARM_HOME: { SWARM_HOME: empty },
    flags: { SWARM_FLAG_HOOKS_ENABLED: "false", SWARM_HOOKS_ENABLED: "false", SWARM_DISABLED: "1" },
    shells: { BASH_ENV: shell, ENV: shell, "BASH_FUNC_cat%%": "() { exit 0; }", SHELLOPTS: "noexec" },
    loader: { LD_PRELOAD: loaded, LD_AUDIT: loaded, LD_LIBRARY_PATH: cwd },
    folders: { TMPDIR: join(cwd, "none"), XDG_CONFIG_HOME: empty, XDG_RUNTIME_DIR: empty },
    libraries: { OPENSSL_CONF: script, UV_THREADPOOL_SIZE: "x", NODE_PATH: cwd, NODE_CHANNEL_FD: "1" },
  };
}

for (const kind of ["native", "curl", "node"] as const)
  suite(`in an environment somebody else has set, the ${kind} client`, {
    skip: isThere(kind) ? false : `needs ${kind}`,
  }, () => {
    for (const hasDaemon of [false, true])
      test(`denies and allows what it did before, ${hasDaemon ? "with" : "without"} a daemon`, async (t) => {
        const here = place(t, kind);
        if (hasDaemon) await daemon(t, here);
        for (const [name, variables] of Object.entries(hostileVariables(here))) {
          if (name === "loader" && kind !== "native") continue; // a shell's loader runs before the shell does
          const env = { CLAUDECODE: "1", ...variables };
          const denied = await call(here, payload(here.cwd, "forbidden", name), ["--guard"], { env });
          assert.match(denied.stdout, denial, `${name}: ${JSON.stringify(denied)}`);
          const allowed = await call(here, payload(here.cwd, "ls", `${name}2`), ["--guard"], { env });
          assert.deepEqual(allowed, { exitCode: 0, stdout: "", stderr: "" }, name);
        }
      });
  });

/** Programs in the place of `swarm hook`, none of which gives an answer. */
const evaluators: Readonly<Record<string, string>> = {
  "says nothing": "",
  "says something else": "console.log('ok')",
  "says yes in words": 'console.log(\'{"permissionDecision":"allow"}\')',
  "is killed": "process.kill(process.pid, 'SIGKILL')",
  "is killed after its answer":
    "require('fs').writeSync(1, '0 0 0\\n'); process.kill(process.pid, 'SIGKILL')",
  "fails after its answer": "require('fs').writeSync(1, '0 0 0\\n'); process.exit(1)",
  "says half of it": "require('fs').writeSync(1, '0 5 0\\n{')",
  "says more than it": "require('fs').writeSync(1, '0 0 0\\nand more')",
  "says it in a negative length": "require('fs').writeSync(1, '0 -1 1\\n')",
  "ends with another code": "require('fs').writeSync(1, '1 0 0\\n')",
  "says only that it works": "require('fs').writeSync(1, 'working\\nworking\\n')",
  floods: "process.stdout.write('0 '.repeat(1024 * 1024))",
};

for (const kind of ["native", "curl", "node"] as const)
  test(`the ${kind} client takes nothing for consent but a whole answer of the process it has started`, {
    skip: isThere(kind) ? false : `needs ${tools[kind].join(" or ")}`,
  }, async (t) => {
    const here = place(t, kind);
    const fake = join(here.cwd, "cli.cjs");
    const faked = { ...here, program: place(t, kind, fake).program };
    for (const [what, program] of Object.entries(evaluators)) {
      writeFileSync(fake, program);
      const { exitCode, stderr } = await call(faked, payload(here.cwd, "ls"));
      assert.deepEqual([exitCode, /^swarm: denied, because /m.test(stderr)], [2, true], `${what}: ${stderr}`);
      assert.equal((await call(faked, payload(here.cwd, "ls"), [])).exitCode, 0, what);
    }
  });

/** Ways a shell can start the client so that something is missing. */
const starts: Readonly<Record<string, string>> = {
  "no stdin": 'exec "$@" <&-',
  "no stdout": 'exec "$@" >&-',
  "no stdout and no stderr": 'exec "$@" >&- 2>&-',
  "a full disk for stdout": 'exec "$@" > /dev/full',
  "three open files": 'ulimit -n 3; exec "$@"',
  "two open files": 'ulimit -n 2; exec "$@"',
  "4 MiB of memory": 'ulimit -v 4096; exec "$@"',
  "no file that grows": 'ulimit -f 0; exec "$@"',
  "signals that are ignored": 'trap "" CHLD PIPE ALRM TERM; exec "$@"',
};

test(
  "a client that is started without what it needs never consents to what is denied",
  needsCompiler,
  async (t) => {
    const here = place(t, "native");
    for (const hasDaemon of [false, true]) {
      if (hasDaemon) await daemon(t, here);
      for (const [what, line] of Object.entries(starts)) {
        const args = ["-c", line, "sh", here.program, "claude-code", "--guard", "--timeout-ms", "59500"];
        const input = payload(here.cwd, "forbidden", `${what} ${hasDaemon}`);
        const { exitCode, stdout } = await call({ ...here, program: "/bin/sh" }, input, [], {
          args,
          env: { CLAUDECODE: "1" },
        });
        assert.ok(exitCode === 2 || denial.test(stdout), `${what}: ${exitCode} ${stdout}`);
      }
    }
  },
);

test("a client that is told to end denies", needsCompiler, async (t) => {
  const here = place(t, "native");
  const child = spawn(here.program, ["claude-code", "--guard"], { stdio: ["pipe", "ignore", "pipe"] });
  // It waits for its input by then: what it does first of all takes less than a start.
  while (!/^SigCgt:.*[1-9a-f]/m.test(readFileSync(`/proc/${child.pid}/status`, "utf8")));
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "close"), [2, null]);
});

for (const kind of ["native", "curl", "node"] as const)
  test(`a stopped daemon is given up by the ${kind} client: the call is judged without it, once, and before it goes on`, {
    skip: isThere(kind) ? false : `needs ${tools[kind].join(" or ")}`,
  }, async (t) => {
    const here = place(t, kind);
    const up = await stoppableDaemon(t, here);
    up.kill("SIGSTOP");
    const [denied, allowed] = await Promise.all([
      call(here, payload(here.cwd, "forbidden", "t1")),
      call(here, payload(here.cwd, "ls", "t2")),
    ]);
    assert.match(readFileSync(`/proc/${up.pid}/stat`, "utf8"), /\) T /);
    assert.match(denied.stdout, denial);
    assert.deepEqual(allowed, { exitCode: 0, stdout: "", stderr: "" });
    up.kill("SIGCONT");
    // It has read all calls before this one by the time it answers.
    assert.match((await call(here, payload(here.cwd, "forbidden", "t3"))).stdout, denial);
    const ended = once(up, "exit");
    up.kill("SIGTERM");
    await ended;
    const runtime = await openRuntime({ home: here.home, cwd: here.cwd, env: {}, log });
    const rows = await runtime.store.listRunEvents({ limit: 20 });
    await runtime.close();
    const verdicts = rows.filter(({ event }) => event === "tool.before").map(({ verdict }) => verdict);
    assert.deepEqual(verdicts.sort(), ["deny", "deny", "none"]);
  });

/** A daemon in a process of its own. */
async function stoppableDaemon(t: TestContext, { home, cwd }: Place): Promise<ChildProcess> {
  const env = { PATH: process.env.PATH, HOME: home, SWARM_HOME: home };
  const up = spawn(process.execPath, [cli, "up", "--port", "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(async () => {
    if (up.exitCode !== null || !up.kill("SIGKILL")) return;
    await once(up, "exit");
  });
  await once(createInterface({ input: up.stdout }), "line");
  return up;
}

test(
  "what is too long to be judged is refused where the agent reads the reason",
  needsCompiler,
  async (t) => {
    const here = place(t, "native");
    const input = `{"pad":"${"x".repeat(2 * 1024 * 1024)}"}`;
    for (const agent of agentNames) {
      const env = agent === "copilot" ? { SWARM_NATIVE_EVENT: "preToolUse" } : {};
      const { exitCode, stdout, stderr } = await call(here, input, [], { args: [agent, "--guard"], env });
      const said = "swarm: denied, because this call could not be judged: its input is over 1 MiB";
      if (agent === "copilot") {
        assert.deepEqual([exitCode, stderr], [0, ""]);
        assert.deepEqual(JSON.parse(stdout), { permissionDecision: "deny", permissionDecisionReason: said });
      } else {
        assert.deepEqual([exitCode, stdout], [2, ""], agent);
        const { reason, stopReason } = agent === "qwen-code" ? JSON.parse(stderr) : { reason: stderr };
        assert.deepEqual([reason, stopReason ?? said], [said, said], agent);
      }
    }
  },
);
