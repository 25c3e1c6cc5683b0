import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { systemClock } from "../../../base/clock.ts";
import { assertChained, entry, numbers } from "../../../store/port/store-harness.cases.ts";
import { openRecord } from "../open-record.ts";
import { SigningKey } from "../signing-key.ts";
import { isSealed } from "../row-seal.ts";
import type { NewEntry } from "../../port/audit.ts";

const emit: NewEntry = { kind: "emit", event: "tool.before", actor: "agent:builder", before: '{"a":1}' };

function place(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), "swarm-thread-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const open = async (durability: "process" | "power_loss" = "process") => {
    const key = new SigningKey(join(home, "audit-key.pem"));
    const url = join(home, "swarm.db");
    const common = { home, url, key, clock: systemClock, log, durability };
    const record = await openRecord({ ...common, isResident: true, isThreaded: true });
    const close = async () => {
      await record.reads.stop?.();
      await record.audit.close();
      await record.store.close();
    };
    return { ...record, key, close };
  };
  return { home, warnings, open };
}

suite("the record in a thread of its own", () => {
  test("rows are chained, sealed, signed and read there, and verified in another one", async (t) => {
    const { open, warnings } = place(t);
    const { audit, store, key, verify, close } = await open();
    const ids = await Promise.all(numbers(1, 50).map((n) => audit.record({ ...emit, reason: `row ${n}` })));
    const rows = await store.readSealedRows(0, 100);
    assert.deepEqual(
      rows.map(({ row }) => row.id),
      ids.map(({ id }) => id),
    );
    assert.ok(rows.every((row) => isSealed(key, row)));
    const { is_intact, rows: verified, faults } = await verify();
    assert.deepEqual([is_intact, verified, faults], [true, 50, []]);
    await close();
    assert.deepEqual(warnings, []);
  });

  test("a long list comes whole and in its order, and what is asked for after it need not wait for its end", async (t) => {
    const { open } = place(t);
    const { audit, store, close } = await open();
    const reasons = numbers(1, 450).map((n) => `row ${n}`);
    await Promise.all(reasons.map((reason) => audit.record({ ...emit, kind: "change", reason })));
    const order: string[] = [];
    const long = store.readRunEvents(0, 1_000).then((rows) => {
      order.push("long");
      return rows;
    });
    await store.head().then(() => order.push("head"));
    assert.deepEqual(
      (await long).map(({ reason }) => reason),
      reasons,
    );
    assert.deepEqual(order, ["head", "long"]);
    await close();
  });

  test("nothing is asked of the database by the thread that decides", async (t) => {
    const { open } = place(t);
    const { audit, store, verify, signTail, grants, close } = await open();
    const asked: string[] = [];
    const { prepare, exec } = DatabaseSync.prototype;
    t.after(() => void Object.assign(DatabaseSync.prototype, { prepare, exec }));
    Object.assign(DatabaseSync.prototype, {
      prepare: (text: string) => assert.fail(`${asked.push(text)} statement: ${text}`),
      exec: (text: string) => assert.fail(`${asked.push(text)} statement: ${text}`),
    });
    await audit.record(emit);
    await audit.record({ ...emit, kind: "change", event: "flag.set" });
    const page = { limit: 10, session: "s1" };
    await Promise.all([store.listRunEvents(page), store.listSessions(page), store.outbox.list(page)]);
    await Promise.all([store.tokens.list(), store.trust.list(), store.flags.list(), grants.inForce("flag")]);
    await Promise.all([store.countExpiring("2000"), store.expirePayloads("2000"), store.openIntents(5)]);
    await Promise.all([signTail(), verify(), store.approvals.list(page), store.cron.openRuns()]);
    await close();
    assert.deepEqual(asked, []);
  });

  test("listeners are told of each row as it is stored, in the order of the record", async (t) => {
    const { open } = place(t);
    const { audit, store, close } = await open();
    const heard: unknown[] = [];
    const all = new Promise<void>((resolve) => {
      audit.onRecorded((row) => heard.push(row) === 21 && resolve());
    });
    await Promise.all(numbers(1, 20).map(() => audit.record(emit)));
    await audit.record({ kind: "change", event: "flag.set", actor: "human:ann" });
    await all;
    assert.deepEqual(heard, await store.readRunEvents(0, 100));
    await close();
  });

  test("an error of the store comes back as what it is, and nothing was written", async (t) => {
    const { open } = place(t);
    const { audit, store, close } = await open();
    const added = { kind: "change", event: "token.added", actor: "human:ann" } as const;
    const row = {
      name: "ci",
      role: "viewer",
      token_hash: "h",
      created_at: "2026-01-01T00:00:00.000Z",
      created_by: "a",
    };
    const change = { kind: "token_added", row: { ...row, revoked_at: null } } as never;
    await audit.record(added, change);
    await assert.rejects(audit.record(added, change) as Promise<unknown>, {
      name: "SwarmError",
      code: "SWARM_TOKEN_TAKEN",
    });
    await assertChained(store, 1);
    await close();
  });

  test("what was acknowledged when the thread could not write is there once it can, or at the next start", async (t) => {
    const { home, open } = place(t);
    const first = await open();
    await first.audit.record({ kind: "change", event: "flag.set", actor: "human:ann" });
    const database = new DatabaseSync(join(home, "swarm.db"));
    database.exec("create trigger no before insert on run_events begin select raise(abort, 'no'); end");
    const { id } = await first.audit.record(emit);
    await assert.rejects(first.audit.record({ kind: "change", event: "flag.set", actor: "human:ann" }));
    await first.close();
    database.exec("drop trigger no");
    database.close();
    const { store, verify, close } = await open();
    assert.equal((await store.findRunEvent(id))?.id, id);
    assert.equal((await verify()).is_intact, true);
    await close();
  });

  test("a home whose store cannot be opened fails as it does without a thread", async (t) => {
    const { home, open } = place(t);
    const database = new DatabaseSync(join(home, "swarm.db"));
    database.exec("pragma user_version = 4000");
    database.close();
    await assert.rejects(open(), { name: "SwarmError", code: "SWARM_STORE_NEWER" });
  });

  test("a verification that nobody waits for any more ends, and those behind it are answered", async (t) => {
    const { open } = place(t);
    const { audit, verify, close } = await open();
    await audit.record(emit);
    const gone = new AbortController();
    const [first, second] = [verify([], gone.signal), verify()];
    gone.abort();
    await assert.rejects(first, { code: "SWARM_VERIFY_ENDED" });
    assert.equal((await second).rows, 1);
    await close();
  });

  test("one that is under way when the record is closed is told so", async (t) => {
    const { open } = place(t);
    const { audit, verify, close } = await open();
    await audit.record(emit);
    const refused = assert.rejects(verify(), { code: "SWARM_VERIFY_ENDED" });
    await close();
    await refused;
  });

  test("with power_loss a row is on the disk and signed before it is acknowledged", async (t) => {
    const { open } = place(t);
    const { audit, store, close } = await open("power_loss");
    const row = await audit.record({ ...emit, ...entry() } as NewEntry);
    assert.equal((await store.signedHead())?.seq, 1);
    assert.equal((await store.findRunEvent(row.id))?.seq, 1);
    await close();
  });
});
