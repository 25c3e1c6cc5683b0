import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { Bench, linuxOnly } from "./harness.cases.ts";
import { runProcess } from "./run-process.ts";

/** Collects what Node warns about while a test runs: leaks of listeners show there. */
function watchWarnings(t: TestContext): string[] {
  const warnings: string[] = [];
  const note = (warning: Error) => void warnings.push(`${warning.name}: ${warning.message}`);
  process.on("warning", note);
  t.after(() => process.off("warning", note));
  return warnings;
}

test("a program gets its input and its result is what it printed and how it exited", async (t) => {
  const bench = new Bench(t);
  const { ms, ...result } = await bench.sh("cat; echo no >&2; exit 3", { stdin: '{"a":1}' });
  assert.deepEqual(result, { ending: { how: "exited", exitCode: 3 }, stdout: '{"a":1}', stderr: "no\n" });
  assert.ok(ms > 0);
});

test("arguments reach the program as they are: there is no shell", async (t) => {
  const line = "$HOME `id` $(id) ; > out * \" ' \n é";
  const { stdout } = await new Bench(t).run(["printf", "%s|%s", line, ""]);
  assert.equal(stdout, `${line}|`);
});

test("it runs in its folder, and a relative program is looked for there", async (t) => {
  const bench = new Bench(t);
  bench.script("where.sh", "#!/bin/sh\npwd -P\n");
  assert.equal((await bench.run(["./where.sh"])).stdout, `${realpathSync(bench.folder)}\n`);
});

test("its environment is the given one and the run's mark, nothing of our own", async (t) => {
  process.env.NODE_V8_COVERAGE = new Bench(t).folder; // Node adds this one to any environment it is given
  process.env.SWARM_TOKEN = "secret";
  t.after(() => {
    delete process.env.NODE_V8_COVERAGE;
    delete process.env.SWARM_TOKEN;
  });
  const { stdout } = await new Bench(t).run(["/usr/bin/env"], { env: { "not.a.shell.name": "1" } });
  assert.match(stdout, /^not\.a\.shell\.name=1\nSWARM_RUN=run_\w+\n$/);
});

test("every run has a mark of its own, and none is the start of another", async (t) => {
  const bench = new Bench(t);
  const runs = Array.from({ length: 3 }, () => bench.run(["/usr/bin/env"], { env: {} }));
  const marks = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
  for (const mark of marks) assert.match(mark, /^SWARM_RUN=run_\w{29}[0-9a-f]{8}$/);
  assert.equal(new Set(marks).size, 3);
});

test("a run within a run keeps the outer mark", async (t) => {
  const { stdout } = await new Bench(t).run(["/usr/bin/env"], { env: { SWARM_RUN: "run_outer" } });
  assert.match(stdout, /^SWARM_RUN=run_outer:run_\w+\n$/);
});

suite("an exit without a code is no success", () => {
  for (const signal of ["SIGKILL", "SIGTERM", "SIGSEGV"]) {
    test(`ended by ${signal}`, async (t) => {
      const { ending } = await new Bench(t).sh(`kill -${signal.slice(3)} $$`);
      assert.deepEqual(ending, { how: "signalled", signal });
    });
  }
});

suite("input nobody reads", () => {
  const bigInput = "x".repeat(5_000_000);

  test("5 MB to a program that exits without reading", async (t) => {
    const { ending } = await new Bench(t).run(["true"], { stdin: bigInput });
    assert.deepEqual(ending, { how: "exited", exitCode: 0 });
  });

  test("5 MB to a program that closes its input and goes on", async (t) => {
    const { ending, stdout } = await new Bench(t).sh("exec <&-; sleep 0.2; echo done", { stdin: bigInput });
    assert.deepEqual([ending, stdout], [{ how: "exited", exitCode: 0 }, "done\n"]);
  });

  test("5 MB to a program that neither reads nor exits: its deadline ends it", async (t) => {
    const { ending } = await new Bench(t).run(["sleep", "1000"], { stdin: bigInput, timeoutMs: 100 });
    assert.deepEqual(ending, { how: "timed_out" });
  });

  test("5 MB to a program that reads all of it", async (t) => {
    const { stdout } = await new Bench(t).run(["wc", "-c"], { stdin: bigInput });
    assert.equal(stdout.trim(), "5000000");
  });
});

suite("cancelling", () => {
  test("an aborted signal ends the program, and the ending says so", async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.cancelOnce("pid", ["/bin/sh", "-c", "echo $$ > pid; exec sleep 1000"]);
    assert.deepEqual(ending, { how: "cancelled" });
    await bench.gone("pid");
  });

  test("a signal aborted before the start: nothing is started", async (t) => {
    const bench = new Bench(t);
    const result = await bench.sh("echo ran > ran", { signal: AbortSignal.abort() });
    assert.deepEqual(result.ending, { how: "cancelled" });
    assert.deepEqual(readdirSync(bench.folder), []);
  });

  test("a signal aborted after the end changes nothing and has nobody listening", async (t) => {
    const abort = new AbortController();
    const result = await new Bench(t).run(["true"], { signal: abort.signal });
    assert.equal(getEventListeners(abort.signal, "abort").length, 0);
    abort.abort();
    assert.deepEqual(result.ending, { how: "exited", exitCode: 0 });
  });
});

test("a timeout longer than a timer can hold does not fire at once", async (t) => {
  const { ending } = await new Bench(t).sh("sleep 0.1", { timeoutMs: 2 ** 40 });
  assert.deepEqual(ending, { how: "exited", exitCode: 0 });
});

test("a program that was in time is not timed out because we were late", { skip: linuxOnly }, async (t) => {
  const run = new Bench(t).sh("exit 5", { timeoutMs: 20 });
  const startedAtMs = performance.now();
  // Nothing else can happen until the child has exited and its deadline is long past.
  while (!hasDeadChild() || performance.now() < startedAtMs + 100);
  assert.deepEqual((await run).ending, { how: "exited", exitCode: 5 });
});

test("32 at once, each with its own answer, and no listener is left behind", async (t) => {
  const warnings = watchWarnings(t);
  const bench = new Bench(t);
  const { signal } = new AbortController();
  const inputs = Array.from({ length: 32 }, (_, at) => `answer ${at} `.repeat(2_000));
  const results = await Promise.all(inputs.map((stdin) => bench.run(["cat"], { stdin, signal })));
  assert.deepEqual(
    results.map(({ stdout }) => stdout),
    inputs,
  );
  assert.equal(getEventListeners(signal, "abort").length, 0);
  assert.deepEqual(warnings, []);
});

test("after 200 runs no file is left open", { skip: linuxOnly }, async (t) => {
  const bench = new Bench(t);
  await bench.run(["true"]);
  const before = readdirSync("/proc/self/fd").length;
  for (let round = 0; round < 200; round++) await bench.run(["true"], { stdin: "{}" });
  assert.equal(readdirSync("/proc/self/fd").length, before);
});

test("limits that are not given keep their defaults", async () => {
  const spec = {
    argv: ["true"],
    cwd: "/",
    env: {},
    stdin: "",
    timeoutMs: 60_000,
    spillFolder: null,
  } as const;
  assert.deepEqual((await runProcess(spec)).ending, { how: "exited", exitCode: 0 });
});

function hasDeadChild(): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/stat`, "latin1").includes(`) Z ${process.pid} `);
    } catch {
      return false;
    }
  });
}
