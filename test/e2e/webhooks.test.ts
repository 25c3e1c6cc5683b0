import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { WebhookReceiver, webhookConfig } from "../faults/webhooks.ts";
import { Place, until } from "./harness.ts";

async function receiving(t: TestContext) {
  const receiver = new WebhookReceiver();
  const port = await receiver.listen();
  t.after(() => receiver.close());
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.yaml"), webhookConfig(port, ["/a"]));
  return { receiver, place, port };
}

const emit = ["emit", "task.completed", "--data", '{"task_id": "t1"}'];

test("without a daemon events are queued, everybody says so, and the next daemon sends them", async (t) => {
  const { receiver, place } = await receiving(t);
  const { stdout } = await place.swarm(...emit);
  assert.match(stdout, /^webhooks: 1 queued; the daemon, once it runs \(swarm up\), sends it$/m);
  const input = ["task.completed", "--input", '{"task_id": "t2"}'];
  const unsent = await place.swarm("hooks", "test", ...input);
  assert.match(unsent.stdout, /skipped +none .* a test sends nothing; with --send it is sent$/m);
  assert.doesNotMatch(unsent.stdout, /queued/);
  const tested = await place.swarm("hooks", "test", ...input, "--send");
  assert.match(tested.stdout, /^webhooks: 1 queued; the daemon, once it runs \(swarm up\), sends it$/m);
  const listed = await place.swarm("webhooks", "deliveries");
  assert.match(listed.stdout, /pending ones are sent by the daemon: start it with swarm up\n$/);
  const newest = await place.swarm("webhooks", "deliveries", "--limit", "1");
  const [, cursor = ""] = /^more: --cursor (\d+)$/m.exec(newest.stdout) ?? [];
  const oldest = await place.swarm("webhooks", "deliveries", "--cursor", cursor);
  assert.match(oldest.stdout, /^\S+ +pending +0 +task\.completed /m);
  assert.doesNotMatch(oldest.stdout, /^more:/m);
  const findings = await place.doctor();
  assert.deepEqual(
    findings.filter(({ about }) => about === "webhooks"),
    [{ level: "note", about: "webhooks", finding: "2 deliveries wait for the daemon" }],
  );
  assert.equal(receiver.arrived.length, 0);
  await place.up();
  await until(() => receiver.arrived.length === 2);
  assert.match((await place.swarm(...emit)).stdout, /^webhooks: 1 queued; the daemon sends it$/m);
  await until(() => receiver.arrived.length === 3);
});

test("an agent's call without a daemon queues as well", async (t) => {
  const { receiver, place, port } = await receiving(t);
  const config = webhookConfig(port, ["/a"]).replace("task.completed", "tool.before");
  writeFileSync(join(place.home, "config.yaml"), config);
  const client = place.start(process.execPath, [
    join(import.meta.dirname, "../../bin/swarm"),
    "hook",
    "claude-code",
  ]);
  const call = {
    session_id: "s",
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_use_id: "u",
  };
  client.stdin?.end(JSON.stringify({ ...call, transcript_path: "", tool_input: { command: "ls" } }));
  await once(client, "exit");
  await place.up();
  await until(() => receiver.arrived.length === 1);
});

