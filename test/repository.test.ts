import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter(Boolean);

test("the lockfile names no download address", () => {
  assert.doesNotMatch(readFileSync(join(root, "package-lock.json"), "utf8"), /"resolved": "https?:/);
});

test("no tracked file names the folder it was written in", () => {
  const telling = tracked.filter((file) => readFileSync(join(root, file), "utf8").includes(root));
  assert.deepEqual(telling, []);
});

test("what a newcomer looks for first is there", () => {
  const expected = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "RELEASE_NOTES.md",
    "LICENSE",
    "SECURITY.md",
    ".ci/run",
  ];
  assert.deepEqual(
    expected.filter((file) => !tracked.includes(file)),
    [],
  );
});

test("the README's example is the example that is run", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, block] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  assert.equal(block, readFileSync(join(root, "examples/embedded/main.ts"), "utf8"));
});

test("whatever is installed for users runs on the oldest Node we take, and the rest on the one of node_modules", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; version?: string; engines?: { node?: string } }>;
  };
  const oldest = numbersOf(packages[""]?.engines?.node?.replace(">=", ""));
  const ours = numbersOf(packages["node_modules/node"]?.version);
  const tooNew = Object.entries(packages).filter(([, { dev, engines }]) => {
    const { node } = engines ?? {};
    return node !== undefined && !accepts(node, dev === true ? ours : oldest);
  });
  assert.deepEqual(tooNew, []);
  assert.deepEqual(
    [accepts(">=22.14", oldest), accepts("^20.1 || >=23", oldest), accepts(">= 22", oldest)],
    [false, false, true],
  );
});

/** Whether one of the alternatives of a range such as `^14.21.3 || >=16` takes the version. */
function accepts(range: string, version: readonly number[]): boolean {
  return range.split("||").some((alternative) => {
    const [, sign, from] = /^(>=|\^) ?([\d.]+)$/.exec(alternative.trim()) ?? [];
    if (from === undefined) throw new Error(`${alternative} is a range of a form this test does not read`);
    const least = numbersOf(from);
    const at = least.findIndex((number, index) => number !== (version[index] ?? 0));
    const isAtLeast = at === -1 || (version[at] ?? 0) > (least[at] ?? 0);
    return isAtLeast && (sign === ">=" || version[0] === least[0]);
  });
}

function numbersOf(version = ""): number[] {
  return version.split(".").map(Number);
}
