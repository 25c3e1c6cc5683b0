import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { socketPath } from "../base/sockets.ts";
import { daemonHealth } from "./client.ts";

const health = JSON.stringify({ status: "ok", version: "1", pid: 1, address: "http://127.0.0.1:1" });
/** What Node's server writes when its deadline for headers is over. */
const unread = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
const answered = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${health.length}\r\n\r\n${health}`;

/** A daemon so busy that its server gives up on so many connections before it reads them. */
async function busyDaemon(t: TestContext, gives: number): Promise<{ connections(): number }> {
  const home = mkdtempSync(join(tmpdir(), "swarm-client-"));
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    const answer = connections <= gives ? unread : answered;
    socket.once("data", () => socket.end(answer)).on("error", () => undefined);
  });
  server.listen(socketPath(home, "api"));
  await once(server, "listening");
  const before = process.env.SWARM_HOME;
  process.env.SWARM_HOME = home;
  t.after(() => {
    if (before === undefined) delete process.env.SWARM_HOME;
    else process.env.SWARM_HOME = before;
    server.close();
    rmSync(home, { recursive: true });
  });
  return { connections: () => connections };
}

suite("a request that the daemon was too busy to read", () => {
  test("is made again", async (t) => {
    const { connections } = await busyDaemon(t, 2);
    assert.deepEqual(await daemonHealth(), JSON.parse(health));
    assert.equal(connections(), 3);
  });

  test("is given up at last, and it is said why", async (t) => {
    const { connections } = await busyDaemon(t, 100);
    await assert.rejects(daemonHealth(), {
      code: "SWARM_DAEMON_LOST",
      message: /too busy to read the request, 4 times$/,
    });
    assert.equal(connections(), 4);
  });
});
