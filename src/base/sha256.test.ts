import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { suite, test } from "node:test";
import fc from "fast-check";
import { hmacSha256, sha256 } from "./sha256.ts";
import { maxBytes, sha256ByCode } from "./sha256-by-code.ts";

/** FIPS 180-4's examples, and the empty message. */
const known = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
] as const;

/** RFC 4231: a short key, one shorter than the text, and one over a block. */
const knownMacs = [
  ["0b".repeat(20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
  [
    "4a656665",
    "what do ya want for nothing?",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [
    "aa".repeat(131),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
] as const;

/** More of them than are made by our code. */
const many = 20;

for (const [text, digest] of known) {
  test(`the digest of ${text.length} characters is the standard's, by our code and by Node's`, () => {
    for (let times = 0; times < many; times++) assert.equal(sha256(text).toString("hex"), digest);
    const isShort = text.length <= maxBytes;
    assert.equal(sha256ByCode([text])?.toString("hex"), isShort ? digest : undefined);
  });
}

for (const [key, text, mac] of knownMacs) {
  test(`the code of ${JSON.stringify(text)} is the standard's`, async () => {
    const unused = (await import(`./sha256.ts?${key}`)) as typeof import("./sha256.ts");
    for (let times = 0; times < many; times++)
      assert.equal(unused.hmacSha256(Buffer.from(key, "hex"), text).toString("hex"), mac);
  });
}

test("with any key it is the code that Node makes", () => {
  const key = fc.uint8Array({ maxLength: 150, size: "max" });
  fc.assert(
    fc.property(key, fc.string({ unit: "binary" }), fc.uint8Array(), (secret, text, bytes) => {
      const expected = createHmac("sha256", secret).update(text).update(bytes).digest();
      assert.deepEqual(hmacSha256(secret, text, bytes), expected);
    }),
  );
});

suite("our code makes what Node makes", () => {
  function assertSame(...parts: readonly (string | Uint8Array)[]): void {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    assert.equal(sha256ByCode(parts)?.toString("hex"), hash.digest("hex"));
  }

  test("of every length around blocks, whatever was hashed before", () => {
    for (let length = 300; length >= 0; length--) assertSame(Buffer.alloc(length, length + 1));
  });

  test("of lengths around what is taken in at once, and up to the longest", () => {
    for (const step of [1, 2, 15])
      for (let more = -75; more < 75; more++) assertSame(Buffer.alloc(step * 4096 + more, more));
    for (let less = 0; less < 150; less++) assertSame(Buffer.alloc(maxBytes - less, less));
    assert.equal(sha256ByCode([Buffer.alloc(maxBytes + 1)]), null);
    assert.equal(sha256ByCode(["é".repeat(maxBytes / 2), "é"]), null);
  });

  test("of any texts and bytes, in any parts", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      // Halves of surrogate pairs too.
      fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })).map((units) => String.fromCharCode(...units)),
      fc.uint8Array({ maxLength: 9000, size: "max" }),
    );
    fc.assert(fc.property(fc.array(part, { maxLength: 5 }), (parts) => assertSame(...parts)));
  });
});

test("without WebAssembly it is Node that makes them", async (t) => {
  const { WebAssembly: there } = globalThis as unknown as { WebAssembly: object };
  t.after(() => Object.assign(globalThis, { WebAssembly: there }));
  Object.assign(globalThis, { WebAssembly: undefined });
  const without = (await import(`./sha256-by-code.ts${"?without"}`)) as typeof import("./sha256-by-code.ts");
  assert.equal(without.sha256ByCode(["abc"]), null);
});
