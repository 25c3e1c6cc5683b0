import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { OutputLog } from "./output-log.ts";

const mebibyte = 1024 * 1024;

function logFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-output-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "output", "cj_1_cr_1.log");
}

/** Numbered lines of 16 bytes. */
const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `${String(from + at).padStart(15, "0")}\n`).join("");

test("output is in the file as soon as it is printed, and nobody else may read it", (t) => {
  const file = logFile(t);
  const log = new OutputLog(file);
  log.print("one\n");
  log.print(Buffer.from("zwei ü\n"));
  assert.equal(readFileSync(file, "utf8"), "one\nzwei ü\n");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  log.close();
  assert.deepEqual([readFileSync(file, "utf8"), log.problem], ["one\nzwei ü\n", null]);
});

for (const [what, count] of Object.entries({
  "a bit more than fits": 62_000,
  "ten times as much": 655_360,
})) {
  test(`of ${what} the beginning and the end are kept, and how much is missing`, (t) => {
    const file = logFile(t);
    const log = new OutputLog(file);
    const whole = lines(0, count);
    for (let at = 0; at < whole.length; at += 70_001) log.print(whole.slice(at, at + 70_001));
    log.close();
    const text = readFileSync(file, "utf8");
    const lost = whole.length - mebibyte;
    const end = whole.slice(-64 * 1024);
    const between = lost > 0 ? `\n… ${lost} bytes are left out …\n` : "";
    assert.equal(text, lost > 0 ? `${whole.slice(0, 960 * 1024)}${between}${end}` : whole);
    assert.ok(text.length <= mebibyte + 100);
  });
}

test("a file that is there already is not written to, nor what a link leads to", (t) => {
  const file = logFile(t);
  new OutputLog(file).close();
  const victim = `${file}.victim`;
  writeFileSync(victim, "mine");
  rmSync(file);
  symlinkSync(victim, file);
  const log = new OutputLog(file);
  log.print("theirs");
  log.close();
  assert.equal(readFileSync(victim, "utf8"), "mine");
  assert.match(log.problem ?? "", /EEXIST/);
});

test("a folder that cannot be made costs the output and nothing else", (t) => {
  const file = logFile(t);
  new OutputLog(file).close();
  const log = new OutputLog(join(file, "x.log"));
  log.print("x".repeat(2 * mebibyte));
  log.close();
  assert.notEqual(log.problem, null);
});
