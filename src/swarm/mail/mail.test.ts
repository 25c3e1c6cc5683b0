import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmBench } from "../harness.cases.ts";

const wish = { actor: "human:ann", cwd: "/p" };

async function crew(t: ConstructorParameters<typeof SwarmBench>[0]) {
  const bench = new SwarmBench(t);
  const { agents, mail } = bench.swarm;
  await agents.register({ ...wish, agent_id: "a", role: "backend" });
  await agents.register({ ...wish, agent_id: "b", role: "backend" });
  await agents.register({ ...wish, agent_id: "boss", kind: "lead" });
  const send = (sender: string, to: string, body = "hello") => mail.send({ sender, to, body });
  return { bench, agents, mail, send };
}

test("a message goes to an agent, to the others of a role or to the lead, with a row each", async (t) => {
  const { bench, send } = await crew(t);
  assert.deepEqual((await send("agent:a", "agent:b")).recipients, ["b"]);
  assert.deepEqual((await send("agent:a", "role:backend")).recipients, ["b"]);
  assert.deepEqual((await send("human:ann", "role:backend")).recipients.toSorted(), ["a", "b"]);
  assert.deepEqual((await send("agent:a", "lead")).recipients, ["boss"]);
  const rows = (await bench.rows()).filter(({ event }) => event === "mail.sent");
  assert.deepEqual(
    rows.map(({ actor, agent, reason }) => [actor, agent, reason]),
    [
      ["agent:a", "a", "message to agent:b: 1 agent"],
      ["agent:a", "a", "message to role:backend: 1 agent"],
      ["human:ann", null, "message to role:backend: 2 agents"],
      ["agent:a", "a", "message to lead: 1 agent"],
    ],
  );
  const payload = await bench.store.findPayload(rows[0]?.seq ?? 0);
  assert.match(payload?.after ?? "", /"body":"hello"/);
});

test("what cannot be sent is refused, and nothing of it is kept", async (t) => {
  const { bench, agents, mail, send } = await crew(t);
  await agents.kill("boss", "human:ann", "enough");
  for (const to of ["agent:nobody", "agent:boss", "lead", "role:ops", "role:", "everybody", "agent:a b"])
    await assert.rejects(send("agent:a", to), { code: "SWARM_MAIL_ADDRESS" }, to);
  for (const body of ["", "é".repeat(8_193)])
    await assert.rejects(send("agent:a", "agent:b", body), { code: "SWARM_MAIL_TOO_LARGE" });
  const reply = mail.send({ sender: "agent:a", to: "agent:b", body: "x", reply_to: "msg_none" });
  await assert.rejects(reply, { code: "SWARM_MAIL_UNKNOWN" });
  assert.deepEqual(await mail.list({ limit: 9 }), []);
  assert.equal((await bench.rows()).filter(({ event }) => event === "mail.sent").length, 0);
  await send("agent:a", "agent:b", "é".repeat(8_192));
});

test("a message is delivered once: by the context, or because the agent asked", async (t) => {
  const { mail, send } = await crew(t);
  const { message_id } = await send("agent:a", "agent:b");
  assert.equal(await mail.deliver("a", 10_000), null);
  const delivery = await mail.deliver("b", 10_000);
  assert.deepEqual(delivery?.messageIds, [message_id]);
  assert.match(delivery?.text ?? "", /^Message from agent a \(role backend\)[^\n]*\n\| hello\nEnd of /);
  assert.deepEqual([await mail.deliver("b", 10_000), await mail.read("b", 9)], [null, []]);
  const second = await send("agent:a", "agent:b", "again");
  assert.deepEqual(
    (await mail.read("b", 9)).map(({ body }) => body),
    ["again"],
  );
  assert.equal(await mail.deliver("b", 10_000), null);
  assert.equal((await mail.ack("b", second.message_id)).acked_at, second.sent_at);
  await assert.rejects(mail.ack("a", second.message_id), { code: "SWARM_MAIL_UNKNOWN" });
});

test("a context takes a few messages at a time, the next event the others, and one without room none", async (t) => {
  const { mail, send } = await crew(t);
  for (let at = 0; at < 7; at++) await send("agent:a", "agent:b", `no. ${at}`);
  assert.equal(await mail.deliver("b", 100), null);
  assert.equal((await mail.deliver("b", 10_000))?.messageIds.length, 5);
  assert.equal((await mail.deliver("b", 10_000))?.messageIds.length, 2);
  for (let at = 0; at < 3; at++) await send("agent:a", "agent:b", "\u0001".repeat(16_384));
  for (const count of [1, 1, 1]) {
    const delivery = await mail.deliver("b", 10_000);
    assert.equal(delivery?.messageIds.length, count);
    assert.ok((delivery?.text.length ?? 0) <= 8_000);
    assert.match(delivery?.text ?? "", /\n\(The rest: swarm mail read msg_\d+\)\nEnd of/);
  }
});

test("what was unread is delivered after a restart", async (t) => {
  const { bench, send } = await crew(t);
  await send("agent:a", "agent:b");
  const again = new SwarmBench(t, bench.store.url.replace("sqlite:", ""));
  assert.equal(await again.swarm.mail.deliver("b", 10_000), null, "not loaded yet");
  await again.swarm.mail.load();
  assert.equal((await again.swarm.mail.deliver("b", 10_000))?.messageIds.length, 1);
});
