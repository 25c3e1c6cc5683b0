import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { Bench, linuxOnly } from "./harness.cases.ts";

const showLimits = "/proc/self/limits";
const bashOnly = linuxOnly || (spawnSync("bash", ["-c", "true"]).status === 0 ? false : "needs bash");

function limitsOf(text: string): Record<string, string[]> {
  const row = (name: string) =>
    new RegExp(`^${name} +(\\S+) +(\\S+)`, "m").exec(text)?.slice(1) ?? ["no such limit"];
  return {
    coreBytes: row("Max core file size"),
    files: row("Max open files"),
    processes: row("Max processes"),
  };
}

const expected = { coreBytes: ["0", "0"], files: ["1024", "1024"], processes: ["8192", "8192"] };

suite("resource limits", { skip: linuxOnly }, () => {
  test("a shell line has them", async (t) => {
    const { stdout } = await new Bench(t).sh(`cat ${showLimits}`);
    assert.deepEqual(limitsOf(stdout), expected);
  });

  test("a line of bash has them", { skip: bashOnly }, async (t) => {
    const { stdout } = await new Bench(t).run(["bash", "-c", `cat ${showLimits}`]);
    assert.deepEqual(limitsOf(stdout), expected);
  });

  test("a program has them when asked for, and gets its arguments as they are", async (t) => {
    const { stdout, stderr } = await new Bench(t).run(
      ["cat", showLimits, "no file; $HOME"],
      {},
      { ulimits: true },
    );
    assert.deepEqual(limitsOf(stdout), expected);
    assert.match(stderr, /no file; \$HOME/);
  });

  test("so has one that is called like a shell, or like an option", async (t) => {
    const bench = new Bench(t);
    for (const name of ["sh", "-x"]) {
      bench.script(name, `#!/bin/sh\ncat ${showLimits}\n`);
      const env = { PATH: `${bench.folder}:/usr/bin:/bin` };
      const { stdout } = await bench.run([name, "-c", "x"], { env }, { ulimits: true });
      assert.deepEqual(limitsOf(stdout), expected);
    }
  });

  test("a shell line says nothing about them, counts its lines as before and gets its arguments", async (t) => {
    const argv = ["/bin/sh", "-c", 'echo "$0 $1"\nno-such-program', "name", "first"] as const;
    const { stdout, stderr, ending } = await new Bench(t).run(argv, { env: { PATH: "/nowhere" } });
    assert.deepEqual([stdout, ending], ["name first\n", { how: "exited", exitCode: 127 }]);
    assert.match(stderr, /^name: (line )?2: .*no-such-program.*not found\n$/);
  });

  test("any shell line still works: empty, a comment, several lines, a here document", async (t) => {
    const bench = new Bench(t);
    for (const [line, printed] of [
      ["", ""],
      ["# nothing", ""],
      ["\n\necho a\n", "a\n"],
      ["cat <<end\nb\nend", "b\n"],
      ["(exit 0) && echo c", "c\n"],
    ] as const) {
      const { ending, stdout, stderr } = await bench.sh(line);
      assert.deepEqual([ending, stdout, stderr], [{ how: "exited", exitCode: 0 }, printed, ""]);
    }
  });
});
