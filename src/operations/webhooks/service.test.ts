import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Clock, systemClock } from "../../base/clock.ts";
import { targetOf } from "../../handlers/webhook/webhook-handler.ts";
import { type Network, systemNetwork } from "../../net/connect.ts";
import { RecordingNetwork } from "../../net/harness.cases.ts";
import { hostileAnswers, hostileUrls } from "../../net/hostile-urls.cases.ts";
import { sign, signingKeys, toleranceS } from "../../net/standard-webhooks.ts";
import { receiver, secret, until } from "./harness.cases.ts";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { openRuntime } from "../../daemon/runtime/runtime.ts";

/** A runtime whose user has this configuration. */
async function open(t: TestContext, config: string, network?: Network, clock: Clock = systemClock) {
  const folder = mkdtempSync(join(tmpdir(), "swarm-runtime-"));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  const file = join(home, "config.yaml");
  writeFileSync(file, config);
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const options = { home, cwd, env: process.env, log, clock, ...(network && { network }) };
  const runtime = await openRuntime(options);
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const emit = (data: object = { task_id: "t1" }) =>
    runtime.events.emit({ event: "task.completed", data, origin: { cwd } });
  const totals = () => runtime.store.outbox.totals();
  const settled = () => until(async () => (await totals()).pending === 0);
  const write = (text: string) => writeFileSync(file, text);
  return { runtime, options, emit, totals, settled, warnings, write };
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

test("an event of a hook and from a folder whose names are no text is queued as well, and fails no other", async (t) => {
  const config = `hooks:\n${webhook("i\\ud800t", "https://a.example")}`;
  const { runtime, options, emit, totals } = await open(t, config);
  const odd = runtime.events.emit({
    event: "task.completed",
    data: { task_id: "t2" },
    origin: { cwd: `${options.cwd}/\ud800` },
  });
  await Promise.all([emit(), odd, emit()]);
  assert.equal((await totals()).pending, 3);
});

test("a hook that has another address by now fails there, and holds up nobody at the old one", async (t) => {
  const [old, away] = [await receiver(t), await receiver(t, () => 503)];
  const config = (url: string) =>
    `hooks:\n${webhook("moves", url, ", allow_private: [loopback]")}${webhook("stays", old.url, ", allow_private: [loopback]")}`;
  const { runtime, emit, totals, write } = await open(t, config(old.url));
  for (const task_id of ["t1", "t2", "t3"]) await emit({ task_id });
  write(config(away.url));
  await emit({ task_id: "t4" });
  await runtime.webhooks.start();
  await until(async () => old.received.length === 4 && (await totals()).pending === 4);
  const pending = async () => (await runtime.store.outbox.list({ limit: 9, state: "pending" })).reverse();
  const target = targetOf(away.url);
  await until(async () => (await pending()).every((one) => one.target === target));
  assert.deepEqual(
    (await pending()).map(({ hook, body }) => [hook, JSON.parse(body).data.task_id]),
    ["t1", "t2", "t3", "t4"].map((id) => ["moves", id]),
  );
});

test("a project's broken file holds up neither the user's own webhooks there nor those of other projects", async (t) => {
  const there = await receiver(t);
  const config = `hooks:\n${webhook("it", there.url, ", allow_private: [loopback]")}`;
  const { runtime, options, emit, settled } = await open(t, config);
  const other = join(options.home, "../other");
  mkdirSync(other);
  // By somebody else: the daemon has never seen the file while it was good.
  const before = await openRuntime(options);
  await before.events.emit({ event: "task.completed", data: { task_id: "t0" }, origin: { cwd: other } });
  await before.close();
  writeFileSync(join(other, "swarm.yaml"), "hooks: [");
  await emit();
  await runtime.webhooks.start();
  await settled();
  assert.equal(there.received.length, 2);
});

test("a hook that is gone or disabled by then sends nothing any more, and it is told", async (t) => {
  const there = await receiver(t);
  const both = ["gone", "off"].map((name) => webhook(name, there.url, ", allow_private: [loopback]"));
  const { runtime, emit, settled, write, warnings } = await open(t, `hooks:\n${both.join("")}`);
  const off = runtime.projects.at().config.hooks.find(({ name }) => name === "off");
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

test("a hook without a secret is delivered unsigned, and the log says so once", async (t) => {
  const there = await receiver(t);
  const config = `hooks:\n${webhook("it", there.url, ", allow_private: [loopback]")}`;
  const { runtime, emit, settled, write, warnings } = await open(t, config);
  await emit();
  write(config.replace(`secret: ${secret}, `, ""));
  await emit();
  await runtime.webhooks.start();
  await settled();
  const names = there.received.map(({ headers }) => Object.keys(headers));
  assert.deepEqual(
    names.map((each) => each.filter((name) => name.startsWith("webhook-")).sort()),
    [
      ["webhook-id", "webhook-timestamp"],
      ["webhook-id", "webhook-timestamp"],
    ],
  );
  const unsigned = warnings.filter((line) => line.includes("unsigned"));
  assert.equal(unsigned.length, 1, unsigned.join("\n"));
  assert.match(
    unsigned[0] ?? "",
    /config\.yaml:2:\d+: hook it: it is sent unsigned: give it a secret, or say unsigned: true/,
  );
});

test("a project's hook that was changed sends nothing until somebody has approved it again", async (t) => {
  const [approved, there] = [await receiver(t), await receiver(t)];
  const { runtime, options, emit, settled } = await open(t, "hooks: []\n");
  const write = (url: string) =>
    writeFileSync(
      join(options.cwd, "swarm.yaml"),
      `hooks:\n${webhook("it", url, ", allow_private: [loopback]")}`,
    );
  write(approved.url);
  await approveProject(runtime, options.cwd);
  await emit();
  write(there.url);
  await runtime.webhooks.start();
  const first = async () => (await runtime.store.outbox.list({ limit: 9 }))[0];
  await until(async () => (await first())?.last_error !== null || there.received.length > 0);
  const { state, last_error } = (await first()) ?? assert.fail("nothing was queued");
  assert.deepEqual([state, last_error], ["pending", "its hook is not approved: run swarm trust"]);
  assert.deepEqual([approved.received.length, there.received.length], [0, 0]);
  await approveProject(runtime, options.cwd);
  await runtime.webhooks.stop();
  const later = { ...systemClock, now: () => systemClock.now() + 120_000 };
  const next = await openRuntime({ ...options, clock: later });
  t.after(() => next.close());
  await next.webhooks.start();
  await settled();
  assert.deepEqual([approved.received.length, there.received.length], [0, 1]);
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
  const { decision } = await runtime.events.emit({ event: "task.created", data: { task_id: "t1" } });
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

test("a message from elsewhere is remembered for as long as its signature is believed", async (t) => {
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs };
  const { runtime } = await open(t, `inbound: { relay: { secret: ${secret} } }\n`, undefined, clock);
  // By a clock that is as far ahead as may be.
  const signed = sign(signingKeys(secret), "msg_1", clock.now() + (toleranceS - 5) * 1_000, "{}");
  const header = (name: string) => (signed as unknown as Record<string, string>)[name];
  const receive = () => runtime.webhooks.receive({ source: "relay", header, body: Buffer.from("{}") });
  await receive();
  for (const replayed of [60, toleranceS, 2 * toleranceS - 30]) {
    shiftMs = replayed * 1_000;
    await runtime.expirePayloads();
    await assert.rejects(receive(), { code: "SWARM_INBOUND_REPLAYED" }, `after ${replayed} s`);
  }
  shiftMs = 2 * toleranceS * 1_000;
  await assert.rejects(receive(), { code: "SWARM_INBOUND_REFUSED" });
});
