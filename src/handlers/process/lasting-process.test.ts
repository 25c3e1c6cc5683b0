import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Bench, linuxOnly, namespaceOnly } from "./harness.cases.ts";
import { LastingProcess } from "./lasting-process.ts";
import { defaultProcessLimits, type ProcessLimits } from "./process-limits.ts";
import { sandboxLimits } from "./sandbox.ts";

/** Starts a shell line that stays, and keeps what it prints. */
class Stage extends Bench {
  stdout = "";
  stderr = "";

  begin(argv: readonly [string, ...string[]], limits: Partial<ProcessLimits> = {}): LastingProcess {
    return new LastingProcess(
      this.spec(argv),
      { ...defaultProcessLimits, ...limits },
      {
        onStdout: (chunk) => {
          this.stdout += chunk;
        },
        onStderr: (chunk) => {
          this.stderr += chunk;
        },
        stderrTail: () => this.stderr,
      },
    );
  }

  line(text: string, limits: Partial<ProcessLimits> = {}): LastingProcess {
    return this.begin(["/bin/sh", "-c", text], limits);
  }
}

const stage = (t: TestContext) => new Stage(t);
const write = (lasting: LastingProcess, text: string) =>
  new Promise<void>((resolve) => lasting.write(text, resolve));

test("it is spoken to as often as one likes, and its last words are heard", async (t) => {
  const here = stage(t);
  const lasting = here.line("read a; echo 1 $a; read b; echo 2 $b; echo bye >&2; exit 3");
  await write(lasting, "first\n");
  await write(lasting, "second\n");
  assert.deepEqual(await lasting.ended, { how: "exited", exitCode: 3 });
  assert.deepEqual([here.stdout, here.stderr], ["1 first\n2 second\n", "bye\n"]);
});

for (const sandbox of ["off", "strict"] as const) {
  const skip = sandbox === "strict" && namespaceOnly;
  test(`a channel is apart from what it prints, sandbox ${sandbox}`, { skip }, async (t) => {
    const here = stage(t);
    let heard = "";
    const argv = ["/bin/sh", "-c", "echo printed; read a <&3; echo got $a >&4; echo more >&2"] as const;
    const lasting = new LastingProcess(
      { ...here.spec(argv), hasChannel: true },
      { ...defaultProcessLimits, ...sandboxLimits(sandbox) },
      {
        onStdout: (chunk) => {
          here.stdout += chunk;
        },
        onStderr: (chunk) => {
          here.stderr += chunk;
        },
        onChannel: (chunk) => {
          heard += chunk;
        },
        stderrTail: () => here.stderr,
      },
    );
    lasting.send(Buffer.from("it\n"));
    assert.deepEqual(await lasting.ended, { how: "exited", exitCode: 0 });
    lasting.send(Buffer.from("too late\n"));
    assert.deepEqual([heard, here.stdout, here.stderr], ["got it\n", "printed\n", "more\n"]);
  });
}

test("one that is asked to end may clean up", async (t) => {
  const here = stage(t);
  const lasting = here.line("trap 'echo cleaned; exit 0' TERM; echo $$ > pid; while :; do sleep 0.01; done");
  await here.pid("pid");
  assert.deepEqual(await lasting.end(), { how: "exited", exitCode: 0 });
  assert.equal(here.stdout, "cleaned\n");
  await here.gone("pid");
});

test("one that does not listen is ended all the same, with whoever it has started", async (t) => {
  const here = stage(t);
  const lasting = here.line(
    "trap '' TERM; sleep 600 & echo $! > helper; echo $$ > pid; while :; do sleep 0.01; done",
    { killGraceMs: 50 },
  );
  await here.pid("pid");
  assert.deepEqual(await lasting.end(), { how: "signalled", signal: "SIGKILL" });
  await here.gone("pid");
  await here.gone("helper");
});

test("what it started in a session of its own is gone with it", { skip: linuxOnly }, async (t) => {
  const here = stage(t);
  const lasting = here.line("setsid sh -c 'echo $$ > away; exec sleep 600' & sleep 600");
  await here.pid("away");
  await lasting.end();
  await here.gone("away");
});

test("when it is killed by somebody, what it has started is ended", async (t) => {
  const here = stage(t);
  const lasting = here.line("sleep 600 & echo $! > helper; echo $$ > pid; wait");
  await here.pid("helper");
  process.kill(await here.pid("pid"), "SIGKILL");
  assert.deepEqual(await lasting.ended, { how: "signalled", signal: "SIGKILL" });
  await here.gone("helper");
});

test("a helper that holds the pipe does not keep it from being over", async (t) => {
  const here = stage(t);
  const lasting = here.line("(trap '' TERM HUP; echo up > helper-up; sleep 600) & read x; exit 0");
  await here.written("helper-up");
  await write(lasting, "go\n");
  assert.deepEqual(await lasting.ended, { how: "exited", exitCode: 0 });
});

test("a program that is not there says so, in either sandbox", async (t) => {
  const here = stage(t);
  for (const limits of [{}, { ulimits: true }]) {
    const lasting = here.begin(["./nowhere"], limits);
    const error = 'the program "./nowhere" does not exist';
    assert.deepEqual(await lasting.ended, { how: "not_started", error });
    assert.deepEqual(await lasting.end(), { how: "not_started", error });
    await write(lasting, "nobody reads this");
  }
});

test("writing to one that does not read is no error", async (t) => {
  const here = stage(t);
  const lasting = here.line("exec 0<&-; echo up > up; sleep 600");
  await here.written("up");
  await write(lasting, "x".repeat(1_000_000));
  await lasting.end();
});

test("in a namespace nothing survives it", { skip: namespaceOnly }, async (t) => {
  const here = stage(t);
  const line = "setsid sh -c 'echo up > up; exec sleep 611.5' & sleep 611.5";
  const lasting = here.line(line, sandboxLimits("strict"));
  await here.written("up");
  await lasting.end();
  const running = globSync("/proc/[0-9]*/cmdline").flatMap((file) => {
    try {
      return readFileSync(file, "latin1");
    } catch {
      return []; // gone meanwhile
    }
  });
  assert.deepEqual(
    running.filter((words) => words === "sleep\u0189.5\0"),
    [],
  );
});

test("a process that exits without a word takes it along", async (t) => {
  const here = stage(t);
  const module = join(import.meta.dirname, "lasting-process.ts");
  const limits = join(import.meta.dirname, "process-limits.ts");
  const program = here.script(
    "host.mts",
    `import { LastingProcess } from ${JSON.stringify(module)};
     import { defaultProcessLimits } from ${JSON.stringify(limits)};
     import { existsSync } from "node:fs";
     const line = "trap '' TERM; echo $$ > pid; while :; do sleep 0.01; done";
     const spec = { argv: ["/bin/sh", "-c", line], cwd: ${JSON.stringify(here.folder)}, env: process.env };
     const deaf = { onStdout() {}, onStderr() {}, stderrTail: () => "" };
     new LastingProcess(spec, defaultProcessLimits, deaf);
     setInterval(() => existsSync(${JSON.stringify(join(here.folder, "pid"))}) && process.exit(5), 5);`,
  );
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 5, stderr);
  await here.gone("pid");
});
