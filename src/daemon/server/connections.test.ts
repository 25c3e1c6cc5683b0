import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { ask, startedDaemon } from "./harness.cases.ts";

/** Half a request, for ever. */
async function slow(
  t: TestContext,
  port: number,
  text = "GET /healthz HTTP/1.1\r\nHost: 127.",
): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const isClosed = (socket: Socket) => socket.destroyed || socket.readableEnded;

test("of more than 256 from one address the oldest that never finish asking go first", async (t) => {
  const { port } = await startedDaemon(t);
  const first = await slow(t, port);
  const closed = once(first, "close");
  first.resume();
  for (let n = 0; n < 256; n++) await slow(t, port);
  await closed;
  const answer = await ask({ port, path: "/healthz", headers: { host: `127.0.0.1:${port}` } });
  assert.equal(answer.status, 200, "whoever asks is answered");
});

test("one whose whole request is under way is not among those that go", async (t) => {
  const patient = `hooks:
  - { event: tool.before, type: command, name: patient, command: 'touch called; while [ ! -e go ]; do sleep 0.02; done; echo seen' }
`;
  const { port, token, cwd, write } = await startedDaemon(t, patient);
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
  const call = { event: "tool.before", data: { tool_name: "Bash", tool_input: {} }, cwd };
  const answer = ask({ port, method: "POST", path: "/api/v1/events", headers, body: JSON.stringify(call) });
  while (!existsSync(`${cwd}/called`)) await new Promise((resolve) => setImmediate(resolve));
  const half = `POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9\r\n\r\n{`;
  const halves: Socket[] = [];
  for (let n = 0; n < 300; n++) halves.push(await slow(t, port, half));
  write({ go: "" });
  assert.match((await answer).text, /"context":\["seen"\]/);
  assert.ok(!isClosed(halves.at(-1) as Socket), "the newest is still there");
  for (const socket of halves) socket.destroy();
});
