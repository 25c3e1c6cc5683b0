import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, type TestContext, test } from "node:test";
import { openHooks } from "../../engine/hooks/create-hooks.ts";
import { outbound, serve } from "../../net/harness.cases.ts";
import { Outbound } from "../../net/outbound.ts";
import { handlerCases } from "../../engine/hooks/handler.cases.ts";
import { type HttpSpec, httpHandler } from "./http-handler.ts";

const spec = {
  name: "it",
  isClaudeShaped: false,
  nativeEvent: "tool.before",
  headers: {},
  secret: null,
  previousSecret: null,
  allowPrivate: ["loopback"],
} satisfies Omit<HttpSpec, "url">;

const json = { "content-type": "application/json" };

/** What an endpoint answers, by path. */
const answers: Readonly<Record<string, RequestListener>> = {
  "/silent": (_request, response) => response.writeHead(204).end(),
  "/allow": (_request, response) => response.writeHead(200, json).end('{"verdict": "allow"}'),
  "/deny": (_request, response) => response.writeHead(200, json).end('{"verdict": "deny", "reason": "no"}'),
  "/rewrite": (_request, response) =>
    response.writeHead(200, json).end('{"rewrite": {"tool_input": {"command": "true"}}}'),
  "/context": (_request, response) => response.writeHead(200, json).end('{"context": "mind the gap"}'),
  "/fail": (_request, response) => response.writeHead(500, json).end('{"verdict": "allow"}'),
  "/garbage": (_request, response) => response.writeHead(200, json).end('{"verdict": "block"}'),
  "/hang": () => undefined,
};
const shared = createServer((request, response) => answers[request.url ?? ""]?.(request, response));

before(() => once(shared.listen(0, "127.0.0.1"), "listening"));
after(() => {
  shared.closeAllConnections();
  shared.close();
});

handlerCases("http", (t) => {
  const out = outbound(t);
  const to = (path: string) =>
    httpHandler({ ...spec, url: `http://127.0.0.1:${(shared.address() as AddressInfo).port}${path}` }, out);
  return {
    silent: to("/silent"),
    allow: to("/allow"),
    deny: to("/deny"),
    rewrite: to("/rewrite"),
    context: to("/context"),
    fail: to("/fail"),
    garbage: to("/garbage"),
    hang: to("/hang"),
  };
});

const data = { tool_name: "Bash", tool_input: { command: "ls" } };

/** Emits one event to a hook that asks `listener`, and returns what came of it. */
async function ask(
  t: TestContext,
  listener: RequestListener,
  more: Partial<HttpSpec> = {},
  options: object = {},
) {
  const { url } = await serve(t, listener);
  const { hooks, register } = openHooks({ trace: true, log: { warn: () => undefined } });
  t.after(() => hooks.close());
  const handler = httpHandler({ ...spec, url, ...more }, outbound(t));
  register("tool.before", { name: "it", ...options }, handler, "http");
  const outcome = await hooks.emit("tool.before", data, { session: "ses_1", cwd: "/w" });
  return { id: outcome.id, decision: outcome.decision, record: outcome.handlers[0] };
}

/** What the endpoint was sent. */
async function received(t: TestContext, more: Partial<HttpSpec>) {
  const sent = Promise.withResolvers<{ request: IncomingMessage; body: string }>();
  const { id } = await ask(
    t,
    (request, response) => {
      void text(request).then((body) => {
        sent.resolve({ request, body });
        response.writeHead(204).end();
      });
    },
    more,
  );
  return { id, ...(await sent.promise) };
}

test("the endpoint gets the event's envelope as JSON, by POST", async (t) => {
  const { id, request, body } = await received(t, {});
  const { timestamp, ...envelope } = JSON.parse(body);
  assert.deepEqual(envelope, {
    event: "tool.before",
    id,
    session: "ses_1",
    agent: null,
    task: null,
    cwd: "/w",
    source: null,
    native_event: null,
    tool: { name: "shell", names: ["shell"], command: "ls", path: null, paths: [] },
    data,
  });
  assert.equal(typeof timestamp, "number");
  const { host: _host, connection: _connection, "content-length": length, ...headers } = request.headers;
  assert.equal(request.method, "POST");
  assert.equal(Number(length), Buffer.byteLength(body));
  assert.deepEqual(headers, {
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "swarm-hooks",
  });
});

test("its headers are the hook's, in whatever case they are written", async (t) => {
  const headers = { Authorization: "Bearer x", "CONTENT-TYPE": "application/vnd.a+json" };
  const { request } = await received(t, { headers });
  assert.deepEqual(
    [request.headers.authorization, request.headers["content-type"]],
    ["Bearer x", "application/vnd.a+json"],
  );
});

test("with a secret the request is signed, with the event's id", async (t) => {
  const { id, request, body } = await received(t, { secret: "whsec_c2VjcmV0" });
  const { "webhook-id": sentId, "webhook-timestamp": time, "webhook-signature": signature } = request.headers;
  const expected = createHmac("sha256", "secret").update(`${id}.${time}.${body}`).digest("base64");
  assert.deepEqual([sentId, signature], [id, `v1,${expected}`]);
});

test("from a file in Claude Code's shape it gets what Claude Code would send, and is answered in its words", async (t) => {
  const read = Promise.withResolvers<Record<string, unknown>>();
  const { decision } = await ask(
    t,
    (request, response) => {
      void text(request).then((body) => {
        read.resolve(JSON.parse(body));
        const hookSpecificOutput = { hookEventName: "PreToolUse", permissionDecision: "deny" };
        response.writeHead(200, json).end(JSON.stringify({ hookSpecificOutput, reason: "no" }));
      });
    },
    { isClaudeShaped: true, nativeEvent: "PreToolUse" },
  );
  const { transcript_path: _transcript, ...input } = await read.promise;
  assert.deepEqual(input, { session_id: "ses_1", cwd: "/w", hook_event_name: "PreToolUse", ...data });
  assert.deepEqual([decision.verdict, decision.reason], ["deny", "no"]);
});

