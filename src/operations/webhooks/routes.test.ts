import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { sign, signingKeys } from "../../net/standard-webhooks.ts";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { receiver, until } from "./harness.cases.ts";
import { ask, openApp, startedDaemon } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

interface Listed {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly hook: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

const webhook = (url: string, more = "") =>
  `  - { event: task.completed, type: webhook, name: notify, url: "${url}", allow_private: [loopback], secret: ${secret}${more} }\n`;

/** An app whose user has this configuration. */
async function opened(t: TestContext, config: string) {
  const app = await openApp(t);
  writeFileSync(join(app.home, "config.yaml"), config);
  return app;
}

const completed = { event: "task.completed", data: { task_id: "t1" } };

suite("deliveries", () => {
  test("are queued with their event's row, and shown without the address", async (t) => {
    const { call, runtime } = await opened(t, `hooks:\n${webhook("http://127.0.0.1:9/hunter2")}`);
    const { body: outcome } = await call<{ id: string; handlers: { kind: string; status: string }[] }>(
      "POST",
      "/api/v1/events",
      completed,
    );
    assert.deepEqual(
      outcome.handlers.map(({ kind, status }) => [kind, status]),
      [["webhook", "completed"]],
    );
    const { body, text } = await call<{ items: Listed[] }>(
      "GET",
      "/api/v1/webhooks/deliveries?state=pending",
    );
    const [{ id, hook, state, attempts } = assert.fail("nothing was queued")] = body.items;
    assert.deepEqual([hook, state, attempts], ["notify", "pending", 0]);
    const { body: shown } = await call<{ body: { id: string; data: object } }>(
      "GET",
      `/api/v1/webhooks/deliveries/${id}`,
    );
    assert.deepEqual([shown.body.id, shown.body.data], [outcome.id, { task_id: "t1" }]);
    assert.doesNotMatch(text, /hunter2|whsec/);
    const row = await runtime.store.findRunEvent(outcome.id);
    assert.equal(row?.handlers[0]?.name, "notify");
  });

  test("are filtered by state and hook, and an unknown one is a 404", async (t) => {
    const { call } = await opened(t, `hooks:\n${webhook("http://127.0.0.1:9/")}`);
    await call("POST", "/api/v1/events", completed);
    const count = async (query: string) =>
      (await call<{ items: unknown[] }>("GET", `/api/v1/webhooks/deliveries?${query}`)).body.items.length;
    assert.deepEqual([await count(""), await count("state=dead"), await count("hook_id=other")], [1, 0, 0]);
    assert.equal((await call("GET", "/api/v1/webhooks/deliveries?state=lost")).status, 400);
    for (const [method, path] of [
      ["GET", "msg_none"],
      ["POST", "msg_none/replay"],
    ] as const) {
      const { status, body } = await call<Problem>(method, `/api/v1/webhooks/deliveries/${path}`);
      assert.deepEqual([status, body.code], [404, "SWARM_DELIVERY_UNKNOWN"]);
    }
  });

  test("of one that waits are not replayed", async (t) => {
    const { call } = await opened(t, `hooks:\n${webhook("http://127.0.0.1:9/")}`);
    await call("POST", "/api/v1/events", completed);
    const { body } = await call<{ items: Listed[] }>("GET", "/api/v1/webhooks/deliveries");
    const path = `/api/v1/webhooks/deliveries/${body.items[0]?.id}/replay`;
    assert.equal((await call<Problem>("POST", path)).body.code, "SWARM_DELIVERY_PENDING");
  });

  test("of an event that cannot be recorded are not there either", async (t) => {
    const { call, home } = await opened(t, `hooks:\n${webhook("http://127.0.0.1:9/")}`);
    await call("GET", "/api/v1/hooks"); // its files were read and told of
    const database = new DatabaseSync(join(home, "swarm.db"));
    database.exec("create trigger no before insert on run_events begin select raise(abort, 'no'); end");
    assert.equal((await call("POST", "/api/v1/events", completed)).status, 500);
    database.exec("drop trigger no");
    database.close();
    const { body } = await call<{ items: unknown[] }>("GET", "/api/v1/webhooks/deliveries");
    assert.deepEqual(body.items, []);
  });
});

suite("a test of a webhook", () => {
  test("arrives signed, says that it is one, and is in the record before and after", async (t) => {
    const there = await receiver(t);
    const { call, runtime } = await opened(t, `hooks:\n${webhook(there.url)}`);
    const { body } = await call("POST", "/api/v1/webhooks/test", { hook: "notify" });
    assert.deepEqual([body.is_delivered, body.status, body.error], [true, 204, null]);
    const [sent] = there.received;
    assert.equal(JSON.parse(sent?.body ?? "{}").event, "webhook.test");
    assert.match(String(sent?.headers["webhook-signature"]), /^v1,/);
    const rows = await runtime.store.listRunEvents({ limit: 2 });
    assert.deepEqual(
      rows.map(({ kind, event, outcome }) => [kind, event, outcome]),
      [
        ["outcome", "webhook.delivery", "completed"],
        ["intent", "webhook.delivery", "open"],
      ],
    );
  });

  test("tells why it did not arrive", async (t) => {
    const there = await receiver(t, () => 418);
    const { call } = await opened(t, `hooks:\n${webhook(there.url)}`);
    const { body } = await call("POST", "/api/v1/webhooks/test", { hook: "notify" });
    assert.deepEqual([body.is_delivered, body.status, body.error], [false, 418, "status 418"]);
  });

  test("needs a webhook", async (t) => {
    const hooks = ["hooks:", "  - { event: task.completed, type: script, name: program, command: 'true' }"];
    const { call } = await opened(t, `${hooks.join("\n")}\n`);
    const code = async (hook: string) =>
      (await call<Problem>("POST", "/api/v1/webhooks/test", { hook })).body.code;
    assert.deepEqual([await code("program"), await code("other")], ["SWARM_HOOK_KIND", "SWARM_HOOK_UNKNOWN"]);
  });
});

suite("a test of a project's webhook", () => {
  test("is sent once somebody has approved the address", async (t) => {
    const there = await receiver(t);
    const { call, cwd, runtime, write } = await openApp(t);
    write({ "swarm.yaml": `hooks:\n${webhook(there.url)}` });
    const send = () => call<Problem>("POST", "/api/v1/webhooks/test", { hook: "notify", cwd });
    const { status, body } = await send();
    assert.deepEqual([status, body.code, there.received.length], [403, "SWARM_HOOK_UNTRUSTED", 0]);
    await approveProject(runtime, cwd);
    assert.equal((await send()).status, 200);
    assert.equal(there.received.length, 1);
  });
});

suite("a message from elsewhere", () => {
  const config = `inbound: { relay: { secret: ${secret} }, tasks: { secret: other, event: task.created } }\n`;
  const signed = (id: string, body: string, key = secret) => ({
    ...sign(signingKeys(key), id, Date.now(), body),
  });

  test("needs no token, becomes an event, and is taken once", async (t) => {
    const { daemon, home, port } = await startedDaemon(t);
    writeFileSync(join(home, "config.yaml"), config);
    const body = '{"message": "deployed", "level": "info"}';
    const headers = { host: `127.0.0.1:${port}`, ...signed("msg_1", body) };
    const request = { port, method: "POST", path: "/api/v1/inbound/relay", headers, body };
    const first = await ask(request);
    assert.equal(first.status, 200);
    const { id, event } = JSON.parse(first.text);
    assert.equal(event, "notification");
    const row = await daemon.runtime.store.findRunEvent(id);
    assert.deepEqual([row?.source, row?.actor], ["relay", "inbound:relay"]);
    const second = await ask(request);
    assert.deepEqual([second.status, JSON.parse(second.text).code], [409, "SWARM_INBOUND_REPLAYED"]);
    const rows = await daemon.runtime.store.listRunEvents({ limit: 9, event: "notification" });
    assert.equal(rows.length, 1);
    await until(
      async () => (await daemon.runtime.store.listRunEvents({ limit: 9, kind: "login" })).length > 0,
    );
  });

  test("is refused with another source's key, and from another host or a web page", async (t) => {
    const { home, port } = await startedDaemon(t);
    writeFileSync(join(home, "config.yaml"), config);
    const host = `127.0.0.1:${port}`;
    const code = async (headers: Record<string, string>) => {
      const request = { port, method: "POST", path: "/api/v1/inbound/relay", body: "{}" };
      return JSON.parse((await ask({ ...request, headers })).text).code;
    };
    assert.equal(await code({ host, ...signed("msg_1", "{}", "other") }), "SWARM_INBOUND_REFUSED");
    assert.equal(await code({ host: "evil.example", ...signed("msg_1", "{}") }), "SWARM_HOST_REFUSED");
    const page = { host, origin: "https://evil.example", ...signed("msg_1", "{}") };
    assert.equal(await code(page), "SWARM_ORIGIN_REFUSED");
  });

  test("that does not fit its event is refused, and may come again", async (t) => {
    const { call, runtime } = await opened(t, config);
    const body = '{"goal": "no task"}';
    const send = () => call<Problem>("POST", "/api/v1/inbound/tasks", body, signed("msg_1", body, "other"));
    assert.deepEqual([(await send()).status, (await send()).body.code], [400, "SWARM_PAYLOAD_INVALID"]);
    assert.equal(await runtime.store.inbound.isKnown("tasks", "msg_1"), false);
  });

  test("is refused when it is larger than a message", async (t) => {
    const { call } = await opened(t, config);
    const body = JSON.stringify({ message: "x".repeat(1024 * 1024) });
    const { status } = await call("POST", "/api/v1/inbound/relay", body, signed("msg_1", body));
    assert.equal(status, 413);
  });

  test("is told of when it is refused", async (t) => {
    const { call, refused } = await opened(t, config);
    await call("POST", "/api/v1/inbound/relay", "{}", signed("msg_1", "{ }"));
    await call("POST", "/api/v1/inbound/nobody", "{}", signed("msg_1", "{}"));
    assert.deepEqual(refused, ["SWARM_INBOUND_REFUSED", "SWARM_INBOUND_UNKNOWN"]);
  });
});
