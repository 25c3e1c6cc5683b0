import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { Bench, end, isAlive, linuxOnly, runUnprivileged, unprivilegedOnly } from "./harness.cases.ts";

const hasSetsid = spawnSync("setsid", ["true"]).status === 0;
const setsidOnly = linuxOnly || (hasSetsid ? false : "needs setsid");
const bashOnly = linuxOnly || (spawnSync("bash", ["-c", "true"]).status === 0 ? false : "needs bash");

/** Started in the background, it leaves its pid in `pid`. */
const background = (command: string) => `${command} & echo $! > pid`;
const silently = ">/dev/null 2>&1 </dev/null";

suite("past its deadline a program is ended", () => {
  test("one that does nothing", async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.sh("echo $$ > pid; exec sleep 1000", { timeoutMs: 1_000 });
    assert.deepEqual(ending, { how: "timed_out" });
    await bench.gone("pid");
  });

  test("what it printed until then is kept", async (t) => {
    const { stdout, stderr } = await new Bench(t).sh("echo out; echo err >&2; sleep 1000", {
      timeoutMs: 1_000,
    });
    assert.deepEqual([stdout, stderr], ["out\n", "err\n"]);
  });

  test("with a grandchild that holds its output open", async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.sh(`${background("sleep 1000")}; wait`, { timeoutMs: 1_000 });
    assert.deepEqual(ending, { how: "timed_out" });
    await bench.gone("pid");
  });

  test("with a grandchild in a session of its own", { skip: setsidOnly }, async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.sh(`${background("setsid sleep 1000")}; wait`, { timeoutMs: 1_000 });
    assert.deepEqual(ending, { how: "timed_out" });
    await bench.gone("pid");
  });
});

suite("first it is asked, then it is made to", () => {
  test("a program may clean up when it is asked", async (t) => {
    const line = "trap 'echo cleaned; exit' TERM; echo > ready; while :; do sleep 0.01; done";
    const limits = { killGraceMs: 5_000 };
    const { ending, stdout } = await new Bench(t).cancelOnce("ready", ["/bin/sh", "-c", line], limits);
    assert.deepEqual([ending, stdout], [{ how: "cancelled" }, "cleaned\n"]);
  });

  test("one that will not hear is killed", async (t) => {
    const bench = new Bench(t);
    const line = "trap '' TERM; echo $$ > pid; while :; do sleep 0.01; done";
    const { ending } = await bench.cancelOnce("pid", ["/bin/sh", "-c", line]);
    assert.deepEqual(ending, { how: "cancelled" });
    await bench.gone("pid");
  });

  test("when the result is there the program is not, not even as a dead process", async (t) => {
    const bench = new Bench(t);
    const line = "trap '' TERM; echo $$ > pid; while :; do sleep 0.01; done";
    await bench.cancelOnce("pid", ["/bin/sh", "-c", line], { drainMs: 10_000 });
    const pid = Number(readFileSync(join(bench.folder, "pid"), "utf8"));
    assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  });

  test("one that is stopped is killed", async (t) => {
    const bench = new Bench(t);
    await bench.cancelOnce("pid", ["/bin/sh", "-c", "echo $$ > pid; kill -STOP $$"]);
    await bench.gone("pid");
  });

  test("a grandchild that will not hear is killed, though the child is gone and the pipes closed", async (t) => {
    const bench = new Bench(t);
    const deaf = background(`(trap '' TERM; while :; do sleep 0.01; done) ${silently}`);
    await bench.cancelOnce("pid", ["/bin/sh", "-c", `${deaf}; wait`]);
    await bench.gone("pid");
  });

  test("a grandchild has its time to clean up, though the child is gone and the pipes closed", async (t) => {
    const bench = new Bench(t);
    const careful =
      "(trap 'sleep 0.1; echo > cleaned; exit' TERM; echo > ready; while :; do sleep 0.01; done)";
    const line = `${background(`${careful} ${silently}`)}; wait`;
    await bench.cancelOnce("ready", ["/bin/sh", "-c", line], { killGraceMs: 2_000 });
    assert.equal(await bench.written("cleaned"), "\n");
    await bench.gone("pid");
  });
});

