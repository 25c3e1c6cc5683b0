import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import {
  type ApproverAction,
  changeText,
  type DecisionMessage,
  decisionText,
  subjectToSign,
} from "./message.ts";
import { makeKey, signWith } from "./sign.ts";
import { storedRecord } from "../../record/audit/stored-record.ts";
import { verifyRecord } from "../../record/audit/verify.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { questionOf } from "../approvals/question.ts";
import { openRuntime, type Runtime } from "../../daemon/runtime/runtime.ts";

const rules = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;
const required = `approvals: { require: person }\n${rules}`;
const [ada, eve] = [makeKey("ada"), makeKey("eve")];
type Made = typeof ada;

/** A home with this config.yaml; `open` opens it again, as another process would. */
async function place(t: TestContext, config: string) {
  const folder = mkdtempSync(join(tmpdir(), "swarm-approvers-"));
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  const write = (text: string) => writeFileSync(join(home, "config.yaml"), text);
  write(config);
  const opened: Runtime[] = [];
  const warnings: string[] = [];
  const open = async () => {
    const log = { warn: (message: string) => void warnings.push(message) };
    const runtime = await openRuntime({ home, cwd, env: process.env, log });
    opened.push(runtime);
    return runtime;
  };
  t.after(async () => {
    for (const runtime of opened) await runtime.close();
    rmSync(folder, { recursive: true });
  });
  const runtime = await open();
  const writeProject = (text: string) => writeFileSync(join(cwd, "swarm.yaml"), text);
  const ask = (command = "git push", by = runtime): Promise<Outcome> =>
    by.events.emit({
      event: "tool.before",
      data: { tool_name: "Bash", tool_input: { command } },
      origin: { cwd, session: "s1" },
    });
  /** As somebody who can write the database file does. */
  const edit = (...statements: string[]) => {
    const database = new DatabaseSync(join(home, "swarm.db"));
    for (const statement of statements) database.exec(statement);
    database.close();
  };
  return { runtime, open, cwd, ask, write, writeProject, edit, warnings };
}

async function addKey({ approvers }: Runtime, { key }: Made): Promise<void> {
  assert.equal(await approvers.propose({ action: "add", key }, "human:ada"), null);
}

async function signChange(
  { approvers }: Runtime,
  change: ApproverAction,
  by: Made,
  decidedAt = new Date().toISOString(),
): Promise<void> {
  const waiting = (await approvers.propose(change, "human:ada")) ?? assert.fail("it was free");
  const text = changeText({ revision: waiting.revision, change, decided_at: decidedAt, key_id: by.key.id });
  await approvers.confirm(waiting.id, decidedAt, signWith(by.privateKey, by.key.id, text), "human:ada");
}

/** A yes signed by a key, as the command line makes it; `given` is what is sent instead of what was signed. */
async function sign(runtime: Runtime, id: string, by: Made, given: Partial<DecisionMessage> = {}) {
  const approval = (await runtime.store.approvals.find(id)) ?? assert.fail();
  const message: DecisionMessage = {
    approval_id: id,
    challenge: approval.intent_id,
    digest: approval.digest,
    subject_sha256: hash("sha256", subjectToSign(JSON.parse(approval.subject)), "hex"),
    decision: "approved",
    comment: null,
    decided_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 60_000).toISOString(),
    key_id: by.key.id,
    ...given,
  };
  const { decided_at, expires_at } = message;
  return { ...signWith(by.privateKey, by.key.id, decisionText(message)), decided_at, expires_at };
}

const idOf = ({ approval }: Outcome) => approval?.id ?? assert.fail("nothing was asked");
const needsPerson = { code: "SWARM_APPROVAL_NEEDS_PERSON" };