test("what was given up is listed, told of, and sent again under its own id", async (t) => {
  const { receiver, place } = await receiving(t);
  receiver.status = 410;
  await place.up();
  await place.swarm(...emit);
  type Listed = { items: { id: string; state: string; last_error: string }[] };
  const dead = async () => (await place.json<Listed>("webhooks", "deliveries", "--state", "dead")).items;
  while ((await dead()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const [{ id, last_error } = assert.fail("nothing was given up")] = await dead();
  assert.equal(last_error, "status 410");
  const rows = await place.json<{ items: { reason: string }[] }>("audit", "log", "--event", "hook.failed");
  assert.equal(rows.items.length, 1);
  const table = await place.swarm("webhooks", "deliveries", "--hook", "toa");
  assert.match(table.stdout, new RegExp(`dead +1 +task\\.completed +toa +${id} +status 410`));
  receiver.status = 204;
  // Named twice it is still one.
  const replayed = await place.swarm("webhooks", "replay", "--dead", id, id);
  assert.equal(replayed.stdout, `${id}\n1 will be sent again\n`, replayed.stderr);
  await until(() => receiver.arrived.length === 1);
  assert.equal(receiver.arrived[0]?.id, id);
  assert.equal((await place.swarm("webhooks", "replay", "--dead")).stdout, "nothing was given up\n");
  const unknown = await place.swarm("webhooks", "replay", "msg_none");
  assert.deepEqual(
    [unknown.status, unknown.stderr],
    [64, 'swarm: there is no delivery "msg_none" [SWARM_DELIVERY_UNKNOWN]\n'],
  );
});

test("a test of a webhook tells how it was answered, without a daemon and with one", async (t) => {
  const { receiver, place } = await receiving(t);
  const fine = await place.swarm("webhooks", "test", "toa");
  assert.equal(fine.status, 0);
  assert.match(fine.stdout, /^delivered: status 204, \d+ ms\n$/);
  await place.up();
  receiver.status = 500;
  const failed = await place.swarm("webhooks", "test", "toa");
  assert.equal(failed.status, 1);
  assert.match(failed.stdout, /^not delivered: status 500, \d+ ms\n$/);
  assert.equal((await place.swarm("webhooks", "test")).status, 64);
});

test("a new webhook's receiver gets what is sent to it", async (t) => {
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  const args = ["hooks", "new", "task.completed", "--kind", "webhook", "--name", "notify"];
  const { entry } = await place.json<{ entry: string }>(...args);
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const receiver = place.start(process.execPath, ["hooks/notify.mjs"], { PORT: "0", WEBHOOK_SECRET: secret });
  const lines = createInterface({ input: receiver.stdout ?? process.stdin });
  const [line] = await once(lines, "line");
  const own = entry
    .replace(/http:\/\/[^\s]+/, String(line).replace("listening on ", ""))
    .replace("# secret:", "secret:");
  writeFileSync(join(place.home, "config.yaml"), `env: { allow: [WEBHOOK_SECRET] }\nhooks:\n${own}`);
  Object.assign(place.env, { WEBHOOK_SECRET: secret });
  const tested = await place.swarm("webhooks", "test", "notify");
  assert.match(tested.stdout, /^delivered: /);
  await place.up();
  const received = once(lines, "line");
  await place.swarm(...emit);
  assert.match(String((await received)[0]), /^received task\.completed evt_/);
});

test("a webhook without a secret is queued unsigned, and list, trust and doctor say so", async (t) => {
  const place = new Place(t);
  const hook = "{ event: task.completed, type: webhook, name: bare, url: 'https://a.example/' }";
  place.write("swarm.yaml", `hooks: [${hook}]\n`);
  const warning = "it is sent unsigned: give it a secret, or say unsigned: true";
  const { stdout } = await place.swarm("trust", "--show");
  await place.trust();
  assert.match(stdout, new RegExp(`note: ${warning}`));
  const { handlers } = await place.json<{ handlers: { status: string; reason: string | null }[] }>(...emit);
  assert.deepEqual(
    handlers.map(({ status, reason }) => [status, reason]),
    [["completed", null]],
  );
  const listed = await place.swarm("hooks", "list");
  assert.match(listed.stdout, new RegExp(`warning: bare: ${warning}`));
  const findings = (await place.doctor()).filter(({ about }) => about === "bare");
  assert.ok(findings.some(({ level, finding }) => level === "note" && finding === warning));
});

test("PagerDuty's routing key is in what is sent, and nowhere in what is kept of it until then", async (t) => {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(JSON.parse(body));
      response.writeHead(202).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  const key = "R0UT1NGKEY0123456789abcdefabcdef";
  const at = `url: "http://127.0.0.1:${port}/v2/enqueue", allow_private: [loopback]`;
  writeFileSync(
    join(place.home, "config.yaml"),
    `hooks:\n  - { event: task.completed, type: webhook, name: page, match: "*", format: pagerduty, routing_key: "${key}", ${at} }\n`,
  );
  await place.swarm(...emit);
  const files = readdirSync(place.home, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.startsWith("swarm.db") || name.startsWith("journal"),
  );
  assert.ok(files.includes("swarm.db"));
  for (const name of files) {
    const path = join(place.home, name);
    if (statSync(path).isFile()) assert.equal(readFileSync(path).includes(key), false, name);
  }
  await place.up();
  await until(() => bodies.length === 1);
  assert.equal((await place.swarm("webhooks", "test", "page")).status, 0);
  for (const body of bodies) {
    const { routing_key, event_action, payload } = body as { [key: string]: Record<string, unknown> };
    assert.deepEqual([routing_key, event_action, payload?.severity], [key, "trigger", "warning"]);
    assert.match(String(payload?.summary), /^(task\.completed: t1 · cli in .*|webhook\.test( · .*\w)?$)/);
  }
  assert.equal(bodies.length, 2);
  const { items } = await place.json<{ items: { id: string }[] }>("webhooks", "deliveries");
  assert.equal(JSON.stringify(items).includes(key), false);
});
