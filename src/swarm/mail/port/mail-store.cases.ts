import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { append, entry, openOne, type PrepareStore } from "../../../store/port/store-harness.cases.ts";
import type { Store } from "../../../store/port/store.ts";
import { type Message, type MessageSent, mailLimits } from "./mail-store.ts";

const second = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

function sent(message_id: string, changes: Partial<Message> = {}, recipients = ["b"]): MessageSent {
  const message = {
    message_id,
    sender: "agent:a",
    sender_role: null,
    addressed_to: "agent:b",
    body: "hello",
    reply_to: null,
    sent_at: second(0),
    ...changes,
  };
  const at = Date.parse(message.sent_at);
  const rateSince = new Date(at - 60_000).toISOString();
  const forgetBefore = new Date(at - 86_400_000).toISOString();
  return { kind: "message_sent", message, recipients, rateSince, forgetBefore };
}

async function send(store: Store, ...given: Parameters<typeof sent>): Promise<void> {
  await append(store, [entry()], [sent(...given)]);
}

/** What every driver has to keep of messages. */
export function mailStoreCases(driver: string, prepare: PrepareStore): void {
  suite(`messages in ${driver}`, () => {
    test("a message is in each recipient's inbox, and read there once", async (t) => {
      const { mail, ...store } = await opened(t, prepare);
      await store.send("m1", { body: "é\u0000x" }, ["b", "c"]);
      await store.send("m2");
      assert.deepEqual(
        (await mail.unreadOf("b", 9)).map(({ message_id }) => message_id),
        ["m1", "m2"],
      );
      assert.deepEqual(
        await Promise.all([mail.read("m1", "b", second(1)), mail.read("m1", "b", second(2))]),
        [true, false],
      );
      assert.deepEqual((await mail.recipientsWithUnread()).sort(), ["b", "c"]);
      const [ofB, ofC] = await mail.find("m1");
      assert.partialDeepStrictEqual(ofB, { recipient: "b", read_at: second(1), body: "é\u0000x" });
      assert.partialDeepStrictEqual(ofC, { recipient: "c", read_at: null, acked_at: null });
      await mail.ack("m1", "c", second(3));
      await mail.ack("m1", "c", second(4));
      assert.partialDeepStrictEqual((await mail.find("m1"))[1], { read_at: second(3), acked_at: second(3) });
      const listed = await mail.list({ recipient: "b", limit: 9 });
      assert.deepEqual(
        listed.map(({ message_id }) => message_id),
        ["m2", "m1"],
      );
      assert.equal((await mail.list({ recipient: "b", isUnread: true, limit: 9 })).length, 1);
      assert.equal((await mail.list({ limit: 9, beforeSeq: listed[0]?.seq })).length, 2);
    });

    test("a sender over its limit sends nothing, and may again a minute later", async (t) => {
      const { mail, send } = await opened(t, prepare);
      for (let at = 0; at < mailLimits.perMinute; at++) await send(`m${at}`, {}, [`to${at}`]);
      await assert.rejects(send("more", {}, ["x"]), { code: "SWARM_MAIL_RATE" });
      assert.deepEqual(await mail.unreadOf("x", 9), []);
      await send("other", { sender: "agent:z" }, ["x"]);
      await send("swarm", { sender: "swarm" }, ["x"]);
      await send("later", { sent_at: second(60) }, ["x"]);
      assert.equal((await mail.unreadOf("x", 9)).length, 3);
    });

    test("a full inbox refuses a message to all, and the swarm's own is left out of it alone", async (t) => {
      const { mail, send } = await opened(t, prepare);
      for (let at = 0; at < mailLimits.unread; at++) await send(`m${at}`, { sender: `agent:${at}` });
      await assert.rejects(send("more", {}, ["c", "b"]), { code: "SWARM_MAIL_INBOX_FULL", message: /"b"/ });
      assert.deepEqual([await mail.find("more"), await mail.unreadOf("c", 9)], [[], []]);
      await send("swarm", { sender: "swarm" }, ["b", "c"]);
      assert.deepEqual(
        (await mail.find("swarm")).map(({ recipient }) => recipient),
        ["c"],
      );
      await mail.read("m0", "b", second(1));
      await send("more", {}, ["c", "b"]);
    });

    test("old messages are forgotten with their inboxes", async (t) => {
      const { mail, send } = await opened(t, prepare);
      await send("m1");
      await send("m2", { sent_at: second(90_000) });
      assert.deepEqual(
        (await mail.unreadOf("b", 9)).map(({ message_id }) => message_id),
        ["m2"],
      );
    });
  });
}

async function opened(t: Parameters<typeof openOne>[0], prepare: PrepareStore) {
  const store = await openOne(t, prepare);
  return { mail: store.mail, send: (...given: Parameters<typeof sent>) => send(store, ...given) };
}
