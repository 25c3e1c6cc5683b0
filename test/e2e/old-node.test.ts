import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { transformSync } from "esbuild";

const bin = join(import.meta.dirname, "../../bin/swarm");
const folder = mkdtempSync(join(tmpdir(), "swarm-old-node-"));
after(() => rmSync(folder, { recursive: true }));

/** Runs `swarm` on this Node, which says it is of another version. */
function onNode(version: string, ...args: string[]) {
  const preload = join(folder, "version.cjs");
  writeFileSync(
    preload,
    `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", preload, bin, ...args], {
    encoding: "utf8",
    env: { ...process.env, SWARM_HOME: join(folder, "home") },
  });
  return { status, stdout, stderr };
}

const said = (version: string) =>
  `swarm: needs Node 22.13 or newer, this is ${version}: install it from nodejs.org\n`;

test("on a Node that is too old a command is one line and exit code 1", () => {
  for (const version of ["12.22.12", "18.20.8", "20.20.2", "22.12.0"]) {
    assert.deepEqual(onNode(version, "--version"), { status: 1, stdout: "", stderr: said(version) });
  }
});

test("the oldest Node we take, and a newer one, go on", () => {
  for (const version of ["22.13.0", "23.0.0", "26.1.0"]) {
    const { status, stderr } = onNode(version, "--version");
    assert.deepEqual([status, stderr], [0, ""]);
  }
});

test("the version is the one that package.json says", () => {
  const { engines } = JSON.parse(readFileSync(join(bin, "../../package.json"), "utf8")) as {
    engines: { node: string };
  };
  assert.equal(engines.node, ">=22.13");
});

test("what is read before the version is known has no syntax that is newer than Node 14", () => {
  const text = readFileSync(bin, "utf8");
  const asFor = (target: string) => transformSync(text, { target }).code;
  assert.equal(asFor("node14.0"), asFor("esnext"));
  assert.doesNotMatch(text.split("process.exit(failure)")[0] ?? "", /require\(|import\(/);
});
