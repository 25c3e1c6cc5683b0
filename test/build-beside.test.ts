import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { buildBeside } from "../scripts/build-beside.mjs";

const folder = mkdtempSync(join(tmpdir(), "swarm-build-"));
after(() => rmSync(folder, { recursive: true }));

/** A build of a program, and of a part of it whose name changes with each build. */
function build(version: number, dist: string): void {
  mkdirSync(join(dist, "parts"), { recursive: true });
  writeFileSync(join(dist, "main.js"), `${version} `.repeat(20_000));
  writeFileSync(join(dist, `parts/${version}.js`), "");
  writeFileSync(join(dist, "same.js"), "same");
}

/** Looks for what is missing or not whole, as fast as it can, until it is told to stop. */
const reader = `
  const { existsSync, readFileSync } = require("node:fs");
  const { parentPort, workerData: dist, receiveMessageOnPort } = require("node:worker_threads");
  const read = () => {
    const versions = new Set(readFileSync(dist + "/main.js", "utf8").trim().split(" "));
    return [...versions].join(" and ");
  };
  const found = { looks: 0, versions: new Set(), problems: new Set() };
  for (; receiveMessageOnPort(parentPort) === undefined; found.looks++) {
    try {
      const version = read();
      found.versions.add(version);
      const isThere = existsSync(dist + "/parts/" + version + ".js");
      if (!isThere && read() === version) found.problems.add("no part of " + version);
    } catch (error) {
      found.problems.add(error.message);
    }
    if (found.looks === 0) parentPort.postMessage("looks");
  }
  parentPort.postMessage(found);`;

test("who reads a build while another takes its place finds every file, whole", async () => {
  const dist = join(folder, "read");
  await buildBeside(dist, (fresh: string) => build(0, fresh));
  const worker = new Worker(reader, { eval: true, workerData: dist });
  const next = () => new Promise<unknown>((resolve) => worker.once("message", resolve));
  await next();
  for (let version = 1; version <= 60; version++)
    await buildBeside(dist, (fresh: string) => build(version, fresh));
  worker.postMessage("stop");
  const found = (await next()) as { looks: number; versions: Set<string>; problems: Set<string> };
  assert.deepEqual([...found.problems], []);
  assert.ok(found.versions.size > 3, `${found.looks} looks, ${found.versions.size} versions seen`);
});

test("what the new build does not have is gone, what is the same is not touched, and it is not complete meanwhile", async () => {
  const dist = join(folder, "left");
  await buildBeside(dist, (fresh: string) => build(1, fresh));
  writeFileSync(join(dist, ".swarm-build"), "complete");
  const { ino } = statSync(join(dist, "same.js"));
  await buildBeside(dist, (fresh: string) => build(2, fresh));
  assert.deepEqual(readdirSync(dist, { recursive: true }).sort(), [
    "main.js",
    "parts",
    "parts/2.js",
    "same.js",
  ]);
  assert.equal(statSync(join(dist, "same.js")).ino, ino);
});

test("a build that fails leaves the one before, and one that was killed is cleared away by the next", async () => {
  const dist = join(folder, "fails");
  await buildBeside(dist, (fresh: string) => build(1, fresh));
  writeFileSync(join(dist, ".swarm-build"), "complete");
  const failing = buildBeside(dist, (fresh: string) => {
    build(2, fresh);
    throw new Error("of ours");
  });
  await assert.rejects(failing, { message: "of ours" });
  assert.equal(readFileSync(join(dist, ".swarm-build"), "utf8"), "complete");
  assert.ok(existsSync(join(dist, "parts/1.js")));
  mkdirSync(`${dist}.999999999`);
  mkdirSync(`${dist}.${process.ppid}`);
  await buildBeside(dist, (fresh: string) => build(2, fresh));
  const beside = readdirSync(folder).filter((name) => name.startsWith("fails."));
  assert.deepEqual(beside, [`fails.${process.ppid}`]);
});
