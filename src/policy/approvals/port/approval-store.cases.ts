import assert from "node:assert/strict";
import { test } from "node:test";
import type { Approval, ApprovalChange, ApprovalDecided, NewApproval } from "./approval-store.ts";
import type { Store } from "../../../store/port/store.ts";
import {
  append,
  entry,
  openerFor,
  openOne,
  type PrepareStore,
} from "../../../store/port/store-harness.cases.ts";

const minute = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString();

const question: NewApproval = {
  id: "apr_1",
  digest: "d".repeat(64),
  event: "tool.before",
  kind: "shell",
  name: "Bash",
  rule: "policy:no-push",
  reason: "why",
  subject: '{"a":1}',
  session: "s1",
  agent: null,
  task: null,
  cwd: "/work",
  source: "codex",
  requested_by: "agent:codex",
  requested_at: minute(0),
  expires_at: minute(60),
  intent_id: "evt_1",
};

const pending: Omit<Approval, "seq"> = {
  ...question,
  status: "pending",
  decided_at: null,
  decided_by: null,
  comment: null,
  used_at: null,
  signature: null,
};

const change = (store: Store, made: ApprovalChange) =>
  append(store, [entry({ kind: "change", event: "approval.used" })], [made]);
const ask = (store: Store, given: Partial<NewApproval> = {}) =>
  change(store, { kind: "approval_asked", row: { ...question, ...given } });
const decide = (store: Store, given: Partial<ApprovalDecided> = {}) =>
  change(store, {
    kind: "approval_decided",
    id: "apr_1",
    status: "approved",
    time: minute(1),
    by: "human:ada",
    comment: null,
    expires_at: minute(61),
    signature: null,
    ...given,
  });
const use = (store: Store, time = minute(2)) => change(store, { kind: "approval_used", id: "apr_1", time });
const statusOf = async (store: Store, id = "apr_1") => (await store.approvals.find(id))?.status;

