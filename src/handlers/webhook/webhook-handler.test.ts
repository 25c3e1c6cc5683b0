import assert from "node:assert/strict";
import { test } from "node:test";
import { openHooks } from "../../engine/hooks/create-hooks.ts";
import type { NewDelivery } from "../../operations/webhooks/port/outbox-store.ts";
import { type WebhookSpec, webhookHandler } from "./webhook-handler.ts";

const spec = { id: "hook_1", name: "notify", url: "https://a.example/hunter2" };

/** Emits one event to a webhook and returns what was queued, and what its record says. */
async function queued(data: object, more: Partial<WebhookSpec> = {}) {
  const { hooks, register } = openHooks({ trace: true, log: { warn: () => undefined } });
  const all: { eventId: string; delivery: NewDelivery }[] = [];
  const handler = webhookHandler({ ...spec, ...more }, (eventId, delivery) =>
    all.push({ eventId, delivery }),
  );
  register("task.completed", { name: "notify", mode: "observe", takesNote: true }, handler, "webhook");
  const outcome = await hooks.emit("task.completed", data as never, { cwd: "/w", session: "s" });
  await hooks.close();
  return { outcome, all };
}

test("an event becomes a delivery with the envelope as its body", async () => {
  const data = { task_id: "t1", summary: "done", tokens_used: 45_000 };
  const { outcome, all } = await queued(data);
  const [{ eventId, delivery } = assert.fail("nothing was queued")] = all;
  const { id, body, created_at_ms, target, ...rest } = delivery;
  assert.deepEqual([all.length, eventId], [1, outcome.id]);
  assert.deepEqual(rest, {
    event: "task.completed",
    event_id: outcome.id,
    hook_id: "hook_1",
    hook: "notify",
    cwd: "/w",
  });
  assert.match(id, /^msg_\w{29}$/);
  const { timestamp, ...message } = JSON.parse(body);
  assert.equal(timestamp * 1000, created_at_ms);
  assert.deepEqual(
    [message.event, message.id, message.session, message.data],
    ["task.completed", outcome.id, "s", data],
  );
  assert.equal(outcome.handlers[0]?.status, "completed");
});

test("what goes to the same address has the same target, and the address cannot be read from it", async () => {
  const targets = [];
  for (const url of [spec.url, spec.url, `${spec.url}?b`]) {
    const { all } = await queued({ task_id: "t1" }, { url });
    targets.push(all[0]?.delivery.target ?? "");
  }
  assert.equal(targets[0], targets[1]);
  assert.notEqual(targets[0], targets[2]);
  assert.match(targets[0] ?? "", /^tgt_[0-9a-f]{16}$/);
});

test("secrets in a payload are neither kept nor sent", async () => {
  const { all } = await queued({ task_id: "t1", summary: "used Bearer abcdefgh12345", api_key: "hunter2" });
  assert.doesNotMatch(all[0]?.delivery.body ?? "", /abcdefgh12345|hunter2/);
});

test("a time from 2038 on is kept in whole milliseconds, as the store wants it", () => {
  const all: NewDelivery[] = [];
  const handler = webhookHandler(spec, (_eventId, delivery) => all.push(delivery));
  const times = Array.from({ length: 100 }, (_, at) => 2_147_483_648_000 + at);
  for (const timeMs of times) {
    const call = {
      id: "evt_1",
      event: "task.completed",
      origin: {},
      envelope: () => ({ timestamp: timeMs / 1000 }),
    };
    handler({}, call as never);
  }
  assert.deepEqual(
    all.map(({ created_at_ms }) => created_at_ms),
    times,
  );
});
