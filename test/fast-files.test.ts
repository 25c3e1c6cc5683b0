import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fastFiles, testFiles } from "../scripts/fast-files.ts";
import { TestOutput } from "../scripts/test-output.ts";

const root = join(import.meta.dirname, "..");

test("every file of tests is in test:fast, or left out for a reason", () => {
  const { files, leftOut } = fastFiles();
  const out = [...leftOut.values()].flat();
  assert.deepEqual(
    [...files, ...out].sort(),
    globSync("{src,test,bench,examples,dashboard/src}/**/*.test.ts", { cwd: root }).sort(),
  );
  assert.deepEqual(
    testFiles().filter((file) => file.startsWith("test/e2e/") && !out.includes(file)),
    [],
  );
  assert.ok(
    leftOut.get("starts a daemon or a browser")?.includes("src/daemon/server/stream.test.ts"),
    "by a file it shares",
  );
  assert.deepEqual(
    [...leftOut.values()].filter((some) => some.length === 0),
    [],
  );
});

suite("where files of tests share a process", () => {
  const cases = {
    "a program that is started": "spawn(process.execPath, [bin, 'up'])",
    "a program that is waited for": "spawnSync(process.execPath, [bin, '--help'])",
    "a file that is run": "execFileSync(bin, ['--help'])",
    "a file that is run and called back for": "execFile(bin, ['--help'], () => {})",
    "a shell line": "execSync('exec ' + bin + ' hook claude')",
    "the daemon itself": "await import(process.cwd() + '/src/daemon/server/' + 'daemon.ts')",
  };
  for (const [what, start] of Object.entries(cases))
    test(`${what} is no daemon, or fails`, () => {
      const code = `import { execFile, execFileSync, execSync, spawn, spawnSync } from "node:child_process";
        import { join } from "node:path";
        const bin = join(process.cwd(), "bin", "swarm");
        try { ${start}; } catch (error) { console.log(error.message); }`;
      const args = ["--import", join(root, "test/no-daemons.ts"), "--input-type=module", "--eval", code];
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
      assert.deepEqual(
        [stdout.match(/was (started|loaded): test:fast starts no daemon/g)?.length, stderr],
        [1, ""],
      );
    });
});

test("of what tests print a suite is printed as a whole, and what failed is kept", () => {
  const printed: string[] = [];
  const output = new TestOutput((text) => void printed.push(text));
  output.write("▶ a suite\n  ✔ one (1ms)\n  ✖ tw");
  assert.deepEqual(printed, []);
  output.write(
    "o (1ms)\n\u001b[31m✖ a suite (2ms)\u001b[39m\n✔ alone (0.1ms)\nℹ tests 3\nℹ a note\n\n✖ failing tests:\n\ntest at a.ts:1:1\n✖ two\n",
  );
  output.end("  Error: of ours");
  assert.deepEqual(printed, [
    "▶ a suite\n  ✔ one (1ms)\n  ✖ two (1ms)\n\u001b[31m✖ a suite (2ms)\u001b[39m\n",
    "✔ alone (0.1ms)\n",
    "ℹ a note\n\n",
  ]);
  assert.equal(output.failures, "\ntest at a.ts:1:1\n✖ two\n  Error: of ours\n");
});