suite("nobody gets away by", () => {
  test("leaving the session", { skip: setsidOnly }, async (t) => {
    const bench = new Bench(t);
    await bench.cancelOnce("pid", ["/bin/sh", "-c", `${background("setsid sleep 1000")}; wait`]);
    await bench.gone("pid");
  });

  test("leaving the session and being orphaned before anybody looked", { skip: setsidOnly }, async (t) => {
    const bench = new Bench(t);
    const orphan = `setsid /bin/sh -c '${background(`sleep 1000 ${silently}`)}'`;
    await bench.cancelOnce("pid", ["/bin/sh", "-c", `${orphan}; sleep 1000`]);
    await bench.gone("pid");
  });

  test("leaving the session and clearing its environment", { skip: setsidOnly }, async (t) => {
    const bench = new Bench(t);
    // The child dies of the first signal, so that its child is an orphan when the second comes.
    const line = `${background(`env -i setsid sleep 1000 ${silently}`)}; wait`;
    await bench.cancelOnce("pid", ["/bin/sh", "-c", line]);
    await bench.gone("pid");
  });

  test("a shell's job control, orphaned, with its environment cleared", { skip: bashOnly }, async (t) => {
    const bench = new Bench(t);
    const orphan = `env -i /bin/sh -c '${background(`sleep 1000 ${silently}`)}'`;
    await bench.cancelOnce("pid", ["bash", "-c", `set -m; ${orphan}; sleep 1000`]);
    await bench.gone("pid");
  });

  test("not being root's", { skip: setsidOnly || unprivilegedOnly }, async (t) => {
    const bench = new Bench(t);
    const orphan = `setsid /bin/sh -c '${background(`sleep 1000 ${silently}`)}'`;
    const spec = bench.spec(["/bin/sh", "-c", `${orphan}; sleep 1000`], { timeoutMs: 1_000 });
    assert.deepEqual(runUnprivileged(spec).ending, { how: "timed_out" });
    await bench.gone("pid");
  });
});

test("processes of another run, and of nobody's, are left alone", { skip: setsidOnly }, async (t) => {
  const bench = new Bench(t);
  const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const abort = new AbortController();
  const other = bench.sh("echo $$ > other; exec sleep 1000", { signal: abort.signal });
  const otherPid = await bench.pid("other");
  await bench.cancelOnce("pid", ["/bin/sh", "-c", `${background("setsid sleep 1000")}; wait`]);
  const alive = [isAlive(otherPid), isAlive(stranger.pid ?? 0)];
  stranger.kill("SIGKILL");
  abort.abort();
  await other;
  assert.deepEqual(alive, [true, true]);
});

suite("when the child has exited", () => {
  test("a grandchild that holds its output open is not waited for, and ended", async (t) => {
    const bench = new Bench(t);
    const { ending, stdout } = await bench.sh(`${background("sleep 1000")}; echo hi; exit 4`);
    assert.deepEqual([ending, stdout], [{ how: "exited", exitCode: 4 }, "hi\n"]);
    await bench.gone("pid");
  });

  test("so is one in a session of its own", { skip: setsidOnly }, async (t) => {
    const bench = new Bench(t);
    const { ending, stdout } = await bench.sh(`${background("setsid sleep 1000")}; echo hi`);
    assert.deepEqual([ending, stdout], [{ how: "exited", exitCode: 0 }, "hi\n"]);
    await bench.gone("pid");
  });

  test("a grandchild that let go of its output is ended too", async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.sh(background(`sleep 1000 ${silently}`));
    assert.deepEqual(ending, { how: "exited", exitCode: 0 });
    await bench.gone("pid");
  });

  test("all it printed is there, however late we read it", async (t) => {
    const run = new Bench(t).sh("sleep 1000 & head -c 100000 /dev/zero; echo hi", {}, { drainMs: 1 });
    const startedAtMs = performance.now();
    while (performance.now() < startedAtMs + 200);
    assert.equal((await run).stdout.length, 100_003);
  });
});

suite("a pipe that stays open, held by one we cannot find", { skip: setsidOnly }, () => {
  // No session of ours, no environment, no parent: the three together hide it, and only a PID namespace would not.
  const hidden = `env -i setsid /bin/sh -c '${background("sleep 1000")}'`;

  test("does not keep the result from us", async (t) => {
    const bench = new Bench(t);
    const { ending, stdout } = await bench.sh(`${hidden}; echo hi`);
    end(await bench.pid("pid"));
    assert.deepEqual([ending, stdout], [{ how: "exited", exitCode: 0 }, "hi\n"]);
  });

  test("nor does it past the deadline", async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.cancelOnce("pid", ["/bin/sh", "-c", `${hidden}; sleep 1000`]);
    end(await bench.pid("pid"));
    assert.deepEqual(ending, { how: "cancelled" });
  });

  test("does not keep our own process from ending", async (t) => {
    const bench = new Bench(t);
    const spec = JSON.stringify(bench.spec(["/bin/sh", "-c", `${hidden}; echo hi`]));
    const runOne = join(import.meta.dirname, "run-one.cases.ts");
    const options = { timeout: 60_000 };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...process.execArgv, runOne, spec],
      options,
    );
    end(await bench.pid("pid"));
    assert.equal((JSON.parse(stdout) as { stdout: string }).stdout, "hi\n");
  });
});