suite("approvals that take a person's key", () => {
  test("are given by a signature, used once, and say in the record whose it was", async (t) => {
    const { runtime, ask } = await place(t, required);
    await addKey(runtime, ada);
    const asked = await ask();
    // Not `ask`: an agent would have its own prompt answered.
    assert.equal(asked.decision.verdict, "deny");
    assert.match(asked.decision.reason ?? "", /swarm approvals approve apr_/);
    const id = idOf(asked);
    const signed = await sign(runtime, id, ada, { comment: "release day" });
    await runtime.approvals.decide(id, "approved", "human:ada", "release day", signed);
    assert.equal((await ask()).decision.verdict, "allow");
    assert.notEqual(idOf(await ask()), id);
    const [row] = await runtime.store.listRunEvents({ limit: 1, kind: "outcome" });
    const payload = await runtime.store.findPayload(row?.seq ?? 0);
    const { signed: message, proof } = JSON.parse(payload?.after ?? "{}");
    assert.deepEqual(
      [message.approval_id, proof.key_id, proof.signature],
      [id, ada.key.id, signed.signature],
    );
  });

  test("are not given without one, and a no needs none", async (t) => {
    const { runtime, ask } = await place(t, required);
    const id = idOf(await ask());
    await assert.rejects(runtime.approvals.decide(id, "approved", "human:ada", null), needsPerson);
    await addKey(runtime, ada);
    await assert.rejects(runtime.approvals.decide(id, "approved", "agent:codex", null), needsPerson);
    const [row] = await runtime.store.listRunEvents({ limit: 1, event: "approval.refused" });
    assert.deepEqual([row?.actor, row?.reason], ["agent:codex", `${id} does not count: it has no signature`]);
    await runtime.approvals.decide(id, "denied", "agent:codex", null);
    assert.equal((await ask()).decision.verdict, "deny");
  });

  test("take no signature of a stranger, another approval, another reason, another time or what was not shown", async (t) => {
    const { runtime, ask } = await place(t, required);
    await addKey(runtime, ada);
    const [id, other] = [idOf(await ask()), idOf(await ask("git push two"))];
    const later = new Date(Date.now() + 30_000).toISOString();
    const wrong = [
      await sign(runtime, id, eve),
      { ...(await sign(runtime, id, eve)), key_id: ada.key.id },
      await sign(runtime, other, ada),
      await sign(runtime, id, ada, { comment: "another reason" }),
      { ...(await sign(runtime, id, ada)), decided_at: later },
      { ...(await sign(runtime, id, ada)), expires_at: later },
      await sign(runtime, id, ada, { subject_sha256: "0".repeat(64) }),
      await sign(runtime, id, ada, { digest: "0".repeat(64) }),
      await sign(runtime, id, ada, { challenge: "evt_1" }),
      await sign(runtime, id, ada, { approval_id: other }),
      await sign(runtime, id, ada, {
        decided_at: new Date(Date.now() - 120_000).toISOString(),
        expires_at: new Date(Date.now() - 60_000).toISOString(),
      }),
      await sign(runtime, id, ada, { decision: "denied" as "approved" }),
      await sign(runtime, id, ada, { decided_at: new Date(Date.now() - 600_000).toISOString() }),
      await sign(runtime, id, ada, { expires_at: new Date(Date.now() + 86_400_000 * 365).toISOString() }),
      { ...(await sign(runtime, id, ada)), signature: "" },
    ];
    for (const signed of wrong)
      await assert.rejects(runtime.approvals.decide(id, "approved", "human:ada", null, signed), needsPerson);
    await runtime.approvals.decide(id, "approved", "human:ada", null, await sign(runtime, id, ada));
    assert.equal((await ask()).decision.verdict, "allow");
  });

  test("are not given by what an agent says its user has answered", async (t) => {
    const { runtime, ask } = await place(t, required);
    const id = idOf(await ask());
    await runtime.approvals.answeredByHost(id, "agent:claude-code");
    assert.equal((await runtime.store.approvals.find(id))?.status, "pending");
  });
});

