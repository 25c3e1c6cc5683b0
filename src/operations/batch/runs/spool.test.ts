import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { incomingFolder, spool } from "./spool.ts";

function home(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-spool-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test("what came whole is moved to a folder that is made for it, and taken back with that", async (t) => {
  const folder = home(t);
  const spooled = await spool(pieces("{}\n", "", "{}\n"), folder, 6);
  const target = join(folder, "deep/er", spooled.name);
  await spooled.moveTo(target);
  assert.equal(readFileSync(target, "utf8"), "{}\n{}\n");
  assert.deepEqual(readdirSync(incomingFolder(folder)), []);
  await spooled.discard();
  assert.ok(!existsSync(join(folder, "deep/er")));
});

test("a folder that was there before stays, with what is in it", async (t) => {
  const folder = home(t);
  mkdirSync(join(folder, "out"));
  const spooled = await spool(pieces("{}\n"), folder, 100);
  await spooled.moveTo(join(folder, "out", spooled.name));
  await spooled.discard();
  assert.deepEqual(readdirSync(join(folder, "out")), []);
});

test("a file that is there is not written over", async (t) => {
  const folder = home(t);
  const [mine, others] = [await spool(pieces("mine"), folder, 9), await spool(pieces("theirs"), folder, 9)];
  const target = join(folder, "out", mine.name);
  await mine.moveTo(target);
  await assert.rejects(others.moveTo(target), { code: "SWARM_BATCH_FOLDER_TAKEN" });
  await others.discard();
  assert.equal(readFileSync(target, "utf8"), "mine");
  assert.deepEqual(readdirSync(incomingFolder(folder)), []);
});

test("a folder that was made for records that did not get there goes again, and the one for those that come stays", async (t) => {
  const folder = home(t);
  const spooled = await spool(pieces("{}\n"), folder, 9);
  // A name no file can have: the folder is made, and then the move fails.
  await assert.rejects(spooled.moveTo(join(folder, "out", "x".repeat(300))), {
    code: "SWARM_BATCH_FOLDER_FAILED",
  });
  await spooled.discard();
  assert.deepEqual(readdirSync(folder), ["batch"]);
  assert.deepEqual(readdirSync(incomingFolder(folder)), []);
});

test("records that are too many, or break off, leave no file", async (t) => {
  const folder = home(t);
  await assert.rejects(spool(pieces("123", "4"), folder, 3), { code: "SWARM_BODY_TOO_LARGE" });
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("1");
    throw new Error("gone");
  }
  await assert.rejects(spool(broken(), folder, 3), {
    code: "SWARM_BATCH_UPLOAD_BROKEN",
    message: "the records ended before their end: gone",
  });
  assert.deepEqual(readdirSync(incomingFolder(folder)), []);
});

test("a place that cannot be written is told of as such", async (t) => {
  const folder = home(t);
  writeFileSync(join(folder, "batch"), "a file where the folder belongs");
  await assert.rejects(spool(pieces("1"), folder, 3), { code: "SWARM_BATCH_FOLDER_FAILED" });
  rmSync(join(folder, "batch"));
  const spooled = await spool(pieces("1"), folder, 3);
  writeFileSync(join(folder, "taken"), "");
  await assert.rejects(spooled.moveTo(join(folder, "taken/x")), { code: "SWARM_BATCH_FOLDER_FAILED" });
  await spooled.discard();
  assert.deepEqual(readdirSync(incomingFolder(folder)), []);
});
