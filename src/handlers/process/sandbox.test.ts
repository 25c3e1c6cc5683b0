import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import {
  Bench,
  eventually,
  namespaceOnly,
  runOne,
  runUnprivileged,
  spawnUnprivileged,
  unprivilegedOnly,
} from "./harness.cases.ts";
import { type ProcessSpec, runProcess } from "./run-process.ts";
import { sandboxLimits } from "./sandbox.ts";

const strict = sandboxLimits("strict");
const silently = ">/dev/null 2>&1 </dev/null";

/** Root needs no user namespace to make the others, everybody else does: the kernel takes two ways. */
const users = {
  "as we are": {
    skip: namespaceOnly,
    run: (spec: ProcessSpec) => runProcess(spec, strict),
  },
  "as another user": {
    skip: namespaceOnly || unprivilegedOnly || othersProblem(),
    run: async (spec: ProcessSpec) => runUnprivileged(spec, "strict"),
  },
};

function othersProblem(): string | false {
  const program = JSON.stringify([...(strict.namespace ?? []), "/bin/sh", "-c", ":"]);
  const { stdout } = spawnUnprivileged([
    "-p",
    `const [program, ...args] = ${program}; child_process.spawnSync(program, args).status`,
  ]);
  return stdout === "0\n" ? false : "needs process namespaces for every user";
}

/** A `sleep` that can be told from every other by its arguments: pids in a namespace are not ours. */
class Sleeper {
  readonly command: string;
  readonly #seconds = `${randomInt(1_000_000, 9_999_999)}`;