suite("an approval that was written into the database", () => {
  const yes = (id: string, more = "") =>
    `update approvals set status = 'approved', decided_at = '2026-01-01T00:00:00.000Z', decided_by = 'human:ada',
     expires_at = '2999-01-01T00:00:00.000Z'${more} where id = '${id}'`;

  test("lets nothing pass, and that is a row of the record", async (t) => {
    const { runtime, ask, edit, warnings } = await place(t, required);
    await addKey(runtime, ada);
    const id = idOf(await ask());
    edit(yes(id));
    const again = await ask();
    assert.deepEqual([again.decision.verdict, idOf(again) === id], ["deny", false]);
    assert.match(warnings.join(), /does not count: no approver has signed it/);
    const [row] = await runtime.store.listRunEvents({ limit: 1, event: "approval.refused" });
    assert.equal(row?.reason, `${id} does not count: no approver has signed it`);
  });

  test("lets nothing pass that was waiting for it", async (t) => {
    const { runtime, cwd, edit } = await place(t, required);
    await addKey(runtime, ada);
    const data = { tool_name: "Bash", tool_input: { command: "git push" } };
    const asking = { rule: "push", reason: null, actor: "human:ada", origin: { cwd, session: "s1" } };
    const leaving = new AbortController();
    const patience = { signal: leaving.signal, lookEveryMs: 5 };
    const settled = runtime.approvals.settle(questionOf("tool.before", data, asking), 600_000, patience);
    const seen = async (event: string) =>
      (await runtime.store.listRunEvents({ limit: 1, event, kind: "change" })).length > 0;
    const pending = () => runtime.store.approvals.list({ limit: 1, status: "pending" });
    const isAsked = async () => (await pending()).length > 0;
    while (!(await isAsked())) await new Promise((resolve) => setTimeout(resolve, 5));
    const [{ id } = assert.fail()] = await pending();
    edit(yes(id));
    let isOver = false;
    void settled.finally(() => {
      isOver = true;
    });
    while (!isOver && !(await seen("approval.refused")))
      await new Promise((resolve) => setTimeout(resolve, 5));
    leaving.abort();
    const { id: next, status } = await settled;
    assert.deepEqual([next === id, status], [false, "pending"]);
  });

  test("lets nothing pass with the signature of another approval, or one that is no JSON", async (t) => {
    const { runtime, ask, edit } = await place(t, required);
    await addKey(runtime, ada);
    const [id, other] = [idOf(await ask()), idOf(await ask("git push two"))];
    await runtime.approvals.decide(other, "approved", "human:ada", null, await sign(runtime, other, ada));
    edit(`update approvals set status = 'approved', decided_by = 'human:ada',
      (decided_at, expires_at, signature) =
      (select decided_at, expires_at, signature from approvals where id = '${other}') where id = '${id}'`);
    assert.equal((await ask()).decision.verdict, "deny");
    const next = idOf(await ask());
    for (const text of ["x", "null", "1", "{}"]) edit(yes(next, `, signature = '${text}'`));
    assert.equal((await ask()).decision.verdict, "deny");
  });

  test("lets nothing pass when a given one was made longer, reworded, or given back after its use", async (t) => {
    const { runtime, ask, edit } = await place(t, required);
    await addKey(runtime, ada);
    for (const change of [
      "expires_at = '2999-01-01T00:00:00.000Z'",
      "comment = 'anything goes'",
      "decided_at = '2026-01-01T00:00:00.000Z'",
    ]) {
      const id = idOf(await ask());
      await runtime.approvals.decide(id, "approved", "human:ada", null, await sign(runtime, id, ada));
      edit(`update approvals set ${change} where id = '${id}'`);
      assert.equal((await ask()).decision.verdict, "deny", change);
    }
    const id = idOf(await ask());
    await runtime.approvals.decide(id, "approved", "human:ada", null, await sign(runtime, id, ada));
    assert.equal((await ask()).decision.verdict, "allow");
    edit(`update approvals set status = 'approved', used_at = null where id = '${id}'`);
    assert.equal((await ask()).decision.verdict, "deny");
  });

  test("lets nothing pass when another call was shown than the one that was asked", async (t) => {
    const { runtime, ask, edit } = await place(t, required);
    await addKey(runtime, ada);
    const id = idOf(await ask("git push --force"));
    edit(`update approvals set subject = replace(subject, '--force', '--dry-run') where id = '${id}'`);
    const signed = await sign(runtime, id, ada);
    const decided = runtime.approvals.decide(id, "approved", "human:ada", null, signed);
    await assert.rejects(decided, { code: "SWARM_APPROVAL_ALTERED" });
    assert.equal((await ask("git push --force")).decision.verdict, "deny");
  });
});