test("JSON may come with a charset, or as another kind of JSON", async (t) => {
  for (const type of ["application/json; charset=utf-8", "application/vnd.a.b+json", "APPLICATION/JSON"]) {
    const { decision } = await ask(t, (_request, response) =>
      response.writeHead(200, { "content-type": type }).end('{"verdict": "allow"}'),
    );
    assert.equal(decision.verdict, "allow", type);
  }
});

const failures: Readonly<Record<string, readonly [reason: RegExp, listener: RequestListener]>> = {
  "a status that is not 2xx, even with an answer": [
    /^hook it got status 503, expected 2xx$/,
    (_request, response) => response.writeHead(503, json).end('{"verdict": "allow"}'),
  ],
  "a redirect": [
    /^hook it got status 307, expected 2xx: redirects are not followed$/,
    (_request, response) => response.writeHead(307, { location: "/" }).end(),
  ],
  "bad JSON": [
    /^hook it was answered what is no JSON object: /,
    (_request, response) => response.writeHead(200, json).end('{"verdict": "allow"'),
  ],
  "JSON in bytes that are not UTF-8": [
    /^hook it was answered what is no JSON object: .*encoded data was not valid/,
    (_request, response) => response.writeHead(200, json).end(Buffer.from('{"reason": "\xff"}', "latin1")),
  ],
  "JSON that is no object": [
    /^hook it was answered what is no JSON object: null$/,
    (_request, response) => response.writeHead(200, json).end("null"),
  ],
  "a page": [
    /^hook it got text\/html, expected application\/json$/,
    (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>"),
  ],
  "a body that does not say what it is": [
    /^hook it got no content-type, expected application\/json$/,
    (_request, response) => response.writeHead(200).end("{}"),
  ],
  "a compressed body nobody asked for": [
    /^hook it got content encoded as gzip, expected application\/json$/,
    (_request, response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end("x"),
  ],
  "more than 1 MiB": [
    /^hook it got more than 1048576 bytes, expected an answer$/,
    (_request, response) => response.writeHead(200, json).end(`{"reason": "${"x".repeat(1024 * 1024)}"}`),
  ],
  "a connection that is reset within the body": [
    /^hook it got no whole answer from 127\.0\.0\.1: /,
    (_request, response) => {
      response.writeHead(200, { ...json, "content-length": "100" });
      response.write('{"verdict": "allow"', () => response.socket?.resetAndDestroy());
    },
  ],
};

for (const [what, [reason, listener]] of Object.entries(failures)) {
  test(`${what} is a failure that says so: the action goes on, unless the hook denies when it fails`, async (t) => {
    const open = await ask(t, listener);
    assert.deepEqual([open.decision.verdict, open.record?.status], ["none", "failed"]);
    assert.match(open.record?.reason ?? "", reason);
    const closed = await ask(t, listener, {}, { mode: "guard", onFailure: "deny" });
    assert.equal(closed.decision.verdict, "deny");
  });
}

test("a denial counts whatever else its body says", async (t) => {
  const { decision } = await ask(t, (_request, response) =>
    response.writeHead(200, json).end('{"verdict": "deny", "reason": 7, "more": true}'),
  );
  assert.equal(decision.verdict, "deny");
});

test("an endpoint that hangs is cut off at the hook's deadline, with its connection", async (t) => {
  const closed = Promise.withResolvers<void>();
  const { record } = await ask(
    t,
    ({ socket }) => void socket.on("close", () => closed.resolve()),
    {},
    { timeoutMs: 30 },
  );
  assert.deepEqual([record?.status, record?.reason], ["timed_out", "hook it did not answer within 30 ms"]);
  await closed.promise;
});

test("an endpoint that drips is cut off at the deadline too", async (t) => {
  const drip: RequestListener = (_request, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
  };
  assert.equal((await ask(t, drip, {}, { timeoutMs: 50 })).record?.status, "timed_out");
});

test("loopback is refused unless the hook allows it", async (t) => {
  let asked = 0;
  const count: RequestListener = (_request, response) => {
    asked++;
    response.writeHead(204).end();
  };
  const { record } = await ask(t, count, { allowPrivate: ["10.0.0.0/8"] });
  assert.deepEqual([record?.status, asked], ["failed", 0]);
  assert.match(record?.reason ?? "", /may not connect to 127\.0\.0\.1 \(loopback\).*allow_private/);
});

test("no message names the secret, a header or what is in the address beside the host", async (t) => {
  const told: string[] = [];
  const { hooks, register } = openHooks({
    trace: true,
    log: { warn: (message, fields) => told.push(message, JSON.stringify(fields)) },
  });
  const out = new Outbound();
  t.after(() => Promise.all([hooks.close(), out.close()]));
  const url = "http://127.0.0.1:9/hunter2?token=hunter2";
  const headers = { authorization: "hunter2" };
  const handler = httpHandler({ ...spec, url, headers, secret: "hunter2" }, out);
  register("tool.before", { name: "it", onFailure: "deny", mode: "guard" }, handler, "http");
  const outcome = await hooks.emit("tool.before", data);
  assert.equal(outcome.decision.verdict, "deny");
  assert.doesNotMatch(JSON.stringify([told, outcome]), /hunter2/);
});
