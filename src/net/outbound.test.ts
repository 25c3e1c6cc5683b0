import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { selfSigned } from "./certificate.cases.ts";
import { ConnectError, type Network, systemNetwork } from "./connect.ts";
import { never, outbound, serve } from "./harness.cases.ts";
import type { Outbound } from "./outbound.ts";

const request = {
  headers: { "content-type": "application/json" },
  body: "{}",
  limitBytes: 1024,
  deadline: never,
};

const endpointOf = (out: Outbound, url: string) =>
  out.endpoint({ name: "it", url, allowPrivate: ["loopback"] });

/** Until the next connection is made and over, however it ends. */
async function untilClosed(server: Server): Promise<void> {
  const [socket] = (await once(server, "connection")) as [Socket];
  await new Promise<void>((resolve) => socket.on("close", () => resolve()));
}

/** A server that speaks no HTTP of its own; returns its port. */
async function listen(t: TestContext, onData: (write: (text: string) => void, end: () => void) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () =>
      onData(
        (text) => socket.write(text),
        () => socket.resetAndDestroy(),
      ),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a fetch goes over the same checked connections, to its own origin alone", async (t) => {
  const seen: string[] = [];
  const { url } = await serve(t, (incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    response.setHeader("content-type", "text/plain").end("hello");
  });
  const out = outbound(t);
  const send = out.fetchFor({ url, allowPrivate: ["loopback"] });
  const response = await send(`${url}a?b`, { method: "PUT", body: "x" });
  assert.deepEqual([response.status, await response.text(), seen], [200, "hello", ["PUT /a?b"]]);
  await assert.rejects(send("http://a.example/"), {
    message: `http://a.example is not ${new URL(url).origin}`,
  });
  const causeOf = (error: unknown) => (error as Error).cause;
  await assert.rejects(out.fetchFor({ url, allowPrivate: [] })(url), (error) => {
    assert.ok(causeOf(error) instanceof ConnectError);
    assert.equal((causeOf(error) as ConnectError).code, "SWARM_ADDRESS_REFUSED");
    return true;
  });
  assert.equal(seen.length, 1);
  await out.close();
  await assert.rejects(send(url), { code: "SWARM_ENGINE_CLOSED" });
});

test("a request carries its headers and body, and is answered", async (t) => {
  const { url } = await serve(t, (incoming, response) => {
    let text = "";
    incoming.on("data", (chunk) => {
      text += chunk;
    });
    incoming.on("end", () => {
      const { "content-type": type, "x-a": a } = incoming.headers;
      response.setHeader("x-b", "c").end(JSON.stringify([incoming.method, incoming.url, type, a, text]));
    });
  });
  const out = outbound(t);
  const sent = { ...request, headers: { ...request.headers, "x-a": "1" }, body: '{"ü": 1}' };
  const { status, headers, body, isCut } = await endpointOf(out, `${url}p/q?r=s#t`).post(sent);
  assert.deepEqual([status, headers["x-b"], isCut], [200, "c", false]);
  assert.deepEqual(JSON.parse(body.toString()), ["POST", "/p/q?r=s", "application/json", "1", '{"ü": 1}']);
});

test("connections are kept for the next requests", async (t) => {
  const ports: (number | undefined)[] = [];
  const { url } = await serve(t, ({ socket }, response) => {
    ports.push(socket.remotePort);
    response.end("{}");
  });
  const out = outbound(t);
  for (let round = 0; round < 5; round++) await endpointOf(out, url).post(request);
  // One is ready again only a turn of the event loop after its answer, so whoever is faster has two.
  assert.equal(ports.length, 5);
  assert.ok(new Set(ports).size <= 2);
});

