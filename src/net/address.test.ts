import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Block, parseBlock, readAllowed, whyRefused } from "./address.ts";

const refusals: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd00:ec2::254", "fec0::1"],
  "link-local": ["169.254.169.254", "169.254.0.1", "fe80::1", "febf::1"],
  "a cloud's metadata": ["168.63.129.16"],
  "shared by a carrier": ["100.64.0.1", "100.100.100.200", "100.127.255.255"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  "for protocols": ["192.0.0.192", "192.88.99.1", "2001::1", "2001:1ff::1"],
  "for documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  "for benchmarks": ["198.18.0.1", "198.19.255.255"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  reserved: ["240.0.0.1", "255.255.255.255"],
  "IPv6 that carries an IPv4 address": [
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::127.0.0.1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
  ],
  "not of the public internet": ["100::1", "5f00::1", "1::1", "4000::1", "::ffff:0:127.0.0.1"],
  "no address that can be checked": [
    "fe80::1%eth0",
    "::1%lo",
    "localhost",
    "",
    "127.1",
    "0x7f.0.0.1",
    "10.0.0.0/8",
  ],
};

for (const [why, addresses] of Object.entries(refusals)) {
  test(`${addresses.length} addresses are refused as ${why}`, () => {
    for (const address of addresses) assert.equal(whyRefused(address, []), why, address);
  });
}

test("addresses of the public internet are not refused, up to the edges of what is", () => {
  const open = [
    ...["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "100.63.255.255"],
    ...["100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "223.255.255.255"],
    ...["2606:4700:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2003::1", "3ffe::1"],
  ];
  for (const address of open) assert.equal(whyRefused(address, []), null, address);
});

test("what is allowed is let through, and nothing beside it", () => {
  const allowed = ["127.0.0.1", "10.1.0.0/16", "fd00:1::/32"].flatMap((text) => readAllowed(text) ?? []);
  const [open, shut] = [
    ["127.0.0.1", "10.1.255.255", "fd00:1:2::3"],
    ["127.0.0.2", "10.2.0.0", "fd00:2::1", "::1", "::ffff:127.0.0.1", "::ffff:10.1.0.1", "169.254.169.254"],
  ];
  assert.deepEqual(
    open.map((address) => whyRefused(address, allowed)),
    open.map(() => null),
  );
  for (const address of shut) assert.notEqual(whyRefused(address, allowed), null, address);
});

test("a word stands for both families, and not for more", () => {
  const loopback = readAllowed("loopback") ?? [];
  assert.deepEqual([whyRefused("127.9.9.9", loopback), whyRefused("::1", loopback)], [null, null]);
  assert.equal(whyRefused("10.0.0.1", loopback), "private");
  const own = readAllowed("private") ?? [];
  assert.deepEqual([whyRefused("192.168.0.1", own), whyRefused("fd00::1", own)], [null, null]);
  assert.equal(whyRefused("127.0.0.1", own), "loopback");
});

test("what is neither an address, a block nor a word cannot be allowed", () => {
  const wrong = [
    "",
    "*",
    "localhost",
    "10.0.0.0/33",
    "10.0.0.1/8",
    "10.0.0.0/8/8",
    "::1/129",
    "::1%lo",
    "constructor",
  ];
  for (const text of [...wrong, "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/1e1", "2130706433"])
    assert.equal(readAllowed(text), null, text);
});

test("an address is in its own block, whatever form it is written in", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const written = groups.map((value) => value.toString(16)).join(":");
      const shortened = new URL(`http://[${written}]/`).hostname.slice(1, -1);
      const value = groups.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n);
      const expected: Block = { bits: 128, value, prefix: 128 };
      assert.deepEqual([parseBlock(written), parseBlock(shortened)], [expected, expected]);
    }),
  );
});
