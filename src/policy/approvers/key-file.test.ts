import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { proofProblem } from "./check-proof.ts";
import {
  keyFile,
  type LockedKey,
  makeLockedKey,
  readLockedKeys,
  saveLockedKeys,
  unlockKey,
} from "./key-file.ts";
import { signWith } from "./sign.ts";

const passphrase = "correct horse battery";
const lowCost = 2 ** 10;
const isWrong = { code: "SWARM_APPROVER_PASSPHRASE" };

function homeOf(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), "swarm-approvers-"));
  t.after(() => rmSync(home, { recursive: true }));
  return home;
}

suite("a key that a passphrase opens", () => {
  test("signs what its public half verifies, at the cost people get", async () => {
    const key = makeLockedKey("ada", passphrase);
    assert.deepEqual(
      [key.kdf.cost, key.kdf.block_size, key.kdf.parallel, key.kind],
      [131_072, 8, 1, "passphrase"],
    );
    const proof = signWith(unlockKey(key, passphrase), key.id, "text");
    assert.equal(await proofProblem(key, "text", proof), null);
  });

  test("is opened by no other passphrase", () => {
    const key = makeLockedKey("ada", passphrase, lowCost);
    for (const other of ["", "correct horse batterY", `${passphrase} `])
      assert.throws(() => unlockKey(key, other), isWrong);
  });

  test("is opened by the same letters, however a keyboard composes them", () => {
    const key = makeLockedKey("ada", "caf\u00e9 au lait 12", lowCost);
    assert.equal(unlockKey(key, "cafe\u0301 au lait 12").length > 0, true);
  });

  test("is refused when anything of it was changed", () => {
    const key = makeLockedKey("ada", passphrase, lowCost);
    const other = makeLockedKey("eve", passphrase, lowCost);
    const flipped = Buffer.from(key.cipher.text, "base64url");
    flipped[9] = (flipped[9] ?? 0) ^ 1;
    const changed: Partial<LockedKey>[] = [
      { name: "eve" },
      { id: other.id },
      { public_key: other.public_key },
      { kdf: { ...key.kdf, cost: lowCost * 2 } },
      { kdf: { ...key.kdf, cost: 2 ** 40 } },
      { kdf: other.kdf },
      { cipher: other.cipher },
      { cipher: { ...key.cipher, text: flipped.toString("base64url") } },
      { cipher: { ...key.cipher, tag: key.cipher.tag.slice(0, 6) } },
    ];
    for (const change of changed)
      assert.throws(() => unlockKey({ ...key, ...change }, passphrase), isWrong, JSON.stringify(change));
  });

  test("was made by this program in an earlier version, and is still opened", () => {
    const text = readFileSync(join(import.meta.dirname, "fixtures", "approvers.json"), "utf8");
    const [key = assert.fail()] = (JSON.parse(text) as { keys: LockedKey[] }).keys;
    const proof = signWith(unlockKey(key, passphrase), key.id, "swarm");
    assert.equal(
      proof.signature,
      "DPdqdqrL0v1k6-TTcjKs05kEYTuTdKKGi03v0flkGQRm_JVNQJridXiVRf_5gaLa86_oq-eY53IYSVNzGVKTDA",
    );
  });
});

suite("the file of keys", () => {
  test("holds no private half in the clear, and only its owner can read it", (t) => {
    const home = homeOf(t);
    const key = makeLockedKey("ada", passphrase, lowCost);
    saveLockedKeys(home, [key]);
    assert.deepEqual(readLockedKeys(home), [key]);
    assert.equal(statSync(keyFile(home)).mode & 0o777, 0o600);
    const privateHalf = unlockKey(key, passphrase);
    for (const encoding of ["base64url", "base64", "hex"] as const)
      assert.ok(!readFileSync(keyFile(home), "utf8").includes(privateHalf.toString(encoding)));
  });

  test("is empty where there is none, and an error that quotes nothing where it is broken", (t) => {
    const home = homeOf(t);
    assert.deepEqual(readLockedKeys(home), []);
    for (const text of ["not JSON: hunter2", '{"keys": "hunter2"}', '{"keys": [null, "hunter2"]}', "null"]) {
      writeFileSync(keyFile(home), text);
      assert.throws(
        () => readLockedKeys(home),
        (error: Error) =>
          /is not a file of approvers' keys$/.test(error.message) && !error.message.includes("hunter2"),
      );
    }
  });
});
