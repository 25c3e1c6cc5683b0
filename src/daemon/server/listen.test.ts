import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { startDaemon } from "./daemon.ts";
import { type Ask, ask, folders, raw, startedDaemon } from "./harness.cases.ts";

suite("a body", () => {
  test("of more than 16 MiB is refused by what the request announces, before any of it has come", async (t) => {
    const { port, token, warnings } = await startedDaemon(t);
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1073741824\r\n`;
    const heard = await raw(port, `${head}Authorization: Bearer ${token}\r\n\r\n`);
    assert.match(heard, /^HTTP\/1\.1 413 [\s\S]*"code":"SWARM_BODY_TOO_LARGE"/);
    assert.match(await raw(port, `${head}\r\n`), /^HTTP\/1\.1 401 /);
    assert.deepEqual(warnings, []);
  });

  test("of more than 16 MiB that nobody announced is refused once it has come to that", async (t) => {
    const { port, token, warnings } = await startedDaemon(t);
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
    const status = await new Promise((resolve, reject) => {
      const call = request({ port, method: "POST", path: "/api/v1/events", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on("error", reject);
      for (let mebibyte = 0; mebibyte < 16; mebibyte++) call.write(" ".repeat(1 << 20));
      call.end(" ");
    });
    assert.equal(status, 413);
    assert.deepEqual(warnings, []);
  });

  test("that never ends is dropped, and is no fault of ours", async (t) => {
    const { port, token, daemon, warnings } = await startedDaemon(t);
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, "content-length": 100 };
    await new Promise<void>((resolve) => {
      const call = request({ port, method: "POST", path: "/api/v1/events", headers });
      call.on("error", () => resolve());
      call.write('{"event":', () => call.destroy());
    });
    assert.equal((await ask({ port, path: "/healthz", headers: { host: `127.0.0.1:${port}` } })).status, 200);
    await daemon.stop();
    assert.deepEqual(warnings, []);
  });
});

test("half a request holds up nobody, and is not waited for", async (t) => {
  const { port, daemon } = await startedDaemon(t);
  const slow = Array.from({ length: 100 }, () => raw(port, "GET /healthz HTTP/1.1\r\nHost: 127."));
  const answer = await ask({ port, path: "/healthz", headers: { host: `127.0.0.1:${port}` } });
  assert.equal(answer.status, 200);
  const heard = await Promise.all(slow);
  assert.ok(heard.every((text) => /^HTTP\/1\.1 408 /.test(text)));
  assert.equal(daemon.address, `http://127.0.0.1:${port}`);
});

suite("stopping", () => {
  /** A hook that says it was called, and answers once it may. */
  const patient = `hooks:
  - event: tool.before
    type: command
    name: patient
    command: 'touch called; while [ ! -e go ]; do sleep 0.02; done; echo seen'
`;
  const call = { event: "tool.before", data: { tool_name: "Bash", tool_input: {} } };

  /** A daemon with a call under way over a connection of its own; `letGo` has its hook answer. */
  async function underWay(t: TestContext) {
    const started = await startedDaemon(t, patient);
    const { port, token, cwd, write } = started;
    const body = JSON.stringify({ ...call, cwd });
    const socket = connect(port, "127.0.0.1");
    const heard: Buffer[] = [];
    socket.on("data", (chunk) => void heard.push(chunk));
    const closed = once(socket, "close");
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    socket.write(`${head("POST /api/v1/events")}Content-Length: ${body.length}\r\n\r\n${body}`);
    while (!existsSync(join(cwd, "called"))) await new Promise((resolve) => setImmediate(resolve));
    const answer = closed.then(() => Buffer.concat(heard).toString());
    return { ...started, socket, head, answer, letGo: () => write({ go: "" }) };
  }

  test("waits for a call under way, which gets its answer, and takes no new one", async (t) => {
    const { daemon, port, answer, letGo } = await underWay(t);
    const stopped = daemon.stop();
    await assert.rejects(ask({ port, path: "/healthz" }), { code: "ECONNREFUSED" });
    assert.equal(await Promise.race([stopped, "not yet"]), "not yet");
    letGo();
    assert.match(await answer, /^HTTP\/1\.1 200 [\s\S]*"context":\["seen"\]/);
    await stopped;
    assert.ok(!existsSync(daemon.socket));
  });

  test("refuses what comes after it over a connection that is still open", async (t) => {
    const { daemon, socket, head, answer, letGo } = await underWay(t);
    const stopped = daemon.stop();
    socket.write(`${head("GET /api/v1/hooks")}\r\n`, letGo);
    const heard = await answer;
    await stopped;
    assert.match(heard, /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 503 [\s\S]*"code":"SWARM_NOT_SERVING"/);
    assert.match(heard, /connection: close/i);
  });

  test("does not wait for connections that nobody uses", async (t) => {
    const { daemon, port } = await startedDaemon(t);
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const headers = { host: `127.0.0.1:${port}` };
    assert.equal((await ask({ port, path: "/healthz", headers, agent })).status, 200);
    const unused = connect(port, "127.0.0.1");
    await once(unused, "connect");
    // The grace never passes: with a clock that stands still, this ends only if it is not needed.
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const closed = once(unused, "close");
    await daemon.stop();
    await closed;
  });

  test("a daemon can be started again at once, in the same home", async (t) => {
    const { daemon, home, cwd, token } = await startedDaemon(t);
    await daemon.stop();
    const log = { warn: () => undefined };
    const again = await startDaemon({ home, cwd, env: process.env, log, port: 0 });
    t.after(() => again?.stop());
    assert.equal(readFileSync(join(home, "token"), "utf8").trim(), token, "whoever has the token keeps it");
  });
});

suite("starting", () => {
  test("a second time in the same home is refused, and the first goes on", async (t) => {
    const { home, cwd, port } = await startedDaemon(t);
    const log = { warn: () => undefined };
    assert.equal(await startDaemon({ home, cwd, env: process.env, log, port: 0 }), null);
    const { status } = await ask({ port, path: "/healthz", headers: { host: `127.0.0.1:${port}` } });
    assert.equal(status, 200);
  });

  test("on a port that is taken fails, and leaves the home free", async (t) => {
    const { port } = await startedDaemon(t);
    const { home, cwd } = folders(t);
    const options = { home, cwd, env: process.env, log: { warn: () => undefined } };
    await assert.rejects(startDaemon({ ...options, port }), { code: "SWARM_PORT_TAKEN" });
    const daemon = (await startDaemon({ ...options, port: 0 })) ?? assert.fail("the home is still held");
    await daemon.stop();
  });

  test("in a home whose path is too long for a socket fails, and says so", async (t) => {
    const { home, cwd } = folders(t);
    const deep = join(home, "x".repeat(100));
    const options = { home: deep, cwd, env: process.env, log: { warn: () => undefined }, port: 0 };
    await assert.rejects(startDaemon(options), { code: "SWARM_SOCKET_FAILED" });
  });

  test("in a home that cannot be one fails, and says so", async (t) => {
    const { cwd } = folders(t);
    const home = join(cwd, "swarm.yaml");
    const options = { home, cwd, env: process.env, log: { warn: () => undefined }, port: 0 };
    await assert.rejects(startDaemon(options), { code: "SWARM_STORE_FAILED" });
  });
});

suite("the name of this machine", () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === "::1"),
  );
  const skip = hasIpv6 ? false : "needs ::1";
  const linkOf = async (given: Pick<Ask, "port"> & { readonly token: string }): Promise<string> => {
    const headers = { host: `127.0.0.1:${given.port}`, authorization: `Bearer ${given.token}` };
    const body = JSON.stringify({ role: "viewer" });
    const { text } = await ask({ ...given, method: "POST", path: "/api/v1/login-links", headers, body });
    return (JSON.parse(text) as { url: string }).url;
  };

  test("leads to the daemon whichever address a browser takes it for", { skip }, async (t) => {
    const { port, token, warnings } = await startedDaemon(t);
    const headers = { host: `localhost:${port}` };
    for (const host of ["127.0.0.1", "::1"])
      assert.equal((await ask({ port, host, path: "/healthz", headers })).status, 200, host);
    const numbered = await ask({ port, host: "::1", path: "/healthz", headers: { host: `[::1]:${port}` } });
    assert.equal(numbered.status, 403);
    assert.match(await linkOf({ port, token }), new RegExp(`^http://localhost:${port}/#login=`));
    assert.deepEqual(warnings, []);
  });

  test("is not in links, nor good for passkeys, while another program has one of its addresses", {
    skip,
  }, async (t) => {
    const { home, cwd, closing } = folders(t);
    const other = createServer().listen(0, "::1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message) };
    const daemon = (await startDaemon({ home, cwd, env: process.env, log, port })) ?? assert.fail();
    closing(() => daemon.stop());
    closing(async () => void other.close());
    const token = readFileSync(join(home, "token"), "utf8").trim();
    assert.match(await linkOf({ port, token }), new RegExp(`^http://127\\.0\\.0\\.1:${port}/#login=`));
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
    const { text } = await ask({ port, path: "/api/v1/approvers", headers });
    assert.equal((JSON.parse(text) as { page: null }).page, null);
    assert.match(warnings.join(), /another program listens on \[::1\]/);
  });
});