suite("the keys of approvers", () => {
  test("take the first freely, and a second by a signature alone", async (t) => {
    const { runtime, open, ask } = await place(t, required);
    await addKey(runtime, ada);
    const add: ApproverAction = { action: "add", key: eve.key };
    await assert.rejects(signChange(runtime, add, eve), /the key that signed it is no approver/);
    const id = idOf(await ask());
    const forged = await sign(runtime, id, eve);
    await assert.rejects(runtime.approvals.decide(id, "approved", "human:eve", null, forged), needsPerson);
    const earlier = new Date(Date.now() - 600_000).toISOString();
    await assert.rejects(signChange(runtime, add, ada, earlier), /it was not signed just now/);
    await signChange(runtime, add, ada);
    const names = async (of: Runtime) => (await of.approvers.history()).keys.map(({ name }) => name);
    assert.deepEqual(
      [await names(runtime), await names(await open())],
      [
        ["ada", "eve"],
        ["ada", "eve"],
      ],
    );
    await runtime.approvals.decide(id, "approved", "human:eve", null, await sign(runtime, id, eve));
    await signChange(runtime, { action: "remove", key_id: eve.key.id }, ada);
    // What a key has signed that is none any more does not count either.
    assert.equal((await ask()).decision.verdict, "deny");
    const rows = await runtime.store.listRunEvents({ limit: 20, kind: "change" });
    assert.deepEqual(
      rows.map(({ event }) => event).filter((event) => event.startsWith("approver.")),
      ["approver.removed", "approver.added", "approver.required", "approver.added"],
    );
  });

  test("are required on, whatever becomes of the file, until an approver signs the end", async (t) => {
    const { runtime, open, ask, write } = await place(t, required);
    await addKey(runtime, ada);
    await ask();
    for (const text of [rules, `approvals: { require: any }\n${rules}`]) {
      write(text);
      for (const process of [runtime, await open()]) {
        const id = idOf(await ask("git push", process));
        await assert.rejects(process.approvals.decide(id, "approved", "human:x", null), needsPerson);
      }
    }
    const any: ApproverAction = { action: "require", require: "any" };
    await assert.rejects(signChange(runtime, any, eve), { code: "SWARM_APPROVER_REFUSED" });
    await signChange(runtime, any, ada);
    const id = idOf(await ask());
    await runtime.approvals.decide(id, "approved", "human:x", null);
    assert.equal((await ask()).decision.verdict, "allow");
  });

  test("are required by one row, however many calls and processes see it first", async (t) => {
    const { runtime, open } = await place(t, required);
    await addKey(runtime, ada);
    const other = await open();
    const calls = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? runtime : other));
    assert.ok((await Promise.all(calls.map(({ approvers }) => approvers.isRequired()))).every(Boolean));
    const { faults } = await verifyRecord(await storedRecord(runtime.store, runtime.key.publicKey));
    assert.deepEqual(faults, []);
    assert.equal((await runtime.approvers.history()).revision, 2);
  });

  test("are required whatever a project's file says, which may not speak of it", async (t) => {
    const { runtime, ask, writeProject } = await place(t, required);
    await addKey(runtime, ada);
    const id = idOf(await ask());
    writeProject("approvals: { require: any }\n");
    assert.equal(await runtime.approvers.isRequired(), true);
    await assert.rejects(runtime.approvals.decide(id, "approved", "human:x", null), needsPerson);
    assert.equal((await ask()).decision.verdict, "deny");
  });

  test("are required while the file is broken that asks for them", async (t) => {
    const { runtime, write } = await place(t, required);
    assert.equal(await runtime.approvers.isRequired(), true);
    write("approvals: [");
    assert.equal(await runtime.approvers.isRequired(), true);
  });

  test("cannot be let go by the file that asks for them while it does", async (t) => {
    const { runtime } = await place(t, required);
    await addKey(runtime, ada);
    await runtime.approvers.isRequired();
    await assert.rejects(
      signChange(runtime, { action: "require", require: "any" }, ada),
      /config\.yaml says approvals\.require: person/,
    );
  });

  test("are those of the record: a row that was changed under a process ends all approving there", async (t) => {
    const { runtime, ask, edit } = await place(t, required);
    await addKey(runtime, ada);
    const id = idOf(await ask());
    const drop = ["run_events_keep", "run_events_fixed"].map((name) => `drop trigger if exists ${name}`);
    edit(...drop, `update run_events set hash = '${"0".repeat(64)}' where event = 'approver.added'`);
    const signed = await sign(runtime, id, ada);
    await assert.rejects(runtime.approvals.decide(id, "approved", "human:ada", null, signed), needsPerson);
  });

  test("are unknown after a row of theirs was damaged: nothing is approved and no key is the first again", async (t) => {
    const { runtime, open, ask, edit } = await place(t, required);
    await addKey(runtime, ada);
    const id = idOf(await ask());
    edit("delete from payloads where seq in (select seq from run_events where event = 'approver.added')");
    const next = await open();
    await assert.rejects(next.approvers.propose({ action: "add", key: eve.key }, "human:eve"), /damaged/);
    const signed = await sign(next, id, ada);
    await assert.rejects(next.approvals.decide(id, "approved", "human:ada", null, signed), needsPerson);
    await assert.rejects(next.approvals.decide(id, "approved", "human:ada", null), needsPerson);
  });

  for (const [what, statement] of [
    ["were taken out", "delete from run_events where event like 'approver.%'"],
    [
      "are called something else",
      "update run_events set event = 'notification' where event like 'approver.%'",
    ],
    ["are of another kind", "update run_events set kind = 'emit' where event like 'approver.%'"],
    ["lack the one that requires a person", "delete from run_events where event = 'approver.required'"],
  ] as const)
    test(`are missed by the next process where their rows ${what}`, async (t) => {
      const { runtime, open, ask, edit, write } = await place(t, required);
      await addKey(runtime, ada);
      await ask();
      const triggers = ["run_events_keep", "run_events_fixed"].map(
        (name) => `drop trigger if exists ${name}`,
      );
      edit("pragma foreign_keys = off", ...triggers, statement);
      write(rules);
      const next = await open();
      const asked = await ask("git push", next);
      assert.equal(asked.decision.verdict, "deny");
      await assert.rejects(next.approvals.decide(idOf(asked), "approved", "human:eve", null), needsPerson);
      await assert.rejects(next.approvers.propose({ action: "add", key: eve.key }, "human:eve"), /damaged/);
      // Going on from the record as it is does not make another key the first one.
      await next.audit.accept("human:eve", "all is well");
      assert.equal((await next.approvers.history()).isDamaged, true);
    });

  test("are not those of a row whose key was replaced together with the hash of its payload", async (t) => {
    const { runtime, open, ask, edit } = await place(t, required);
    await addKey(runtime, ada);
    const id = idOf(await ask());
    const [added] = await runtime.store.approverChanges();
    const { row, text } = added ?? assert.fail();
    const forged = JSON.stringify({ ...JSON.parse(text ?? ""), change: { action: "add", key: eve.key } });
    edit(
      "drop trigger run_events_fixed",
      `update run_events set before_hash = '${hash("sha256", forged, "hex")}' where seq = ${row.seq}`,
      `update payloads set before = '${forged}' where seq = ${row.seq}`,
    );
    const next = await open();
    assert.deepEqual((await next.approvers.history()).keys, []);
    const signed = await sign(next, id, eve);
    await assert.rejects(next.approvals.decide(id, "approved", "human:eve", null, signed), needsPerson);
  });

  test("are kept in the record when payloads are forgotten", async (t) => {
    const { runtime, open, ask } = await place(t, required);
    await addKey(runtime, ada);
    const id = idOf(await ask());
    await runtime.approvals.decide(id, "approved", "human:ada", null, await sign(runtime, id, ada));
    await runtime.store.expirePayloads("2999-01-01T00:00:00.000Z");
    assert.deepEqual((await (await open()).approvers.history()).keys, [ada.key]);
    assert.deepEqual(
      (await verifyRecord(await storedRecord(runtime.store, runtime.key.publicKey))).faults,
      [],
    );
  });

  test("are not asked for unless somebody says so", async (t) => {
    const { runtime, ask } = await place(t, rules);
    await addKey(runtime, ada);
    const asked = await ask();
    assert.equal(asked.decision.verdict, "ask");
    await runtime.approvals.decide(idOf(asked), "approved", "human:x", null);
    assert.equal((await ask()).decision.verdict, "allow");
  });
});
