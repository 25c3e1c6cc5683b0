import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bornOf, isRunning, thisProcess } from "./process-identity.ts";

suite("whether a process is running", () => {
  test("this one is, and not one of its number that began at another time", () => {
    const { pid, born } = thisProcess();
    assert.equal(isRunning(pid, born), true);
    assert.equal(isRunning(pid, null), true);
    if (born !== null) assert.equal(isRunning(pid, `${born}0`), false);
  });

  test("one that has ended is not, also while its parent has not asked for its end", {
    skip: process.platform !== "linux",
  }, async (t) => {
    // The shell becomes a program that never waits for the child it has.
    const parent = spawn("sh", ["-c", "sleep 30 & echo $!; exec sleep 30"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    t.after(() => parent.kill("SIGKILL"));
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    const born = bornOf(pid);
    assert.equal(isRunning(pid, born), true);
    await sleep(50);
    process.kill(pid, "SIGKILL");
    for (let left = 100; left > 0 && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1")); left--)
      await sleep(10);
    assert.match(readFileSync(`/proc/${pid}/stat`, "latin1"), /\) Z/);
    assert.equal(isRunning(pid, born), false);
    assert.equal(isRunning(pid, null), false);
  });
});
