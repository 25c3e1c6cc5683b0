import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { PublicKey, SigningKey } from "./signing-key.ts";

function keyFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-key-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "home", "audit-key.pem");
}

const head = { seq: 7, hash: "a".repeat(64) };
const time = "2026-01-02T03:04:05.678Z";

// RFC 8032, 7.1, test 1.
const knownPem = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpe1omrB6BzHfVfA9g
-----END PRIVATE KEY-----
`;

test("a signature has a known answer: heads that were signed stay verifiable", (t) => {
  assert.deepEqual(keyOf(t, knownPem).sign(head, time), {
    ...head,
    time,
    key_id: "294dbd6fc0b65585",
    signature: "je+XjKj3AXplzmZtghOxUPF9jySd4GumhTKVz1UPsexLfqTzkGFLX4EvKg80pOY1qGCPQHlJj0ROj7ywNu8FAw==",
  });
});

test("a key is made once, is for nobody else whatever the umask, and is found again", (t) => {
  const before = process.umask(0o000);
  t.after(() => process.umask(before));
  const file = keyFile(t);
  const made = new SigningKey(file).publicKey;
  assert.equal((statSync(file).mode & 0o777).toString(8), "600");
  assert.equal(new SigningKey(file).publicKey.id, made.id);
  const files = readdirSync(dirname(file));
  assert.deepEqual(
    files.filter((name) => !/\.(pem|pub)$/.test(name)),
    [],
    "nothing is left lying around",
  );
});

test("processes that make the key at once all get the same one", async (t) => {
  const file = keyFile(t);
  const code = `
    const { SigningKey } = await import(${JSON.stringify(join(import.meta.dirname, "signing-key.ts"))});
    process.send("ready");
    process.once("message", () => {
      process.stdout.write(new SigningKey(${JSON.stringify(file)}).publicKey.id);
      process.disconnect();
    });`;
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", code], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    }),
  );
  const printed = children.map(({ stdout }) => text(stdout ?? assert.fail()));
  await Promise.all(children.map((child) => once(child, "message")));
  for (const child of children) child.send("go");
  const { id } = new SigningKey(file).publicKey;
  assert.deepEqual(
    await Promise.all(printed),
    children.map(() => id),
  );
});

test("a signature fits its head, its time and its key, and nothing else", (t) => {
  const key = new SigningKey(keyFile(t));
  const signed = key.sign(head, time);
  assert.ok(key.publicKey.hasSigned(signed));
  const changes = [
    { seq: 8 },
    { hash: "b".repeat(64) },
    { time: "2026-01-02T03:04:05.679Z" },
    { signature: "" },
    { signature: "nonsense" },
    { signature: signed.signature.slice(0, -8) },
    { signature: Buffer.alloc(64).toString("base64") },
  ];
  for (const change of changes) {
    assert.equal(key.publicKey.hasSigned({ ...signed, ...change }), false, JSON.stringify(change));
  }
  assert.equal(new SigningKey(keyFile(t)).publicKey.hasSigned(signed), false);
});

test("whoever has the public key as text can check, and it names itself", (t) => {
  const key = new SigningKey(keyFile(t));
  const given = new PublicKey(key.publicKey.pem);
  assert.equal(given.id, key.publicKey.id);
  assert.match(given.id, /^[0-9a-f]{16}$/);
  assert.ok(given.hasSigned(key.sign(head, time)));
  assert.doesNotMatch(given.pem, /PRIVATE/);
});

test("a key of another kind, and what is no key, are refused", (t) => {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  assert.throws(() => new PublicKey(publicKey), /Ed25519/);
  assert.throws(() => new PublicKey("no key"));
  const otherKind = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  for (const broken of ["", "no key", knownPem.slice(0, 60), otherKind]) {
    const file = keyFile(t);
    writeKey(file, broken);
    assert.throws(
      () => new SigningKey(file),
      (error: Error & { code: string }) => {
        assert.ok(error.message.startsWith(file), error.message);
        return error.code === "SWARM_STORE_FAILED";
      },
    );
  }
});

function writeKey(file: string, pem: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, pem);
}

function keyOf(t: TestContext, pem: string): SigningKey {
  const file = keyFile(t);
  writeKey(file, pem);
  return new SigningKey(file);
}
