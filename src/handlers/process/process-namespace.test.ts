import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { Bench, isLinux, linuxOnly, namespaceOnly, runOne, unprivilegedOnly } from "./harness.cases.ts";
import { findNamespace, processNamespace } from "./process-namespace.ts";
import type { ProcessResult } from "./run-process.ts";

suite("where no namespace can be made", { skip: linuxOnly }, () => {
  test("because there is no bwrap, the places it could be are named", () => {
    assert.deepEqual(findNamespace(["/no/bwrap", "/nor/bwrap"]), {
      command: null,
      problem: "there is no /no/bwrap or /nor/bwrap",
    });
  });

  test("because bwrap fails, its first word is told", (t) => {
    const bwrap = new Bench(t).script("bwrap", "#!/bin/sh\necho 'bwrap: no' >&2; echo more >&2; exit 1\n");
    assert.deepEqual(findNamespace([bwrap]), {
      command: null,
      problem: `${bwrap} cannot make a process namespace: bwrap: no`,
    });
  });

  test("because bwrap cannot be run at all, the reason is told", (t) => {
    const bwrap = new Bench(t).script("bwrap", "#!/no/such/interpreter\n");
    assert.match(
      findNamespace([bwrap]).problem ?? "",
      /cannot make a process namespace: spawnSync .* ENOENT$/,
    );
  });
});

test("where only a new /proc is refused the namespace does without", { skip: linuxOnly }, (t) => {
  const bwrap = new Bench(t).script("bwrap", '#!/bin/sh\ncase "$*" in *--proc*) exit 1;; esac\n');
  const flags = ["--dev-bind", "/", "/", "--unshare-pid", "--die-with-parent", "--"];
  assert.deepEqual(findNamespace([bwrap]), { command: [bwrap, ...flags], problem: null });
});

const nestedOnly = namespaceOnly || unprivilegedOnly || (isLinux ? false : "needs Linux");

test("where the kernel refuses one a program runs without it, its limits stay", { skip: nestedOnly }, (t) => {
  const bench = new Bench(t);
  // In here nobody may make a user namespace, as on machines that forbid it to all users.
  const bwrap = processNamespace().command?.[0] ?? "";
  const refusing = [bwrap, "--unshare-user", "--disable-userns", "--dev-bind", "/", "/"];
  const spec = JSON.stringify(bench.spec(["/bin/cat", "/proc/self/limits"]));
  const isRoot = process.getuid?.() === 0;
  const nobody = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  const [program = "", ...args] = [...nobody, ...refusing, process.execPath, ...process.execArgv];
  const { stdout, stderr } = spawnSync(program, [...args, runOne, spec, "strict"], {
    encoding: "utf8",
    cwd: "/",
  });
  const result = JSON.parse(stdout || `{"stderr": ${JSON.stringify(stderr)}}`) as ProcessResult;
  assert.deepEqual([result.ending, result.stderr], [{ how: "exited", exitCode: 0 }, ""]);
  assert.match(result.stdout, /^Max core file size +0 +0 /m);
});
