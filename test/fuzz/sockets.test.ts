import assert from "node:assert/strict";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { WebSocket } from "ws";
import { startedDaemon } from "../../src/daemon/server/harness.cases.ts";
import { readAnswer, writeRequest } from "../../src/agents/calls/hook-frames.ts";
import { hostileText, watchRejections } from "./harness.ts";

/** Sends these after the greeting was answered, says that there is no more, and waits for the other side to close. */
function send(
  target: { port: number } | { path: string },
  greeting: string,
  frames: Uint8Array,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(target as { port: number });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve());
    socket.resume();
    if (greeting === "") socket.end(frames);
    else {
      socket.write(greeting);
      socket.once("data", () => void socket.end(frames));
    }
  });
}

function greetingFor(port: number, token: string, path: string): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** What comes first: a refusal is one piece. */
function firstWords(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => void socket.write(text));
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("closed without a word")));
    socket.once("data", (chunk) => {
      resolve(String(chunk));
      socket.destroy();
    });
  });
}

/** A frame as a client sends it, with whatever in its head and its length. */
const frame = fc
  .record({
    first: fc.integer({ min: 0, max: 255 }),
    isMasked: fc.boolean(),
    length: fc.oneof(fc.constantFrom(0, 1, 125, 126, 127), fc.integer({ min: 0, max: 127 })),
    extended: fc.uint8Array({ minLength: 0, maxLength: 8 }),
    body: fc.uint8Array({ maxLength: 200 }),
  })
  .map(({ first, isMasked, length, extended, body }) =>
    Buffer.concat([Buffer.from([first, (isMasked ? 0x80 : 0) | length]), extended, body]),
  );

test("whatever bytes come over the stream, its connection ends and the daemon goes on", async (t) => {
  watchRejections(t);
  const started = await startedDaemon(t);
  const { port, token, daemon, warnings } = started;
  const host = `127.0.0.1:${port}`;
  const greeting = greetingFor(port, token, "/api/v1/stream");
  const frames = fc.array(frame, { maxLength: 5 }).map((all) => Buffer.concat(all));
  const bytes = fc.oneof(
    frames,
    fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (some) => {
      await send({ port }, greeting, some);
    }),
    { numRuns: 200 },
  );
  const reader = new WebSocket(`ws://${host}/api/v1/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const heard = new Promise<string>((resolve) => reader.once("message", (text) => resolve(String(text))));
  await new Promise((resolve) => reader.once("open", resolve));
  await daemon.runtime.events.emit({ event: "notification", data: { message: "m", level: "info" } });
  assert.match(await heard, /"event":"notification"/);
  reader.terminate();
  assert.deepEqual(warnings, []);
});

test("whatever words come in the stream's address, they are taken or refused with a code", async (t) => {
  const { port, token } = await startedDaemon(t);
  const name = fc.constantFrom("after", "event", "kind", "session", "verdict", "token", "__proto__");
  const search = fc.array(fc.tuple(name, hostileText), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(search, async (pairs) => {
      const words = pairs.map(([key, value]): [string, string] => [key, value.toWellFormed()]);
      const path = `/api/v1/stream?${new URLSearchParams(words)}`.slice(0, 8_000);
      const answer = await firstWords(port, greetingFor(port, token, path));
      assert.match(answer, /^HTTP\/1\.1 (?:101 |4\d\d [\s\S]*"code":"SWARM_(?!INTERNAL))/);
    }),
    { numRuns: 100 },
  );
});

test("whatever bytes come over the hooks' socket, it is closed, and the next call is answered", async (t) => {
  watchRejections(t);
  const { home, cwd } = await startedDaemon(t);
  const path = join(home, "hook.sock");
  const input = JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd,
    tool_name: "Bash",
    tool_input: {},
  });
  const whole = writeRequest({
    agent: "claude-code",
    isGuard: true,
    timeoutMs: 1_000,
    sentAtMs: null,
    env: { A: "b" },
    input,
  });
  const broken = fc.tuple(fc.nat(whole.length), fc.uint8Array({ maxLength: 20 })).map(([at, more]) => {
    return Buffer.concat([whole.subarray(0, at), more, whole.subarray(at + more.length)]);
  });
  const bytes = fc.oneof(
    broken,
    fc.uint8Array({ maxLength: 400 }).map((some) => Buffer.from(some)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (some) => {
      await send({ path }, "", some);
    }),
    { numRuns: 200 },
  );
  const answer = await new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(path, () => void socket.write(whole));
    socket.on("data", (chunk) => void chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
  assert.equal(readAnswer(answer)?.exitCode, 0);
});
