import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isAlive } from "../../handlers/process/harness.cases.ts";
import { startTemporaryDaemon } from "./temporary-daemon.ts";

function start(t: TestContext, program: string, node = process.execPath) {
  const home = mkdtempSync(join(tmpdir(), "swarm-test-"));
  t.after(() => rmSync(home, { recursive: true }));
  const cli = join(home, "cli.mjs");
  writeFileSync(cli, program);
  const makeClient = (where: string) => join(where, "client");
  return { home, daemon: startTemporaryDaemon({ home, node, cli, env: process.env, makeClient }) };
}

const forever = "setInterval(() => undefined, 1_000);";

test("a daemon is there when it has said where it listens, and gone when it was killed", async (t) => {
  const { home, daemon } = start(
    t,
    `import { writeFileSync } from "node:fs";
     writeFileSync("pid", String(process.pid));
     process.on("SIGTERM", () => undefined);
     console.log("listening on " + process.env.SWARM_HOME);
     ${forever}`,
  );
  const { client, kill } = await daemon;
  assert.equal(client, join(home, "client"));
  const running = Number(readFileSync(join(home, "pid"), "utf8"));
  assert.ok(isAlive(running));
  await kill();
  assert.ok(!isAlive(running));
  await kill();
});

test("one that ends, says something else or cannot be started is an error that tells why", async (t) => {
  await assert.rejects(start(t, "process.exit(3)").daemon, /^Error: the daemon did not start: exit 3$/);
  await assert.rejects(start(t, `console.log("no room"); ${forever}`).daemon, /did not start: no room$/);
  await assert.rejects(start(t, "", "/nowhere/node").daemon, /did not start: spawn \/nowhere\/node ENOENT$/);
});
