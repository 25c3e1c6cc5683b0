import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClientPlace } from "./client-place.ts";
import { clientSettings, withSettings } from "./client-settings.ts";

const place: ClientPlace = {
  home: "/home/a/.swarm",
  node: "/usr/bin/node",
  cli: "/opt/swarm",
  prebuilt: null,
  path: [],
  environment: { HOME: "/home/a", PATH: "/bin" },
  refusals: [{ agent: "cursor", event: "", exitCode: 0, texts: ["{", "}"] }],
};
const beginning = "swarm-hook settings 1\n";
const program = (room: number) => Buffer.from(`ELF${beginning}${"\0".repeat(room)}code`);

test("a client's settings are texts that end in NUL, a list as its length and its items", () => {
  const texts = clientSettings(place).toString().split("\0");
  assert.deepEqual(texts.slice(1, 3), ["/usr/bin/node", "/opt/swarm"]);
  assert.deepEqual(texts.slice(-11), [
    ...["2", "HOME=/home/a", "PATH=/bin"],
    ...["1", "cursor", "", "0", "2", "{", "}", ""],
  ]);
});

test("a setting with a NUL in it is refused: what follows would be taken for the next one", () => {
  assert.throws(() => clientSettings({ ...place, cli: "/opt/a\0b" }), /has a NUL: "\/opt\/a\\u0000b"/);
});

test("settings are put behind the line they begin with, and nothing else is changed", () => {
  const before = program(8);
  const filled = withSettings(before, Buffer.from("a\0b\0"));
  assert.equal(filled.toString(), `ELF${beginning}a\0b\0\0\0\0\0code`);
  assert.equal(before.toString(), program(8).toString());
});

test("a program without a place for them, with two, with one that is too small or filled already gets none", () => {
  const settings = Buffer.from("a\0b\0");
  const problems = [
    Buffer.from("ELF"),
    Buffer.concat([program(8), program(8)]),
    program(3),
    Buffer.from(`ELF${beginning}x\0\0\0\0\0\0`),
  ].map((one) => withSettings(one, settings));
  const [room, filled] = [3, 0].map((bytes) => `its place for settings has ${bytes} bytes, 4 are needed`);
  assert.deepEqual(problems, ["it has no place for settings", "it has no place for settings", room, filled]);
  const big = Buffer.alloc(32 * 1024);
  assert.match(String(withSettings(program(64 * 1024), big)), /has 32746 bytes, 32768 are needed/);
});