  constructor(t: TestContext) {
    this.command = `sleep ${this.#seconds}`;
    t.after(() => {
      for (const pid of this.#pids()) process.kill(pid, "SIGKILL");
    });
  }

  async started(): Promise<void> {
    await eventually(() => (this.#pids().length > 0 ? true : null), "it was never started");
  }

  async gone(): Promise<void> {
    await eventually(() => (this.#pids().length === 0 ? true : null), `${this.command} is still running`);
  }

  #pids(): number[] {
    return readdirSync("/proc")
      .filter(isPid)
      .map(Number)
      .filter((pid) => this.#is(pid));
  }

  #is(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1") === `sleep\0${this.#seconds}\0`;
    } catch {
      return false; // gone meanwhile
    }
  }
}

const isPid = (name: string) => /^\d+$/.test(name);

for (const [who, { skip, run }] of Object.entries(users)) {
  suite(`in a namespace, ${who}, a program`, { skip }, () => {
    const results = {
      "reads its input to the end and has both outputs to itself": [
        "cat; echo err >&2; exit 2",
        { ending: { how: "exited", exitCode: 2 }, stdout: "input", stderr: "err\n" },
      ],
      "may end with 127, or with what bwrap ends with": [
        "(exit 127) || exit 1",
        { ending: { how: "exited", exitCode: 1 }, stdout: "", stderr: "" },
      ],
      "that is ended by a signal ends with the number a shell gives it": [
        "kill -KILL $$",
        { ending: { how: "exited", exitCode: 137 }, stdout: "", stderr: "" },
      ],
      "sees its own processes, itself among them, and no others": [
        "cat /proc/$$/comm; echo /proc/[0-9]*",
        { ending: { how: "exited", exitCode: 0 }, stdout: "sh\n/proc/1 /proc/2\n", stderr: "" },
      ],
      "is in its folder and may write there": [
        "echo here > file; cat file",
        { ending: { how: "exited", exitCode: 0 }, stdout: "here\n", stderr: "" },
      ],
    } as const;
    for (const [what, [line, expected]] of Object.entries(results)) {
      test(what, async (t) => {
        const { ms, ...result } = await run(new Bench(t).spec(["/bin/sh", "-c", line], { stdin: "input" }));
        assert.deepEqual(result, expected);
        assert.ok(ms > 0);
      });
    }

    test("has its folder and its environment, and a shell's PWD beside them", async (t) => {
      const bench = new Bench(t);
      const { stdout } = await run(bench.spec(["/usr/bin/env"], { env: { A: "b c" } }));
      const expected = new RegExp(`^A=b c\nPWD=${bench.folder}\nSWARM_RUN=run_\\w+\n$`);
      assert.match(`${stdout.trim().split("\n").sort().join("\n")}\n`, expected);
    });

    // No session of ours, no environment, no parent: without a namespace nobody could find it.
    const hidden = ({ command }: Sleeper) => `env -i setsid /bin/sh -c '${command} ${silently} &'`;

    test("leaves nobody behind when it ends, however well hidden", async (t) => {
      const sleeper = new Sleeper(t);
      const { ending } = await run(new Bench(t).spec(["/bin/sh", "-c", `${hidden(sleeper)}; exit 0`]));
      assert.deepEqual(ending, { how: "exited", exitCode: 0 });
      await sleeper.gone();
    });

    test("leaves nobody behind past its deadline", async (t) => {
      const sleeper = new Sleeper(t);
      const line = `${hidden(sleeper)}; sleep 1000`;
      const spec = new Bench(t).spec(["/bin/sh", "-c", line], { timeoutMs: 1_000 });
      assert.deepEqual((await run(spec)).ending, { how: "timed_out" });
      await sleeper.gone();
    });

    test("may clean up when it is asked to end", async (t) => {
      // It takes longer than a namespace takes to go.
      const line = "trap 'sleep 0.1; echo cleaned; exit' TERM; while :; do sleep 0.01; done";
      const spec = new Bench(t).spec(["/bin/sh", "-c", line], { timeoutMs: 1_000 });
      const { ending, stdout } = await run(spec);
      assert.deepEqual([ending, stdout], [{ how: "timed_out" }, "cleaned\n"]);
    });

    test("that will not hear is made to end", async (t) => {
      const sleeper = new Sleeper(t);
      const line = `trap '' TERM; ${sleeper.command} & while :; do sleep 0.01; done`;
      const spec = new Bench(t).spec(["/bin/sh", "-c", line], { timeoutMs: 1_000 });
      assert.deepEqual((await run(spec)).ending, { how: "timed_out" });
      await sleeper.gone();
    });
  });
}

test("when our own process is killed all that it started goes", { skip: namespaceOnly }, async (t) => {
  const sleeper = new Sleeper(t);
  const line = `env -i setsid ${sleeper.command} ${silently} & sleep 1000`;
  const spec = JSON.stringify(new Bench(t).spec(["/bin/sh", "-c", line]));
  const ours = spawn(process.execPath, [...process.execArgv, runOne, spec, "strict"], { stdio: "ignore" });
  t.after(() => ours.kill("SIGKILL"));
  await sleeper.started();
  ours.kill("SIGKILL");
  await sleeper.gone();
});

suite("ending a namespace", { skip: namespaceOnly }, () => {
  const patient = { ...strict, killGraceMs: 600_000 };

  test("is over when its program is", async (t) => {
    const line = "trap 'exit' TERM; echo > ready; while :; do sleep 0.01; done";
    const { ending } = await new Bench(t).cancelOnce("ready", ["/bin/sh", "-c", line], patient);
    assert.deepEqual(ending, { how: "cancelled" });
  });

  test("that has no program yet ends bwrap", async (t) => {
    const bench = new Bench(t);
    const first = `(trap '' TERM; exec sleep 1000) ${silently} &`; // the kernel lets no TERM through to it
    const bwrap = bench.script("bwrap", `#!/bin/sh\n${first}\necho $$ > pid; wait\n`);
    const { ending } = await bench.cancelOnce("pid", ["true"], { ...patient, namespace: [bwrap] });
    assert.deepEqual(ending, { how: "cancelled" });
    await bench.gone("pid");
  });
});

suite("what bwrap says itself is not taken for the program's word", { skip: namespaceOnly }, () => {
  const failing = (bench: Bench) =>
    bench.script("bwrap", "#!/bin/sh\necho 'bwrap: Creating new namespace failed' >&2\nexit 1\n");

  test("a namespace that cannot be made any more", async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.run(["true"], {}, { ulimits: true, namespace: [failing(bench)] });
    assert.deepEqual(ending, { how: "not_started", error: "bwrap: Creating new namespace failed" });
  });

  test("without a namespace the same words are the program's", async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.run([failing(bench)], {}, { ulimits: true });
    assert.deepEqual(ending, { how: "exited", exitCode: 1 });
  });

  test("a bwrap in the program's PATH is not used", async (t) => {
    const bench = new Bench(t);
    bench.script("bwrap", "#!/bin/sh\necho > used\n");
    await bench.run(["true"], { env: { PATH: `${bench.folder}:/usr/bin:/bin` } }, strict);
    assert.equal(existsSync(join(bench.folder, "used")), false);
  });
});
