import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const bin = join(import.meta.dirname, "../../bin/swarm");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-doctor-")));
after(() => rmSync(folder, { recursive: true }));

/** What doctor says of the sandbox, with this line in the user's file; run by way of `wrapper`. */
function sandbox(line: string, wrapper: readonly string[] = []) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.yaml"), line);
  const [program = "", ...args] = [...wrapper, process.execPath, bin, "doctor", "--json"];
  const env = { ...process.env, SWARM_HOME: home };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", env });
  assert.deepEqual([status, stderr], [0, ""]);
  const findings = JSON.parse(stdout) as { level: string; about: string; finding: string }[];
  return findings.find(({ about }) => about === "sandbox");
}

/** Nobody in here sees a bwrap. */
const hiding = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--"];
const canHide =
  existsSync("/usr/bin/bwrap") && spawnSync(hiding[0] ?? "", [...hiding.slice(1), "true"]).status === 0;
const skip = canHide && !existsSync("/usr/local/bin/bwrap") ? false : "needs bubblewrap in /usr/bin";

test("doctor tells what the sandbox is made of", { skip }, () => {
  const finding = "resource limits and a process namespace";
  assert.deepEqual(sandbox("sandbox: strict\n"), {
    level: "ok",
    about: "sandbox",
    finding: `strict: ${finding}`,
  });
  assert.deepEqual(sandbox(""), {
    level: "ok",
    about: "sandbox",
    finding: `off; strict would be ${finding}`,
  });
});

test("doctor notes what a strict sandbox lacks, and that is no failure", { skip }, () => {
  const lacks = "resource limits alone, there is no /usr/bin/bwrap or /usr/local/bin/bwrap";
  const strict = { level: "note", about: "sandbox", finding: `strict: ${lacks}` };
  assert.deepEqual(sandbox("sandbox: strict\n", hiding), strict);
  const off = { level: "ok", about: "sandbox", finding: `off; strict would be ${lacks}` };
  assert.deepEqual(sandbox("", hiding), off);
});
