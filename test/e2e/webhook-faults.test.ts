import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type SignedHeaders, sign, signingKeys } from "../../src/net/standard-webhooks.ts";
import { killSenders, queuedIds, WebhookReceiver, webhookConfig } from "../faults/webhooks.ts";
import { Place, type Up } from "./harness.ts";

/** However they fail, they end. */
const bounded = { timeout: 300_000 };

test(
  "1,000 events and 20 × kill -9: every one that was answered is delivered, duplicates have the same webhook-id",
  bounded,
  async (t) => {
    const { kills, acknowledged, arrived, duplicates } = await killSenders(t, 20, 1_000);
    assert.equal(kills, 20);
    assert.ok(acknowledged >= 1_000);
    t.diagnostic(`${acknowledged} acknowledged, ${arrived} arrived, ${duplicates} of them a second time`);
  },
);

function placeWith(t: TestContext, config: string): Place {
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.yaml"), config);
  return place;
}

async function untilSent(place: Place, { port }: Up): Promise<void> {
  for (;;) {
    const { body } = await place.call(port, "GET", "/api/v1/webhooks");
    if (body.pending === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test(
  "a receiver that is down, fails, and is there again: everything arrives, in order for each target",
  bounded,
  async (t) => {
    const receiver = new WebhookReceiver();
    const port = await receiver.listen();
    await receiver.close();
    const place = placeWith(t, webhookConfig(port, ["/a", "/b"]));
    const up = await place.up();
    const emit = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        const body = { event: "task.completed", data: { task_id: `t${at}` }, cwd: place.project };
        assert.equal((await place.call(up.port, "POST", "/api/v1/events", body)).status, 200);
      }
    };
    const failing = async (): Promise<boolean> => {
      const { body } = await place.call(up.port, "GET", "/api/v1/webhooks");
      const targets = body.targets as { failures: number }[];
      return body.open_targets === 2 && targets.every(({ failures }) => failures >= 2);
    };
    await emit(50);
    while (!(await failing())) await new Promise((resolve) => setTimeout(resolve, 20));
    receiver.status = 503;
    await receiver.listen(port);
    t.after(() => receiver.close());
    await emit(50);
    receiver.status = 204;
    await emit(50);
    await untilSent(place, up);
    for (const path of ["/a", "/b"]) {
      const arrived = receiver.arrived.filter((one) => one.path === path).map(({ id }) => id);
      assert.equal(arrived.length, 150);
      assert.deepEqual(arrived, queuedIds(place, `to${path.slice(1)}`));
    }
  },
);

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

function send(port: number, source: string, headers: SignedHeaders, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      method: "POST",
      path: `/api/v1/inbound/${source}`,
      agent: false,
    };
    const call = request({ ...options, headers: { ...headers } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("error", reject);
    call.end(body);
  });
}

test("replayed, stale and cross-key messages: none is accepted, across restarts", bounded, async (t) => {
  const config = `inbound: { relay: { secret: ${secret} }, other: { secret: whsec_b3RoZXI= } }\n`;
  const place = placeWith(t, config);
  const body = '{"message": "deployed"}';
  const of = (key: string, id: string, ageS = 0) =>
    sign(signingKeys(key), id, Date.now() - ageS * 1_000, body);
  const genuine = Array.from({ length: 20 }, (_, at) => of(secret, `msg_${at}`));
  const first = await place.up();
  for (const headers of genuine) assert.equal(await send(first.port, "relay", headers, body), 200);
  const attack = async (port: number): Promise<Record<string, number>> => {
    const statuses: Record<string, number> = {};
    const count = (status: number): void => {
      statuses[status] = (statuses[status] ?? 0) + 1;
    };
    for (const headers of genuine) count(await send(port, "relay", headers, body)); // replayed
    for (const headers of genuine) count(await send(port, "other", headers, body)); // meant for another
    for (const id of ["msg_a", "msg_b", "msg_c"]) {
      count(await send(port, "relay", of("whsec_b3RoZXI=", id), body)); // another's key
      count(await send(port, "relay", of(secret, id, 301), body)); // stale
      count(await send(port, "relay", of(secret, id, -310), body)); // from the future
      count(await send(port, "relay", of(secret, id), `${body} `)); // changed on its way
      count(await send(port, "relay", { ...of(secret, id), "webhook-id": `${id}2` }, body));
      count(await send(port, "relay", { ...of(secret, id), "webhook-signature": "v1," }, body));
    }
    return statuses;
  };
  const expected = { 401: 38, 409: 20 };
  assert.deepEqual(await attack(first.port), expected);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await place.up();
  assert.deepEqual(await attack(second.port), expected);
  second.child.kill();
  await second.ended;
  const third = await place.up();
  assert.deepEqual(await attack(third.port), expected);
  const { body: rows } = await place.call(third.port, "GET", "/api/v1/events?event=notification&limit=1000");
  assert.equal((rows.items as unknown[]).length, 20);
});
