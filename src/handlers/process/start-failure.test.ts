import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import {
  Bench,
  linuxOnly,
  namespaceOnly,
  runUnprivileged,
  spawnUnprivileged,
  unprivilegedOnly,
} from "./harness.cases.ts";
import type { ProcessSpec } from "./run-process.ts";
import { sandboxLimits } from "./sandbox.ts";

interface Case {
  readonly argv: ProcessSpec["argv"];
  readonly changes?: Partial<ProcessSpec>;
  readonly error: string;
}

const cases: Readonly<Record<string, (bench: Bench) => Case>> = {
  "a missing program": () => ({
    argv: ["no-such-program"],
    error: 'the program "no-such-program" was not found in PATH',
  }),
  "a missing program, by its path": () => ({
    argv: ["./no/such"],
    error: 'the program "./no/such" does not exist',
  }),
  "a program that is not in the given PATH": () => ({
    argv: ["true"],
    changes: { env: { PATH: "/nowhere" } },
    error: 'the program "true" was not found in PATH',
  }),
  "a file that is not executable": (bench) => {
    bench.script("guard.sh", "#!/bin/sh\nexit 0\n", 0o644);
    return { argv: ["./guard.sh"], error: 'the program "./guard.sh" is not an executable file' };
  },
  "a folder for a program": () => ({ argv: ["./"], error: 'the program "./" is not an executable file' }),
  "a missing interpreter": (bench) => {
    bench.script("guard.py", "#!/no/such/python -u\n");
    const error = 'the program "./guard.py" needs the interpreter "/no/such/python", which cannot be run';
    return { argv: ["./guard.py"], error };
  },
  "a script with Windows line ends": (bench) => {
    bench.script("guard.sh", "#!/bin/sh\r\nexit 0\r\n");
    const error = 'the program "./guard.sh" needs the interpreter "/bin/sh\\r", which cannot be run';
    return { argv: ["./guard.sh"], error };
  },
  "a missing working directory": (bench) => ({
    argv: ["true"],
    changes: { cwd: join(bench.folder, "gone") },
    error: `the working directory "${join(bench.folder, "gone")}" does not exist`,
  }),
  "a working directory that is a file": (bench) => {
    const cwd = bench.script("file", "");
    return { argv: ["true"], changes: { cwd }, error: `the working directory "${cwd}" is not a directory` };
  },
  "an empty working directory": () => ({
    argv: ["true"],
    changes: { cwd: "" },
    error: 'the working directory of "true" is empty',
  }),
  "an empty name": () => ({ argv: [""], error: "the program's name is empty" }),
  "a NUL in the name": () => ({
    argv: ["tr\0ue"],
    error: 'the program\'s name "tr\\u0000ue" holds a NUL character',
  }),
  "a NUL in an argument": () => ({
    argv: ["true", "a", "\0"],
    error: 'argument 2 of "true" holds a NUL character',
  }),
  "a NUL in a variable, whose value is not told": () => ({
    argv: ["true"],
    changes: { env: { KEY: "secret\0" } },
    error: 'the environment variable "KEY" of "true" holds a NUL character',
  }),
  "more arguments than the kernel takes": () => ({
    argv: ["/bin/true", "x".repeat(10_000_000)],
    error: 'the program "/bin/true" could not be started: E2BIG',
  }),
};

const modes = {
  "without resource limits": { skip: false, limits: {} },
  "with resource limits": { skip: linuxOnly, limits: { ulimits: true } },
  "in a strict sandbox": { skip: namespaceOnly, limits: sandboxLimits("strict") },
};

for (const [mode, { skip, limits }] of Object.entries(modes)) {
  const ulimits = "ulimits" in limits && limits.ulimits;
  suite(`not started, ${mode}`, { skip }, () => {
    for (const [what, make] of Object.entries(cases)) {
      // The shell that sets the limits is what is too long then.
      if (ulimits && what.startsWith("more arguments")) continue;
      test(what, async (t) => {
        const bench = new Bench(t);
        const { argv, changes, error } = make(bench);
        const { ending, stdout } = await bench.run(argv, changes, limits);
        assert.deepEqual([ending, stdout], [{ how: "not_started", error }, ""]);
      });
    }

    test("a program that itself exits with 126 or 127 was started", async (t) => {
      const bench = new Bench(t);
      for (const exitCode of [126, 127]) {
        bench.script("guard.sh", `#!/bin/sh\nexit ${exitCode}\n`);
        const { ending } = await bench.run(["./guard.sh"], {}, limits);
        assert.deepEqual(ending, { how: "exited", exitCode });
      }
    });
  });
}

test("a script without a first line for its interpreter is run by the shell", async (t) => {
  const bench = new Bench(t);
  bench.script("plain", "echo plain\n");
  assert.equal((await bench.run(["./plain"])).stdout, "plain\n");
});

test("a working directory we may not enter", { skip: unprivilegedOnly }, (t) => {
  const bench = new Bench(t);
  const cwd = join(bench.folder, "closed");
  mkdirSync(cwd, { mode: process.getuid?.() === 0 ? 0o700 : 0o000 });
  const error = `the working directory "${cwd}" may not be entered`;
  assert.deepEqual(runUnprivileged(bench.spec(["true"], { cwd })).ending, { how: "not_started", error });
});

/** Runs `/bin/true` in a process that has first done something to itself. */
const runAfter = (preparation: string) => `
  import { execFileSync } from "node:child_process";
  import { openSync } from "node:fs";
  import { runProcess } from ${JSON.stringify(join(import.meta.dirname, "run-process.ts"))};
  try { ${preparation} } catch { console.log("full"); }
  const spec = { argv: ["/bin/true"], cwd: "/", env: {}, stdin: "x", timeoutMs: 60000, spillFolder: null };
  console.log((await runProcess(spec)).ending.error);`;

test("no file descriptors left", { skip: linuxOnly }, (t) => {
  const file = new Bench(t).script("full.ts", runAfter('for (;;) openSync("/dev/null");'));
  const args = ["-c", 'ulimit -n 64; exec "$@"', "sh", process.execPath, ...process.execArgv, file];
  const { stdout, stderr } = spawnSync("/bin/sh", args, { encoding: "utf8" });
  assert.equal(stdout, 'full\nthe program "/bin/true" could not be started: EMFILE\n', stderr);
});

const hasPrlimit = spawnSync("prlimit", ["--version"]).status === 0;
const prlimitOnly = linuxOnly || unprivilegedOnly || (hasPrlimit ? false : "needs prlimit");

test("no processes left", { skip: prlimitOnly }, (t) => {
  // Root has as many as it likes.
  const preparation = 'execFileSync("prlimit", ["--pid", String(process.pid), "--nproc=1"]);';
  const file = new Bench(t).script("full.ts", runAfter(preparation));
  const { stdout, stderr } = spawnUnprivileged([...process.execArgv, file]);
  assert.equal(stdout, 'the program "/bin/true" could not be started: EAGAIN\n', stderr);
});
