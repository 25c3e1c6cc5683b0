import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import type { RunEvent } from "../../record/port/run-event.ts";
import { ask, openApp, startedDaemon } from "./harness.cases.ts";
import { streamFilter } from "./stream-filter.ts";
import { Reader } from "./stream-reader.ts";

interface Message {
  readonly row?: RunEvent;
  readonly gap?: { readonly after: number; readonly before: number };
}

type Started = Awaited<ReturnType<typeof startedDaemon>>;

/** Reads the stream with the owner's token; `until` resolves with all messages once they fulfil a condition. */
function reader(t: TestContext, { port, token }: Started, query = "") {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/stream${query}`, { headers });
  t.after(() => socket.terminate());
  const messages: Message[] = [];
  let look: () => void = () => undefined;
  socket.on("message", (text) => {
    messages.push(JSON.parse(String(text)) as Message);
    look();
  });
  const until = (isThere: (all: readonly Message[]) => boolean) =>
    new Promise<readonly Message[]>((resolve) => {
      look = () => void (isThere(messages) && resolve(messages));
      look();
    });
  return { socket, messages, until, opened: once(socket, "open") };
}

function emit({ daemon, cwd }: Started, message: string, session = "s1") {
  return daemon.runtime.events.emit({
    event: "notification",
    data: { message, level: "info" },
    origin: { session, cwd },
  });
}

const seqs = (all: readonly Message[]) => all.map(({ row }) => row?.seq);

test("a reader hears of every row as it is written, in order", async (t) => {
  const started = await startedDaemon(t);
  await emit(started, "before");
  const { opened, until } = reader(t, started);
  await opened;
  await Promise.all(["a", "b", "c"].map((message) => emit(started, message)));
  const heard = await until((all) => all.length === 3);
  assert.deepEqual(seqs(heard), [2, 3, 4]);
  assert.deepEqual(heard[0]?.row, (await started.daemon.runtime.store.readRunEvents(1, 1))[0]);
});

test("a reader who was away gets what it missed, without a hole or a row twice", async (t) => {
  const started = await startedDaemon(t);
  for (let n = 0; n < 450; n++) await emit(started, String(n));
  const { opened, until } = reader(t, started, "?after=10");
  await opened;
  await Promise.all(["x", "y"].map((message) => emit(started, message)));
  const heard = await until((all) => all.at(-1)?.row?.seq === 452);
  assert.deepEqual(
    seqs(heard),
    Array.from({ length: 442 }, (_, at) => at + 11),
  );
});

test("a filter lets through what it names, live and from the record", async (t) => {
  const started = await startedDaemon(t);
  await emit(started, "a", "s1");
  await emit(started, "b", "s2");
  const { opened, until } = reader(
    t,
    started,
    "?after=0&session=s2&event=notification&kind=emit&verdict=none",
  );
  await opened;
  await emit(started, "c", "s1");
  await emit(started, "d", "s2");
  const heard = await until((all) => all.length === 2);
  assert.deepEqual(seqs(heard), [2, 4]);
});

test("one who does not read has at most 1 MB waiting for it, and then hears how much it missed", async (t) => {
  const { runtime, cwd } = await openApp(t);
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  t.after(() => server.close());
  await once(server, "listening");
  const slow = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => slow.terminate());
  const [accepted] = (await once(server, "connection")) as [WebSocket];
  const log = { warn: (message: string) => assert.fail(message) };
  const reader = new Reader(
    accepted,
    runtime.store,
    streamFilter(new URLSearchParams()),
    log,
    () => undefined,
  );
  runtime.audit.onRecorded((row) => reader.tell(row));
  reader.start();
  await once(slow, "open");
  slow.pause();
  // 4 KB a row: far more in all than the kernel's buffers of both ends hold.
  const emit = () =>
    runtime.events.emit({
      event: "notification",
      data: { message: "x" },
      origin: { session: "s".repeat(4_000), cwd },
    });
  let most = 0;
  for (let n = 0; n < 60; n++) {
    await Promise.all(Array.from({ length: 100 }, emit));
    await runtime.store.head(); // the record has them
    await new Promise((resolve) => setImmediate(resolve)); // and its listeners were told
    most = Math.max(most, accepted.bufferedAmount);
  }
  assert.ok(most > 256 * 1024 && most <= 1024 * 1024, `${most} bytes waited`);
  const heard: Message[] = [];
  const caughtUp = new Promise<void>((resolve) => {
    slow.on("message", (text) => {
      const message = JSON.parse(String(text)) as Message;
      heard.push(message);
      if (message.row?.seq === 6_001) resolve();
      if (message.gap !== undefined) void emit();
    });
  });
  slow.resume();
  await caughtUp;
  const at = heard.findIndex(({ gap }) => gap !== undefined);
  const { after, before } = heard[at]?.gap ?? assert.fail();
  assert.ok(before - after > 1_000, `${after} to ${before}`);
  assert.deepEqual([heard[at - 1]?.row?.seq, heard[at + 1]?.row?.seq], [after, before]);
});

suite("who may read", () => {
  /** How an upgrade with these headers is answered: 101, or the status and code of a refusal. */
  function upgrade(
    port: number,
    headers: Readonly<Record<string, string>>,
    path = "/api/v1/stream",
  ): Promise<string> {
    const fixed = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": "13" };
    const all = { ...fixed, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Promise((resolve, reject) => {
      let heard = "";
      const socket = connect(
        port,
        "127.0.0.1",
        () => void socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`),
      );
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        heard += chunk;
        const status = /^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? "";
        if (status === "101") socket.destroy();
        if (status === "101") resolve(status);
      });
      socket.on("close", () => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? "";
        resolve(`${status} ${/"code":"(\w+)"/.exec(heard)?.[1]}`);
      });
    });
  }

  /** The two halves of a browser's. */
  async function session(port: number, token: string) {
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
    const post = async (path: string, body: object) =>
      ask({ port, method: "POST", path, headers, body: JSON.stringify(body) });
    const { url } = JSON.parse((await post("/api/v1/login-links", {})).text);
    const login = await post("/api/v1/login", { code: url.split("#login=")[1] });
    const cookie = login.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    return { cookie, key: JSON.parse(login.text).key as string };
  }

  test("is decided by host, origin and token, all three", async (t) => {
    const { port, token } = await startedDaemon(t);
    const right = {
      host: `127.0.0.1:${port}`,
      origin: `http://127.0.0.1:${port}`,
      authorization: `Bearer ${token}`,
    };
    const bearer = { host: right.host, authorization: right.authorization };
    const asProtocol = {
      host: right.host,
      origin: right.origin,
      "sec-websocket-protocol": `swarm.v1, swarm.token.${token}`,
    };
    assert.equal(await upgrade(port, right), "101");
    assert.equal(await upgrade(port, bearer), "101");
    assert.equal(await upgrade(port, asProtocol), "101");
    for (const host of [`rebound.example:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`])
      assert.equal(await upgrade(port, { ...right, host }), "403 SWARM_HOST_REFUSED", host);
    for (const origin of [
      "https://rebound.example",
      "null",
      `http://127.0.0.1:${port + 1}`,
      `https://127.0.0.1:${port}`,
    ])
      assert.equal(await upgrade(port, { ...right, origin }), "403 SWARM_ORIGIN_REFUSED", origin);
    for (const authorization of ["", "Bearer ", `Bearer ${token}x`, `Basic ${token}`, token])
      assert.equal(
        await upgrade(port, { ...right, authorization }),
        "401 SWARM_TOKEN_REFUSED",
        authorization,
      );
    const { cookie, key } = await session(port, token);
    const asPage = { host: right.host, origin: right.origin, cookie };
    const withKey = `swarm.v1, swarm.key.${key}`;
    assert.equal(await upgrade(port, { ...asPage, "sec-websocket-protocol": withKey }), "101");
    for (const halves of [
      asPage,
      { ...asPage, cookie: "", "sec-websocket-protocol": withKey },
      { ...asPage, "sec-websocket-protocol": `${withKey}x` },
    ])
      assert.equal(await upgrade(port, halves), "401 SWARM_TOKEN_REFUSED", JSON.stringify(halves));
    const wrong = { ...asProtocol, "sec-websocket-protocol": "swarm.v1, swarm.token.x" };
    assert.equal(await upgrade(port, wrong), "401 SWARM_TOKEN_REFUSED");
    assert.equal(await upgrade(port, bearer, `/api/v1/stream?token=${token}`), "400 SWARM_OPTION_UNKNOWN");
    assert.equal(await upgrade(port, bearer, "/api/v1/stream?after=-1"), "400 SWARM_OPTION_INVALID");
    assert.equal(await upgrade(port, bearer, "/api/v1/events"), "404 SWARM_ROUTE_UNKNOWN");
  });

  test("and at most 64 of them at once", async (t) => {
    const started = await startedDaemon(t);
    const all = Array.from({ length: 64 }, () => reader(t, started));
    await Promise.all(all.map(({ opened }) => opened));
    const { port, token } = started;
    const host = `127.0.0.1:${port}`;
    const one = { host, authorization: `Bearer ${token}` };
    assert.equal(await upgrade(port, one), "503 SWARM_READERS_FULL");
    all[0]?.socket.close();
    await once(all[0]?.socket as WebSocket, "close");
    assert.equal(await upgrade(port, one), "101");
  });
});

