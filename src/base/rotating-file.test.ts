import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { RotatingFile } from "./rotating-file.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "swarm-log-"));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

test("a log is cut at whole lines, and the oldest go first", (t) => {
  const path = folder(t);
  const log = new RotatingFile(join(path, "log"), { maxBytes: 30, keep: 2 });
  for (let n = 0; n < 12; n++) log.append(`line ${n} xxx\n`);
  assert.deepEqual(readdirSync(path).sort(), ["log", "log.1", "log.2"]);
  const kept = ["log.2", "log.1", "log"].map((name) => readFileSync(join(path, name), "utf8")).join("");
  assert.match(kept, /^(line \d+ xxx\n)+$/);
  assert.ok(kept.endsWith("line 11 xxx\n") && !kept.includes("line 0 "));
  for (const name of readdirSync(path)) assert.ok(statSync(join(path, name)).size <= 30, name);
});

test("what an earlier process wrote counts, and a line longer than a file is kept whole", (t) => {
  const file = join(folder(t), "log");
  new RotatingFile(file, { maxBytes: 30, keep: 1 }).append("from before, 24 bytes...\n");
  const log = new RotatingFile(file, { maxBytes: 30, keep: 1 });
  log.append(`${"x".repeat(50)}\n`);
  assert.equal(readFileSync(`${file}.1`, "utf8"), "from before, 24 bytes...\n");
  assert.equal(readFileSync(file, "utf8").length, 51);
});

test("a place nobody can write to costs the line, not the process", (t) => {
  const place = join(folder(t), "gone");
  const log = new RotatingFile(join(place, "log"));
  rmSync(place, { recursive: true });
  assert.doesNotThrow(() => log.append("x\n"));
});
