import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Network, systemNetwork } from "../net/connect.ts";
import { RecordingNetwork } from "../net/harness.cases.ts";
import { hostileAnswers, hostileUrls } from "../net/hostile-urls.cases.ts";
import { receiver, secret, until } from "../webhooks/harness.cases.ts";
import { Runtime } from "./runtime.ts";

/** A runtime whose user has this configuration. */
async function open(t: TestContext, config: string, network?: Network) {
  const folder = mkdtempSync(join(tmpdir(), "swarm-runtime-"));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  const file = join(home, "config.yaml");
  writeFileSync(file, config);
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const runtime = await Runtime.open({ home, cwd, env: process.env, log, ...(network && { network }) });
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const emit = (data: object = { task_id: "t1" }) => runtime.emit("task.completed", data, { cwd });
  const totals = () => runtime.store.outbox.totals();
  const settled = () => until(async () => (await totals()).pending === 0);
  return { runtime, emit, totals, settled, warnings, write: (text: string) => writeFileSync(file, text) };
}

const webhook = (name: string, url: string, more = "") =>
  `  - { event: task.completed, type: webhook, name: "${name}", url: "${url}", secret: ${secret}${more} }\n`;

test(`webhooks to ${hostileUrls.length} hostile addresses and ${hostileAnswers.length} names that lead inside: nothing is dialled`, async (t) => {
  const names = hostileAnswers.map((_, at) => `https://name-${at}.example/`);
  const network = new RecordingNetwork((host) => hostileAnswers[Number(/\d+/.exec(host)?.[0])] ?? []);
  const hooks = [...hostileUrls, ...names].map((url, at) => webhook(`h${at}`, url, ", retry: 0"));
  const { runtime, emit, settled, totals } = await open(t, `hooks:\n${hooks.join("")}`, network);
  await emit();
  assert.equal((await totals()).pending, hooks.length);
  await runtime.webhooks.start();
  await settled();
  assert.deepEqual(network.dialled, []);
  assert.equal((await totals()).dead, hooks.length);
  const dead = await runtime.store.outbox.list({ limit: 100 });
  for (const { last_error } of dead) assert.match(last_error ?? "", /may not connect to/);
});

test("a name that is pointed inside after it was checked is not followed there", async (t) => {
  const there = await receiver(t);
  const { port } = new URL(there.url);
  let asked = 0;
  const network: Network = {
    // The public address first, then loopback, as a rebinding server answers.
    resolve: async () => (asked++ % 2 === 0 ? ["93.184.215.14"] : ["127.0.0.1"]),
    dial: (target) => {
      assert.deepEqual(target.addresses, ["93.184.215.14"]);
      return systemNetwork.dial({ ...target, addresses: ["127.0.0.1"], host: "127.0.0.1" });
    },
  };
  const config = `hooks:\n${webhook("it", `http://rebind.example:${port}/`, ", retry: 3")}`;
  const { runtime, emit, settled, totals } = await open(t, config, network);
  await emit();
  await runtime.webhooks.start();
  await settled();
  assert.deepEqual([(await totals()).dead, there.received.length], [1, 0]);
});

test("a delivery goes where its hook points when it is sent, signed with the secret of then", async (t) => {
  const [before, after] = [await receiver(t), await receiver(t)];
  const config = (url: string) => `hooks:\n${webhook("it", url, ", allow_private: [loopback]")}`;
  const { runtime, emit, settled, write } = await open(t, config(before.url));
  await emit();
  write(config(after.url));
  await runtime.webhooks.start();
  await settled();
  assert.deepEqual([before.received.length, after.received.length], [0, 1]);
});

test("a hook that is gone or disabled by then sends nothing any more, and it is told", async (t) => {
  const there = await receiver(t);
  const both = ["gone", "off"].map((name) => webhook(name, there.url, ", allow_private: [loopback]"));
  const { runtime, emit, settled, write, warnings } = await open(t, `hooks:\n${both.join("")}`);
  const off = runtime.project().config.hooks.find(({ name }) => name === "off");
  await emit();
  write(`hooks:\n${both[1]}`);
  await runtime.switches.set(off?.id ?? "", false, "off", "human:ann");
  await runtime.webhooks.start();
  await settled();
  const dead = await runtime.store.outbox.list({ limit: 9, state: "dead" });
  assert.deepEqual(dead.map(({ hook, last_error }) => [hook, last_error]).sort(), [
    ["gone", "its hook is not configured any more"],
    ["off", "its hook is not in force"],
  ]);
  assert.equal(there.received.length, 0);
  await until(() => warnings.filter((line) => /gave up delivery/.test(line)).length === 2);
});

test("what is given up is an event, and an event about that is not", async (t) => {
  const there = await receiver(t, () => 410);
  const failed = `  - { event: hook.failed, type: webhook, name: on-failed, url: "${there.url}", secret: ${secret}, allow_private: [loopback] }\n`;
  const config = `hooks:\n${webhook("it", there.url, ", allow_private: [loopback]")}${failed}`;
  const { runtime, emit, totals } = await open(t, config);
  await emit();
  await runtime.webhooks.start();
  await until(async () => (await totals()).dead === 2);
  await runtime.webhooks.stop();
  const rows = await runtime.store.listRunEvents({ limit: 9, event: "hook.failed" });
  assert.equal(rows.length, 1);
  assert.deepEqual(
    there.received.map(({ body }) => JSON.parse(body).event),
    ["task.completed", "hook.failed"],
  );
});

test("a denied action is not sent, unless the hook asks for that", async (t) => {
  const deny = "  - { event: task.created, type: command, command: 'exit 2' }\n";
  const to = (name: string, more: string) =>
    `  - { event: task.created, type: webhook, name: ${name}, url: "https://a.example", secret: s${more} }\n`;
  const { runtime, totals } = await open(t, `hooks:\n${deny}${to("a", "")}${to("b", ", on_denied: true")}`);
  const { decision } = await runtime.emit("task.created", { task_id: "t1" });
  assert.equal(decision.verdict, "deny");
  assert.equal((await totals()).pending, 1);
  const [delivery] = await runtime.store.outbox.list({ limit: 9 });
  assert.equal(delivery?.hook, "b");
});

test("deliveries that ended long ago are forgotten with their payloads, and that is recorded", async (t) => {
  const there = await receiver(t);
  const config = `audit: { payload_retention_days: 0 }\nhooks:\n${webhook("it", there.url, ", allow_private: [loopback]")}`;
  const { runtime, emit, settled } = await open(t, config);
  await emit();
  await runtime.webhooks.start();
  await settled();
  await until(async () => (await runtime.store.listRunEvents({ limit: 9, kind: "outcome" })).length === 1);
  await new Promise((resolve) => setTimeout(resolve, 2)); // the clock is past it
  await runtime.expirePayloads();
  assert.deepEqual(await runtime.store.outbox.list({ limit: 9 }), []);
  const [row] = await runtime.store.listRunEvents({ limit: 1, event: "payloads.expired" });
  assert.match(row?.reason ?? "", /payloads and 1 deliveries from before/);
});
