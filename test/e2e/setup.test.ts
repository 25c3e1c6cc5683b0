import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, suite, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "swarm-setup-"));
after(() => rmSync(folder, { recursive: true }));

/** A project of its own with the same set-up script: no dependency, and a build that leaves a mark. */
function write(path: string, content: unknown): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
}

const manifest = { name: "fresh", version: "1.0.0", scripts: { build: "node build.js" } };
const lock = {
  name: "fresh",
  version: "1.0.0",
  lockfileVersion: 3,
  packages: { "": { name: "fresh", version: "1.0.0" } },
};
write("package.json", manifest);
write("package-lock.json", lock);
write("build.js", "require('fs').appendFileSync('builds', 'x')");
write("src/a.ts", "1");
mkdirSync(join(folder, "scripts"));
cpSync(join(root, "scripts/setup.mjs"), join(folder, "scripts/setup.mjs"));

function setUp(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/setup.mjs", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, stdout, says: stderr.split("\n").filter((line) => line.startsWith("setup: ")) };
}

test("a fresh clone is installed and built", () => {
  assert.deepEqual(setUp(), {
    status: 0,
    stdout: "",
    says: ["setup: installing dependencies (npm ci)", "setup: building"],
  });
});

test("what is up to date is left alone", () => {
  assert.deepEqual(setUp(), { status: 0, stdout: "", says: [] });
});

test("a changed source is built again, and nothing is installed", () => {
  write("src/a.ts", "2");
  assert.deepEqual(setUp().says, ["setup: building"]);
  assert.equal(readFileSync(join(folder, "builds"), "utf8"), "xx");
});

test("a changed lockfile is installed again", () => {
  write("package-lock.json", { ...lock, version: "1.0.1" });
  write("package.json", { ...manifest, version: "1.0.1" });
  assert.deepEqual(setUp().says, ["setup: installing dependencies (npm ci)", "setup: building"]);
});

test("a missing dependency folder is installed again", () => {
  rmSync(join(folder, "node_modules"), { recursive: true });
  assert.deepEqual(setUp().says, ["setup: installing dependencies (npm ci)"]);
});

test("a build that fails is said, stops the command and is tried again next time", () => {
  write("src/a.ts", "3");
  write("build.js", "process.exit(3)");
  const expected = ["setup: building", "setup: `npm run --silent build` ended with 3"];
  assert.deepEqual(setUp(), { status: 1, stdout: "", says: expected });
  assert.deepEqual(setUp().says, expected);
  write("build.js", "");
  assert.deepEqual(setUp(), { status: 0, stdout: "", says: ["setup: building"] });
});

test("a tool the tests need and nobody may install is named", () => {
  // A PATH with nothing but Node on it: neither git nor a package manager.
  const bin = join(folder, "only-node");
  mkdirSync(bin);
  const { status, says } = setUp(["--for-tests"], { PATH: bin });
  assert.deepEqual(
    { status, says },
    {
      status: 1,
      says: ["setup: the tests need git: install with your system's package manager"],
    },
  );
});

/** A copy of the project that wants another Node, with an npm that warns as npm does. */
function withNpm(needed: string, status: number) {
  write("package.json", { ...manifest, engines: { node: needed }, bin: { fresh: "src/a.ts" } });
  write("package-lock.json", { ...lock, version: `for ${needed} ${status}` });
  const npm = join(folder, "npm-that-warns");
  const warning =
    "npm warn EBADENGINE Unsupported engine {\\nnpm warn EBADENGINE }\\nnpm warn deprecated old@1\\n";
  write(
    "npm-that-warns/npm",
    `#!/bin/sh\n[ "$1" = ci ] || exit 0\nprintf '${warning}' >&2\nexit ${status}\n`,
  );
  chmodSync(join(npm, "npm"), 0o755);
  const ended = spawnSync(process.execPath, ["scripts/setup.mjs"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PATH: `${npm}${delimiter}${process.env.PATH}` },
  });
  return ended.stderr;
}

suite("warnings of npm", { skip: process.platform === "win32" }, () => {
  test("about its own Node are left out where that is older than ours, and nothing else is", () => {
    const stderr = withNpm(">=99.1", 0);
    assert.doesNotMatch(stderr, /EBADENGINE/);
    assert.match(stderr, /^npm warn deprecated old@1$/m);
    assert.match(stderr, /^setup: npm runs on Node .*; what is built here runs on that of node_modules$/m);
  });

  test("are all shown where npm's Node is one we take, or the installation fails", () => {
    assert.match(withNpm(">=18.0", 0), /^npm warn EBADENGINE Unsupported engine/m);
    assert.match(withNpm(">=99.1", 1), /^npm warn EBADENGINE Unsupported engine/m);
  });

  test("npx finds the clone's own commands without installing it", () => {
    assert.equal(readlinkSync(join(folder, "node_modules/.bin/fresh")), "../../src/a.ts");
  });
});
