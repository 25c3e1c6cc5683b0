import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { systemClock } from "../../base/clock.ts";
import { sign, signingKeys } from "../../net/standard-webhooks.ts";
import type { InboundChange } from "./port/inbound-store.ts";
import { Inbound, type Source } from "./inbound.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** A receiver, and what it has taken in; it remembers as a store does. */
function open(source: Partial<Source> = {}, emit?: () => Promise<void>) {
  const known = new Set<string>();
  const taken: { data: Record<string, unknown>; change: InboundChange }[] = [];
  const sources: Source[] = [
    { name: "relay", secret, previousSecret: null, event: "notification", ...source },
  ];
  const inbound = new Inbound<string>({
    store: { isKnown: async (from, id) => known.has(`${from} ${id}`), expire: async () => 0 },
    clock: systemClock,
    find: async (name) => sources.find((one) => one.name === name),
    async emit({ event }, data, change) {
      await emit?.();
      known.add(`${change.source} ${change.id}`);
      taken.push({ data, change });
      return event;
    },
  });
  return { inbound, taken };
}

function message(body: string, headers: object = {}, source = "relay") {
  const signed: Record<string, string> = {
    ...sign(signingKeys(secret), "msg_1", Date.now(), body),
    ...headers,
  };
  return { source, header: (name: string) => signed[name], body: Buffer.from(body) };
}

test("a message becomes an event, with its own fields", async () => {
  const { inbound, taken } = open();
  assert.equal(await inbound.receive(message('{"level": "warning", "title": "ü"}')), "notification");
  const [{ data, change } = assert.fail("nothing was taken in")] = taken;
  assert.deepEqual(data, {
    message: "webhook from relay",
    notification_type: "webhook",
    level: "warning",
    title: "ü",
  });
  assert.deepEqual([change.source, change.id], ["relay", "msg_1"]);
});

test("an envelope's data is the payload, and any other object is one itself", async () => {
  const { inbound, taken } = open({ event: "task.created" });
  const data = { task_id: "t1", goal: "g" };
  await inbound.receive(message(JSON.stringify({ event: "task.completed", id: "evt_1", data })));
  assert.deepEqual(taken[0]?.data, data);
  const other = open({ event: "task.created" });
  await other.inbound.receive(message(JSON.stringify(data)));
  assert.deepEqual(other.taken[0]?.data, data);
});

test("what the reference implementation signs is taken", async () => {
  const { inbound, taken } = open();
  const signature = new Webhook(secret).sign("msg_1", new Date(), "{}");
  await inbound.receive(message("{}", { "webhook-signature": signature }));
  assert.equal(taken.length, 1);
});

test("a message is taken once", async () => {
  const { inbound, taken } = open();
  await inbound.receive(message("{}"));
  await assert.rejects(inbound.receive(message("{}")), { code: "SWARM_INBOUND_REPLAYED" });
  assert.equal(taken.length, 1);
});

test("of copies that come at the same moment one is taken", async () => {
  const { inbound, taken } = open({}, () => new Promise((resolve) => setImmediate(resolve)));
  const ends = await Promise.allSettled(Array.from({ length: 5 }, () => inbound.receive(message("{}"))));
  assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal(taken.length, 1);
});

test("a copy that comes while the first is decided hears what became of it: if that failed, the copy is taken", async () => {
  const first = Promise.withResolvers<void>();
  let calls = 0;
  const { inbound, taken } = open({}, () => (++calls === 1 ? first.promise : Promise.resolve()));
  const ends = Promise.allSettled(Array.from({ length: 3 }, () => inbound.receive(message("{}"))));
  first.reject(new Error("the disk is full"));
  const statuses = (await ends).map((end) =>
    end.status === "fulfilled" ? "taken" : (end.reason.code ?? "failed"),
  );
  assert.deepEqual(statuses, ["failed", "taken", "SWARM_INBOUND_REPLAYED"]);
  assert.equal(taken.length, 1);
});

test("a message whose event could not be recorded may come again", async () => {
  let isBroken = true;
  const { inbound, taken } = open({}, async () => {
    if (isBroken) throw new Error("the disk is full");
  });
  await assert.rejects(inbound.receive(message("{}")), /full/);
  isBroken = false;
  await inbound.receive(message("{}"));
  assert.equal(taken.length, 1);
});

test("either key is taken while the sender changes from one to the other", async () => {
  const { inbound, taken } = open({ secret: "whsec_bmV3", previousSecret: secret });
  await inbound.receive(message("{}"));
  const headers = sign(signingKeys("whsec_bmV3"), "msg_2", Date.now(), "{}");
  await inbound.receive(message("{}", headers));
  assert.equal(taken.length, 2);
});

const refused: Readonly<Record<string, readonly [ReturnType<typeof message>, string]>> = {
  "another key": [
    message("{}", sign(signingKeys("whsec_b3RoZXI="), "msg_1", Date.now(), "{}")),
    "SWARM_INBOUND_REFUSED",
  ],
  "no signature": [message("{}", { "webhook-signature": undefined }), "SWARM_INBOUND_REFUSED"],
  "an old time": [
    message("{}", sign(signingKeys(secret), "msg_1", Date.now() - 600_000, "{}")),
    "SWARM_INBOUND_REFUSED",
  ],
  "another body": [{ ...message("{}"), body: Buffer.from("{ }") }, "SWARM_INBOUND_REFUSED"],
  "bytes that are not UTF-8": [
    { ...message("{}"), body: Buffer.from([0x7b, 0xff, 0x7d]) },
    "SWARM_INBOUND_REFUSED",
  ],
  "a byte order mark nobody signed": [
    { ...message("{}"), body: Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]) },
    "SWARM_INBOUND_REFUSED",
  ],
  "a source nobody knows": [message("{}", {}, "stranger"), "SWARM_INBOUND_UNKNOWN"],
  "no JSON": [message("{"), "SWARM_BODY_INVALID"],
  "no object": [message("[]"), "SWARM_BODY_INVALID"],
};

for (const [what, [sent, code]] of Object.entries(refused)) {
  test(`a message with ${what} is refused, and nothing is remembered of it`, async () => {
    const { inbound, taken } = open();
    await assert.rejects(inbound.receive(sent), { code });
    assert.deepEqual(taken, []);
    await inbound.receive(message("{}"));
    assert.equal(taken.length, 1);
  });
}
