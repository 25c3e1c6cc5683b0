import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { SwarmError } from "../base/errors.ts";
import { readAllowed } from "./address.ts";
import { urlProblem } from "./check-url.ts";
import { ConnectError, connectChecked } from "./connect.ts";
import { never, outbound, RecordingNetwork } from "./harness.cases.ts";
import { hostileAnswers, hostileUrls, unusableUrls } from "./hostile-urls.cases.ts";

const request = { headers: {}, body: "{}", limitBytes: 1024, deadline: never };

for (const url of hostileUrls) {
  test(`${url} is never dialled`, async (t) => {
    const network = new RecordingNetwork();
    const endpoint = outbound(t, network).endpoint({ name: "it", url, allowPrivate: [] });
    await assert.rejects(
      endpoint.post(request),
      (error) => error instanceof SwarmError && error.code === "SWARM_ADDRESS_REFUSED",
    );
    assert.deepEqual([network.dialled, network.resolved], [[], []]);
  });
}

for (const url of unusableUrls) {
  test(`${JSON.stringify(url)} is no address to send to`, () => assert.notEqual(urlProblem(url), null));
}

test("addresses to send to may have ports, paths, queries and an @ after the host", () => {
  const fine = [
    "https://a.example",
    "http://a.example:8080/x?y=1#z",
    "https://[2606:4700::1]:8/",
    "https://a.b/@c",
  ];
  for (const url of fine) assert.equal(urlProblem(url), null, url);
});

for (const answers of hostileAnswers) {
  test(`a name that resolves to ${answers.join(" and ")} is never dialled`, async (t) => {
    const network = new RecordingNetwork(() => answers);
    const endpoint = outbound(t, network).endpoint({
      name: "it",
      url: "https://a.example/",
      allowPrivate: [],
    });
    await assert.rejects(
      endpoint.post(request),
      (error) => error instanceof SwarmError && error.code === "SWARM_ADDRESS_REFUSED",
    );
    assert.deepEqual(network.dialled, []);
  });
}

test("a resolver that says something else the second time is not asked a second time", async (t) => {
  const answers = [["93.184.215.14"], ["127.0.0.1"], ["93.184.215.14"], ["127.0.0.1"]];
  const network = new RecordingNetwork(() => answers.shift() ?? []);
  const endpoint = outbound(t, network).endpoint({
    name: "it",
    url: "http://rebind.example/",
    allowPrivate: [],
  });
  const codes = [];
  for (let round = 0; round < 4; round++) {
    codes.push(await endpoint.post(request).catch((error: SwarmError) => error.code));
  }
  // Each connection is looked up once, and dialled at what was checked or not at all.
  const refused = "SWARM_ADDRESS_REFUSED";
  assert.deepEqual([codes[1], codes[3]], [refused, refused]);
  assert.equal(network.resolved.length, 4);
  const dialled = { host: "rebind.example", addresses: ["93.184.215.14"], port: 80 };
  assert.deepEqual(network.dialled, [dialled, dialled]);
});

test("a socket that ends up elsewhere is closed before a byte is sent", async (t) => {
  let received = 0;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  // A dialler that does not do as it was told: what counts is where the socket is.
  const network = {
    resolve: async () => ["93.184.215.14"],
    dial: () => connect(port, "127.0.0.1"),
  };
  const accepted = once(server, "connection");
  for (const url of ["http://a.example/", "https://a.example/"]) {
    const target = { url: new URL(url), allowed: [] };
    await assert.rejects(connectChecked(target, network, never), (error) => {
      assert.ok(error instanceof ConnectError);
      assert.deepEqual([error.code, error.message], ["SWARM_ADDRESS_REFUSED", "127.0.0.1, loopback"]);
      return true;
    });
  }
  const [socket] = await accepted;
  if (!socket.closed) await once(socket, "close");
  assert.equal(received, 0);
});

test("what is allowed for one hook is dialled for it, and for no other", async (t) => {
  const network = new RecordingNetwork();
  const out = outbound(t, network);
  const url = "http://127.0.0.1:9/";
  const open = out.endpoint({ name: "open", url, allowPrivate: ["loopback"] });
  const shut = out.endpoint({ name: "shut", url, allowPrivate: [] });
  await assert.rejects(open.post(request), /hook open got no whole answer|could not connect/);
  await assert.rejects(shut.post(request), /hook shut may not connect to 127\.0\.0\.1 \(loopback\)/);
  assert.deepEqual(network.dialled, [{ host: "127.0.0.1", addresses: ["127.0.0.1"], port: 9 }]);
});

test("names are allowed by the addresses they have", async () => {
  const network = new RecordingNetwork(() => ["10.1.2.3"]);
  const target = { url: new URL("https://internal.example/"), allowed: readAllowed("10.1.0.0/16") ?? [] };
  await assert.rejects(connectChecked(target, network, never), /never connects/);
  assert.deepEqual(network.dialled, [{ host: "internal.example", addresses: ["10.1.2.3"], port: 443 }]);
});

test("nothing is dialled after the end, even if the resolver was slow", async (t) => {
  const closing = new AbortController();
  const network = new RecordingNetwork(() => {
    closing.abort();
    return ["93.184.215.14"];
  });
  const target = { url: new URL("http://a.example/"), allowed: [] };
  await assert.rejects(connectChecked(target, network, closing.signal), { name: "AbortError" });
  assert.deepEqual(network.dialled, []);
  t.diagnostic(`${hostileUrls.length} addresses, ${hostileAnswers.length} answers`);
});