test("a frame larger than any reader has to send ends the connection, and nothing else", async (t) => {
  const started = await startedDaemon(t);
  const { socket, opened } = reader(t, started);
  await opened;
  socket.send("x".repeat(5_000));
  const [code] = await once(socket, "close");
  assert.equal(code, 1009);
  const { port, token } = started;
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
  assert.equal((await ask({ port, path: "/api/v1/whoami", headers })).status, 200);
});

test("a reader whose token is revoked is let go at once", async (t) => {
  const started = await startedDaemon(t);
  const { port, token } = started;
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
  const made = await ask({
    port,
    method: "POST",
    path: "/api/v1/tokens",
    headers,
    body: JSON.stringify({ name: "board", role: "viewer" }),
  });
  const { socket, opened } = reader(t, { ...started, token: JSON.parse(made.text).token });
  const other = reader(t, started);
  await Promise.all([opened, other.opened]);
  const closed = once(socket, "close");
  await ask({ port, method: "DELETE", path: "/api/v1/tokens/board", headers });
  assert.equal((await closed)[0], 1008);
  assert.equal(other.socket.readyState, WebSocket.OPEN);
});

test("a daemon that stops says so to its readers", async (t) => {
  const started = await startedDaemon(t);
  const { socket, opened } = reader(t, started);
  await opened;
  const closed = once(socket, "close");
  await started.daemon.stop();
  assert.equal((await closed)[0], 1001);
});