test("a redirect is an answer, and goes nowhere", async (t) => {
  let asked = 0;
  const { url } = await serve(t, (_incoming, response) => {
    asked++;
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  assert.equal((await endpointOf(outbound(t), url).post(request)).status, 302);
  assert.equal(asked, 1);
});

test("a body without an end is cut at the limit, and its connection is given up", async (t) => {
  const { server, url } = await serve(t, (_incoming, response) => {
    const more = (): void => void (response.writable && response.write("x".repeat(500), more));
    more();
  });
  const closed = untilClosed(server);
  const { body, isCut } = await endpointOf(outbound(t), url).post(request);
  assert.deepEqual([body.length, isCut], [1024, true]);
  await closed;
});

const breaks: Readonly<Record<string, string>> = {
  "a reset before the answer": "",
  "a reset within the headers": "HTTP/1.1 200 OK\r\ncontent-le",
  "a reset within a body of known length": "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{",
  "a reset between chunks": "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n",
  "what is not HTTP": "SSH-2.0-OpenSSH_9.2\r\n",
  "two lengths": "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}",
};

for (const [what, sent] of Object.entries(breaks)) {
  test(`${what} is no answer`, async (t) => {
    const url = await listen(t, (write, end) => {
      write(sent);
      setImmediate(end);
    });
    await assert.rejects(endpointOf(outbound(t), url).post(request), { code: "SWARM_RESPONSE_BROKEN" });
  });
}

test("nobody who listens is a failure to connect", async (t) => {
  const { server, url } = await serve(t, () => undefined);
  server.close();
  await once(server, "close");
  await assert.rejects(endpointOf(outbound(t), url).post(request), {
    code: "SWARM_CONNECT_FAILED",
    message: /^hook it could not connect to 127\.0\.0\.1: connect ECONNREFUSED/,
  });
  server.listen(0); // so that the end of the test finds one to close
  await once(server, "listening");
});

test("a name without an address is named", async (t) => {
  const network: Network = {
    resolve: () => Promise.reject(new Error("getaddrinfo ENOTFOUND nowhere.invalid")),
    dial: systemNetwork.dial,
  };
  await assert.rejects(endpointOf(outbound(t, network), "http://nowhere.invalid/").post(request), {
    code: "SWARM_HOST_UNRESOLVED",
    message: "hook it found no address of nowhere.invalid: getaddrinfo ENOTFOUND nowhere.invalid",
  });
  const empty = { ...network, resolve: async () => [] };
  await assert.rejects(endpointOf(outbound(t, empty), "http://nowhere.invalid/").post(request), {
    message: "hook it found no address of nowhere.invalid: it has no address",
  });
});

test("a name is looked up by the machine's own resolver, and the first address that answers is used", async (t) => {
  const { url } = await serve(t, (_incoming, response) => response.end("{}"));
  const byName = url.replace("127.0.0.1", "localhost");
  assert.equal((await endpointOf(outbound(t), byName).post(request)).status, 200);
});

test("a request that is given up ends with the reason, and its connection with it", async (t) => {
  const { server, url } = await serve(t, () => undefined);
  const closed = untilClosed(server);
  const asked = once(server, "request");
  const controller = new AbortController();
  const sent = endpointOf(outbound(t), url).post({ ...request, deadline: controller.signal });
  await asked;
  controller.abort(new Error("too late"));
  await assert.rejects(sent, { message: "too late" });
  await closed;
});

test("a request that is given up while it waits for a connection is never sent", async (t) => {
  let asked = 0;
  const { url } = await serve(t, (_incoming, response) => {
    asked++;
    response.end("{}");
  });
  const held = Promise.withResolvers<void>();
  const network: Network = {
    resolve: async () => {
      await held.promise;
      return ["127.0.0.1"];
    },
    dial: ({ port }) => connect(port, "127.0.0.1"),
  };
  const controller = new AbortController();
  const endpoint = endpointOf(outbound(t, network), url.replace("127.0.0.1", "a.example"));
  const given = endpoint.post({ ...request, deadline: controller.signal });
  controller.abort(new Error("too late"));
  await assert.rejects(given, { message: "too late" });
  held.resolve();
  assert.equal((await endpoint.post(request)).status, 200);
  assert.equal(asked, 1);
});

async function serveSecurely(t: TestContext, name: string) {
  const { key, cert } = selfSigned(name);
  const server = createSecureServer({ key, cert }, (_incoming, response) => response.end("{}"));
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { cert, port: (server.address() as AddressInfo).port };
}

function trust(t: TestContext, cert: string): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, cert]);
  t.after(() => setDefaultCACertificates(before));
}

/** Every name is this machine's. */
const everywhere: Network = { resolve: async () => ["127.0.0.1"], dial: systemNetwork.dial };

test("a certificate nobody vouches for is a failure of TLS", async (t) => {
  const { port } = await serveSecurely(t, "a.example");
  await assert.rejects(endpointOf(outbound(t, everywhere), `https://a.example:${port}/`).post(request), {
    code: "SWARM_TLS_FAILED",
    message: /^hook it could not make a secure connection to a\.example: self-signed certificate/,
  });
});

test("a certificate for another name is a failure of TLS", async (t) => {
  const { port, cert } = await serveSecurely(t, "b.example");
  trust(t, cert);
  await assert.rejects(endpointOf(outbound(t, everywhere), `https://a.example:${port}/`).post(request), {
    code: "SWARM_TLS_FAILED",
    message: /a\.example/,
  });
});

test("a certificate for the name is taken, and the name is what is asked for", async (t) => {
  const { port, cert } = await serveSecurely(t, "a.example");
  trust(t, cert);
  const { status } = await endpointOf(outbound(t, everywhere), `https://a.example:${port}/`).post(request);
  assert.equal(status, 200);
});

test("a server without TLS is a failure of TLS", async (t) => {
  const { url } = await serve(t, () => undefined);
  await assert.rejects(endpointOf(outbound(t), url.replace("http:", "https:")).post(request), {
    code: "SWARM_TLS_FAILED",
  });
});

test("no proxy of the environment is used", async (t) => {
  let proxied = 0;
  const proxy = await serve(t, () => {
    proxied++;
  });
  proxy.server.on("connect", () => {
    proxied++;
  });
  const { url } = await serve(t, (_incoming, response) => response.end("{}"));
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  for (const name of names) {
    const before = process.env[name];
    process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : proxy.url;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  assert.equal((await endpointOf(outbound(t), url).post(request)).status, 200);
  assert.equal(proxied, 0);
});

test("the end ends what is under way, and takes no more", async (t) => {
  const { server, url } = await serve(t, () => undefined);
  const asked = once(server, "request");
  const out = outbound(t);
  const sent = endpointOf(out, url).post(request);
  await asked;
  const rejected = assert.rejects(sent, { code: "SWARM_RESPONSE_BROKEN" });
  await out.close();
  await rejected;
  await assert.rejects(endpointOf(out, url).post(request), { code: "SWARM_ENGINE_CLOSED" });
});

test("kept connections keep no process alive", async (t) => {
  const { url } = await serve(t, (_incoming, response) => response.end("{}"));
  const program = `
    const { Outbound } = await import(${JSON.stringify(new URL("./outbound.ts", import.meta.url).href)});
    const endpoint = new Outbound().endpoint({ name: "it", url: process.argv[1], allowPrivate: ["loopback"] });
    const signal = new AbortController().signal;
    const { status } = await endpoint.post({ headers: {}, body: "", limitBytes: 9, deadline: signal });
    const { setImmediate } = await import("node:timers/promises");
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    const waitedFor = process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Immediate/.test(name));
    console.log(status, waitedFor.join());
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, url], { stdio: "pipe" });
  assert.equal(await text(child.stdout), "200 \n");
});