/** What every store does with approvals. */
export function approvalStoreCases(prepare: PrepareStore): void {
  test("keeps what was asked, word for word, across a restart", async (t) => {
    const open = await openerFor(t, prepare);
    const store = await open();
    assert.equal(await store.approvals.find("apr_1"), null);
    await ask(store);
    await store.close();
    const { seq, ...found } = (await (await open()).approvals.find("apr_1")) ?? assert.fail();
    assert.deepEqual([seq, found], [1, pending]);
  });

  test("has one question pending for the same thing, and records nothing of a second", async (t) => {
    const store = await openOne(t, prepare);
    await ask(store);
    await assert.rejects(ask(store, { id: "apr_2" }), { code: "SWARM_APPROVAL_PENDING" });
    assert.equal((await store.head()).seq, 1);
    await ask(store, { id: "apr_3", digest: "e".repeat(64) });
    await decide(store, { status: "denied" });
    await ask(store, { id: "apr_4" });
    assert.equal(await statusOf(store, "apr_4"), "pending");
  });

  test("is decided once; who comes second is told who came first, and nothing is recorded of it", async (t) => {
    const store = await openOne(t, prepare);
    await ask(store);
    await decide(store, { comment: "fine" });
    const before = (await store.head()).seq;
    for (const status of ["approved", "denied", "expired"] as const) {
      await assert.rejects(decide(store, { status, by: "human:bob" }), (error: Error & { code: string }) => {
        assert.match(error.message, /apr_1 was approved by human:ada/);
        return error.code === "SWARM_APPROVAL_DECIDED";
      });
    }
    assert.equal((await store.head()).seq, before);
    const { status, decided_at, decided_by, comment, expires_at } =
      (await store.approvals.find("apr_1")) ?? assert.fail();
    assert.deepEqual(
      { status, decided_at, decided_by, comment, expires_at },
      {
        status: "approved",
        decided_at: minute(1),
        decided_by: "human:ada",
        comment: "fine",
        expires_at: minute(61),
      },
    );
  });

  test("that nobody asked for cannot be decided or used", async (t) => {
    const store = await openOne(t, prepare);
    await assert.rejects(decide(store), { code: "SWARM_APPROVAL_UNKNOWN" });
    await assert.rejects(use(store), { code: "SWARM_APPROVAL_USED" });
    assert.equal((await store.head()).seq, 0);
  });

  test("of several who decide at once, one does", async (t) => {
    const open = await openerFor(t, prepare);
    const stores = await Promise.all(Array.from({ length: 4 }, open));
    await ask(stores[0] as Store);
    const decided = await Promise.allSettled(
      stores.map((store, at) =>
        decide(store, { status: at % 2 === 0 ? "approved" : "denied", by: `human:${at}` }),
      ),
    );
    const losers = decided.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    assert.deepEqual(losers, Array(3).fill("SWARM_APPROVAL_DECIDED"));
  });

  test("is used once, while it holds, and only if it was approved", async (t) => {
    const store = await openOne(t, prepare);
    await ask(store);
    await assert.rejects(use(store), { code: "SWARM_APPROVAL_USED" });
    await decide(store);
    await assert.rejects(use(store, minute(61)), { code: "SWARM_APPROVAL_USED" });
    await use(store);
    await assert.rejects(use(store), { code: "SWARM_APPROVAL_USED" });
    const { status, used_at } = (await store.approvals.find("apr_1")) ?? assert.fail();
    assert.deepEqual([status, used_at], ["used", minute(2)]);
  });

  test("is in force while it is pending, or decided and neither lapsed nor used", async (t) => {
    const store = await openOne(t, prepare);
    const inForce = async (now: string) => (await store.approvals.findInForce(question.digest, now))?.status;
    assert.equal(await inForce(minute(0)), undefined);
    await ask(store);
    assert.deepEqual([await inForce(minute(59)), await inForce(minute(60))], ["pending", undefined]);
    await decide(store);
    assert.deepEqual([await inForce(minute(60)), await inForce(minute(61))], ["approved", undefined]);
    await use(store);
    assert.equal(await inForce(minute(3)), undefined);
    await ask(store, { id: "apr_2" });
    await decide(store, { id: "apr_2", status: "denied" });
    assert.equal(await inForce(minute(3)), "denied");
    assert.equal(await store.approvals.findInForce("f".repeat(64), minute(3)), null);
  });

  test("is found by what was asked, the newest whatever became of it", async (t) => {
    const store = await openOne(t, prepare);
    const latest = async (digest = question.digest) => (await store.approvals.findLatest(digest))?.id;
    assert.equal(await latest(), undefined);
    await ask(store);
    await decide(store, { status: "expired" });
    assert.equal(await latest(), "apr_1");
    await ask(store, { id: "apr_2" });
    assert.equal(await latest(), "apr_2");
    assert.equal(await latest("f".repeat(64)), undefined);
  });

  test("are listed newest first, in pages, by status", async (t) => {
    const store = await openOne(t, prepare);
    for (const at of [1, 2, 3]) await ask(store, { id: `apr_${at}`, digest: String(at).repeat(64) });
    await decide(store, { id: "apr_2" });
    const ids = async (query: Parameters<typeof store.approvals.list>[0]) =>
      (await store.approvals.list(query)).map(({ id }) => id);
    assert.deepEqual(await ids({ limit: 10 }), ["apr_3", "apr_2", "apr_1"]);
    assert.deepEqual(await ids({ limit: 2 }), ["apr_3", "apr_2"]);
    assert.deepEqual(await ids({ limit: 10, beforeSeq: 2 }), ["apr_1"]);
    assert.deepEqual(await ids({ limit: 10, status: "pending" }), ["apr_3", "apr_1"]);
  });

  test("are found by the task they were asked for, oldest first", async (t) => {
    const store = await openOne(t, prepare);
    for (const at of [1, 2, 3]) {
      const task = at === 2 ? "other" : "pr_1";
      await ask(store, { id: `apr_${at}`, digest: String(at).repeat(64), task });
    }
    const found = await store.approvals.ofTask("pr_1");
    assert.deepEqual(
      found.map(({ id }) => id),
      ["apr_1", "apr_3"],
    );
    assert.deepEqual(await store.approvals.ofTask("none"), []);
  });

  test("tells which pending ones have lapsed, and when the next will", async (t) => {
    const store = await openOne(t, prepare);
    assert.equal(await store.approvals.nextLapse(), null);
    await ask(store);
    await ask(store, { id: "apr_2", digest: "2".repeat(64), expires_at: minute(30) });
    assert.equal(await store.approvals.nextLapse(), minute(30));
    const lapsed = async (now: string) => (await store.approvals.lapsed(now)).map(({ id }) => id);
    assert.deepEqual([await lapsed(minute(29)), await lapsed(minute(30))], [[], ["apr_2"]]);
    await decide(store, { id: "apr_2", status: "expired", by: "swarm" });
    assert.deepEqual([await lapsed(minute(60)), await store.approvals.nextLapse()], [["apr_1"], minute(60)]);
  });
}
