import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually, isAlive } from "../../../handlers/process/harness.cases.ts";
import { taskCall, taskCases } from "../port/task.cases.ts";
import { customTask } from "./custom.ts";

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "swarm-custom-")));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

const kind = (env: NodeJS.ProcessEnv = process.env) => customTask({ env, sandbox: () => "off" });

taskCases({
  name: "custom",
  kind: () => kind(),
  folder,
  completes: { command: "echo done" },
  fails: { command: "echo broken >&2; exit 3" },
  endless: { command: "echo started; sleep 600" },
  refused: [
    [{ command: "" }, "command"],
    [{ command: " \n" }, "command"],
    [{ command: "a\0b" }, "command"],
    [{ command: "x".repeat(40_000) }, "command"],
  ],
});

test("a line is bash, runs in the job's folder and knows whose it is", async (t) => {
  const cwd = folder(t);
  const { call, printed } = taskCall(cwd, { attempt: 2 });
  const line =
    '[[ -n $BASH_VERSION ]] && pwd && env | grep ^SWARM_CRON | sort; cat <(echo "<()"); read -r x || echo no input';
  assert.deepEqual(await kind().run({ command: line }, call), { exitCode: 0, problem: null });
  assert.deepEqual(printed().trim().split("\n"), [
    cwd,
    "SWARM_CRON_ATTEMPT=2",
    "SWARM_CRON_JOB=nightly",
    "SWARM_CRON_JOB_ID=cj_1",
    "SWARM_CRON_RUN_ID=cr_1",
    "SWARM_CRON_SCHEDULED_AT=2026-01-02T03:00:00.000Z",
    "<()",
    "no input",
  ]);
});

test("nothing of our environment reaches it but what it needs, and nothing in it can bring code", async (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, "evil.sh"), "echo evil\n");
  const env = { ...process.env, BASH_ENV: join(cwd, "evil.sh"), NODE_OPTIONS: "--x", API_KEY: "k" };
  const { call, printed } = taskCall(cwd);
  await kind(env).run({ command: "env | grep -cE '^(BASH_ENV|NODE_OPTIONS|API_KEY)='" }, call);
  assert.equal(printed(), "0\n");
});

test("how it ended is told as it was", async (t) => {
  const ended = async (command: string, cwd = folder(t)) => kind().run({ command }, taskCall(cwd).call);
  assert.deepEqual(await ended("exit 3"), { exitCode: 3, problem: "exit code 3" });
  assert.deepEqual(await ended("kill -9 $$"), { exitCode: null, problem: "ended by SIGKILL" });
  assert.deepEqual(await ended("sh -c 'kill -9 $$'; exit"), {
    exitCode: 137,
    problem: "exit code 137, the number for SIGKILL",
  });
  const { problem } = await ended("true", "/nowhere/at/all");
  assert.match(problem ?? "", /^it could not be started: /);
});

test("when it is ended, so is all it started", async (t) => {
  const cwd = folder(t);
  const abort = new AbortController();
  const running = kind().run(
    { command: "setsid sleep 600 & echo $! > pid; sleep 600 & sleep 600" },
    taskCall(cwd, { signal: abort.signal }).call,
  );
  const read = (): number | null => {
    try {
      return Number(readFileSync(join(cwd, "pid"), "utf8")) || null;
    } catch {
      return null;
    }
  };
  const pid = await eventually(read, "it never started");
  abort.abort();
  assert.notEqual((await running).problem, null);
  await eventually(() => (isAlive(pid) ? null : true), `${pid} is still alive`);
});
