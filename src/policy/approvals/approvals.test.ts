import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { GrantCheck } from "../../record/audit/grant-check.ts";
import { Recorder } from "../../record/audit/recorder.ts";
import { SigningKey } from "../../record/audit/signing-key.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { manualClock } from "../../engine/testing/manual-clock.ts";
import { Approvals } from "./approvals.ts";
import { type Question, questionOf } from "./question.ts";

const ttlMs = 3_600_000;

/** Approvals on a real store, with a clock to move. `other` is another process on the same files. */
function place(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "swarm-approvals-"));
  const clock = manualClock(Date.UTC(2026, 0, 1));
  const emitted: [event: string, data: Record<string, unknown>][] = [];
  /** As somebody who can write the database file does. */
  const edit = (statement: string): void => {
    const database = new DatabaseSync(join(folder, "swarm.db"));
    database.exec(statement);
    database.close();
  };
  /** What else happens while others hear of an event. */
  const meanwhile: { do: () => void } = { do: () => undefined };
  const opened: (() => Promise<void>)[] = [];
  const open = () => {
    const store = openSqliteStore(join(folder, "swarm.db"));
    const key = new SigningKey(join(folder, "key.pem"));
    const log = { warn: () => undefined };
    const audit = new Recorder({ store, key, clock, durability: "process", log });
    const approvals = new Approvals({
      store: store.approvals,
      audit,
      clock,
      log,
      record: new GrantCheck({ store, key, fault: () => audit.currentFault() }),
      person: {
        isRequired: async () => false,
        problemOf: async () => "nobody is an approver here",
        freshProblem: async () => null,
        keepCounter: async () => undefined,
      },
      ttlMs: () => ttlMs,
      emit: async ({ event, data }) => {
        emitted.push([event, data as Record<string, unknown>]);
        meanwhile.do();
      },
    });
    opened.push(async () => {
      await audit.close();
      await store.close();
    });
    return { store, approvals };
  };
  t.after(async () => {
    for (const close of opened) await close();
    rmSync(folder, { recursive: true });
  });
  return { ...open(), open, clock, emitted, edit, meanwhile };
}

function call(command: string, given: Partial<Question> = {}): Question {
  const origin = { cwd: "/work", session: "s1", source: "codex" };
  const data = { tool_name: "Bash", tool_input: { command } };
  const rest = { rule: "policy:push", reason: "why", actor: "agent:codex", origin };
  return { ...questionOf("tool.before", data, rest), ...given };
}

suite("a question", () => {
  test("is not answered by a yes that is written into the database while it is asked", async (t) => {
    const { approvals, edit, meanwhile } = place(t);
    meanwhile.do = () => {
      meanwhile.do = () => undefined;
      edit("update approvals set status = 'approved', decided_by = 'human:eve'");
    };
    const { status } = await approvals.settle(call("git push"), 0);
    assert.equal(status, "pending");
  });

  test("is asked once, however often the same call comes, and told of once", async (t) => {
    const { approvals, store, emitted } = place(t);
    const first = await approvals.settle(call("git push"), 0);
    const second = await approvals.settle(call("git push"), 0);
    assert.deepEqual([first.status, second.id], ["pending", first.id]);
    const { expires_at, digest, ...told } = emitted[0]?.[1] ?? {};
    assert.deepEqual([emitted.length, emitted[0]?.[0]], [1, "approval.requested"]);
    assert.deepEqual(told, {
      approval_id: first.id,
      name: "Bash",
      rule: "policy:push",
      reason: "why",
      requested_by: "agent:codex",
      subject: {
        event: "tool.before",
        kind: "shell",
        name: "Bash",
        input: { command: "git push" },
        cwd: "/work",
        source: "codex",
        session: "s1",
      },
    });
    assert.deepEqual([expires_at, digest], [first.expires_at, first.digest]);
    const rows = await store.listRunEvents({ limit: 9 });
    assert.deepEqual(
      rows.map(({ kind, event, outcome, hook }) => [kind, event, outcome, hook]),
      [["intent", "approval.requested", "open", "policy:push"]],
    );
  });

  test("is another one with other arguments, another folder, agent, program, task or tool; the session does not count", async (t) => {
    const { approvals } = place(t);
    const { id } = await approvals.settle(call("git push"), 0);
    const same = call("git push");
    const others: Question[] = [
      call("git push "),
      { ...same, name: "Shell" },
      { ...same, event: "merge.started" },
      { ...same, input: { command: "git push", timeout: 5 } },
      ...["cwd", "agent", "source", "task"].map((key) => ({
        ...same,
        origin: { ...same.origin, [key]: "x" },
      })),
    ];
    for (const other of others)
      assert.notEqual((await approvals.settle(other, 0)).id, id, JSON.stringify(other));
    const retried = { ...same, origin: { ...same.origin, session: "s2" } };
    assert.equal((await approvals.settle(retried, 0)).id, id);
  });

  test("does not depend on the order of keys, nor on what an agent says of a command", async (t) => {
    const { approvals } = place(t);
    const ask = (tool_input: object) =>
      approvals.settle(
        questionOf(
          "tool.before",
          { tool_name: "Bash", tool_input },
          { rule: null, reason: null, actor: "a", origin: {} },
        ),
        0,
      );
    const { id } = await ask({ command: "x", timeout: 1, description: "Push it" });
    assert.equal((await ask({ description: "Push the branch", timeout: 1, command: "x" })).id, id);
    assert.notEqual((await ask({ command: "x", timeout: 2 })).id, id);
  });

  test("asked by several at the same moment, from two processes, is one", async (t) => {
    const { approvals, open, emitted } = place(t);
    const other = open().approvals;
    const asked = await Promise.all(
      [approvals, other, approvals, other].map((one) => one.settle(call("x"), 0)),
    );
    assert.equal(new Set(asked.map(({ id }) => id)).size, 1);
    assert.equal(emitted.length, 1);
  });

  test("keeps no secret", async (t) => {
    const { approvals, store } = place(t);
    const token = `ghp_${"a".repeat(36)}`;
    const { id } = await approvals.settle(call(`curl -H "Authorization: Bearer ${token}" x`), 0);
    assert.doesNotMatch(
      JSON.stringify([await store.approvals.find(id), await store.readPayloads(0, 9)]),
      /ghp_a/,
    );
  });
});

suite("a decision", () => {
  test("to approve lets the same call pass, once", async (t) => {
    const { approvals, store, emitted } = place(t);
    const { id } = await approvals.settle(call("x"), 0);
    await approvals.decide(id, "approved", "human:ada", "fine");
    const settled = await approvals.settle(call("x"), 0);
    assert.deepEqual(
      [settled.id, settled.status, settled.decided_by, settled.comment],
      [id, "approved", "human:ada", "fine"],
    );
    assert.equal((await store.approvals.find(id))?.status, "used");
    const again = await approvals.settle(call("x"), 0);
    assert.deepEqual([again.status, again.id === id], ["pending", false]);
    assert.deepEqual(emitted[1], [
      "approval.decided",
      {
        approval_id: id,
        name: "Bash",
        digest: settled.digest,
        decision: "approved",
        decided_by: "human:ada",
        comment: "fine",
        rule: "policy:push",
        reason: "why",
      },
    ]);
    const rows = await store.readRunEvents(0, 9);
    assert.deepEqual(
      rows.slice(0, 3).map(({ kind, event, outcome, ref, actor }) => [kind, event, outcome, ref, actor]),
      [
        ["intent", "approval.requested", "open", null, "agent:codex"],
        ["outcome", "approval.requested", "completed", rows[0]?.id, "human:ada"],
        ["change", "approval.used", "completed", rows[0]?.id, "agent:codex"],
      ],
    );
  });

  test("to approve lets no other call pass", async (t) => {
    const { approvals } = place(t);
    const { id } = await approvals.settle(call("x"), 0);
    await approvals.decide(id, "approved", "human:ada", null);
    assert.equal((await approvals.settle(call("y"), 0)).status, "pending");
  });

  test("to deny stands until it lapses: asking again does not help", async (t) => {
    const { approvals, clock } = place(t);
    const { id } = await approvals.settle(call("x"), 0);
    await approvals.decide(id, "denied", "human:ada", null);
    assert.deepEqual(
      [(await approvals.settle(call("x"), 0)).status, (await approvals.settle(call("x"), 0)).id],
      ["denied", id],
    );
    await clock.advance(ttlMs);
    assert.equal((await approvals.settle(call("x"), 0)).status, "pending");
  });

  test("is made once; whoever comes second is told", async (t) => {
    const { approvals, open } = place(t);
    const other = open().approvals;
    const { id } = await approvals.settle(call("x"), 0);
    const both = await Promise.allSettled([
      approvals.decide(id, "approved", "human:ada", null),
      other.decide(id, "denied", "human:bob", null),
    ]);
    const lost = both.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    assert.deepEqual(lost, ["SWARM_APPROVAL_DECIDED"]);
    await assert.rejects(approvals.decide("apr_none", "approved", "human:ada", null), {
      code: "SWARM_APPROVAL_UNKNOWN",
    });
  });

  test("used by two calls at once is used by one; the other asks anew", async (t) => {
    const { approvals, open } = place(t);
    const other = open().approvals;
    const { id } = await approvals.settle(call("x"), 0);
    await approvals.decide(id, "approved", "human:ada", null);
    const both = await Promise.all([approvals.settle(call("x"), 0), other.settle(call("x"), 0)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ["approved", "pending"]);
  });

  test("that does not come in time is a denial, and is told of", async (t) => {
    const { approvals, clock, emitted, store } = place(t);
    const { id } = await approvals.settle(call("x"), 0);
    await clock.advance(ttlMs);
    await assert.rejects(
      approvals.decide(id, "approved", "human:ada", null),
      (error: Error & { code: string }) => {
        assert.match(error.message, /has expired, expected a pending one/);
        return error.code === "SWARM_APPROVAL_DECIDED";
      },
    );
    assert.equal((await store.approvals.find(id))?.status, "expired");
    assert.deepEqual([emitted.at(-1)?.[0], emitted.at(-1)?.[1].decision], ["approval.decided", "expired"]);
    assert.deepEqual(await store.openIntents(9), []);
  });

  test("holds for as long as a question does, from when it was made", async (t) => {
    const { approvals, clock } = place(t);
    const { id } = await approvals.settle(call("x"), 0);
    await clock.advance(ttlMs - 1);
    await approvals.decide(id, "approved", "human:ada", null);
    await clock.advance(ttlMs - 1);
    assert.equal((await approvals.settle(call("x"), 0)).status, "approved");
  });

  test("survives the process that asked", async (t) => {
    const { approvals, open } = place(t);
    const { id } = await approvals.settle(call("x"), 0);
    const next = open();
    await next.approvals.decide(id, "approved", "human:ada", null);
    assert.equal((await open().approvals.settle(call("x"), 0)).status, "approved");
  });

  test("given in the agent's own dialog is an approval that is used up", async (t) => {
    const { approvals, store } = place(t);
    const { id } = await approvals.settle(call("x"), 0);
    await approvals.answeredByHost(id, "agent:claude-code");
    const { status, decided_by } = (await store.approvals.find(id)) ?? assert.fail();
    assert.deepEqual([status, decided_by], ["used", "agent:claude-code"]);
    await approvals.answeredByHost(id, "agent:claude-code"); // too late, and harmless
  });
});

suite("waiting", () => {
  const waiting = async (work: Promise<unknown>) => {
    let isOver = false;
    void work.then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return !isOver;
  };

  test("ends with the decision, at once when this process makes it", async (t) => {
    const { approvals, store } = place(t);
    const settled = approvals.settle(call("x"), 60_000);
    let pending = await store.approvals.list({ limit: 1 });
    while (pending.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      pending = await store.approvals.list({ limit: 1 });
    }
    assert.ok(await waiting(settled));
    await approvals.decide(pending[0]?.id ?? "", "approved", "human:ada", null);
    assert.equal((await settled).status, "approved");
  });

  test("sees what another process decides", async (t) => {
    const { approvals, open, clock } = place(t);
    const other = open();
    const { id } = await approvals.settle(call("x"), 0);
    const settled = approvals.settle(call("x"), 60_000);
    await other.approvals.decide(id, "denied", "human:bob", "no");
    while (await waiting(settled)) await clock.advance(250);
    assert.equal((await settled).status, "denied");
  });

  test("ends without one when the time is over, and the question stays", async (t) => {
    const { approvals, clock } = place(t);
    const settled = approvals.settle(call("x"), 1_000);
    while (await waiting(settled)) await clock.advance(250);
    assert.equal((await settled).status, "pending");
  });

  test("ends for one that leaves, and goes on for the others", async (t) => {
    const { approvals, store } = place(t);
    const leave = new AbortController();
    const left = approvals.settle(call("x"), Number.POSITIVE_INFINITY, { signal: leave.signal });
    const stays = approvals.settle(call("x"), Number.POSITIVE_INFINITY, { lookEveryMs: 60_000 });
    while ((await store.approvals.list({ limit: 1 })).length < 1)
      await new Promise((resolve) => setImmediate(resolve));
    leave.abort();
    const { id, status } = await left;
    assert.equal(status, "pending");
    await approvals.decide(id, "denied", "human:bob", null);
    assert.equal((await stays).status, "denied");
    const late = approvals.settle(call("y"), Number.POSITIVE_INFINITY, { signal: leave.signal });
    assert.equal((await late).status, "pending");
  });

  test("ends for everybody when the process stops, and the questions stay", async (t) => {
    const { approvals, store } = place(t);
    const both = [approvals.settle(call("x"), 60_000), approvals.settle(call("y"), 60_000)];
    while ((await store.approvals.list({ limit: 2 })).length < 2)
      await new Promise((resolve) => setImmediate(resolve));
    approvals.stopWaiting();
    assert.deepEqual(
      (await Promise.all(both)).map(({ status }) => status),
      ["pending", "pending"],
    );
  });
});

test("questions lapse by themselves while they are watched", async (t) => {
  const { approvals, clock, store, emitted } = place(t);
  const stop = approvals.watch();
  t.after(stop);
  const { id } = await approvals.settle(call("x"), 0);
  while (emitted.at(-1)?.[0] !== "approval.decided") {
    await clock.advance(600_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await store.approvals.find(id))?.status, "expired");
});

suite("what was written into the database alone", () => {
  const later = "2999-01-01T00:00:00.000Z";
  const edits: readonly [what: string, isApproved: boolean, sql: string][] = [
    ["a yes", false, `status = 'approved', decided_by = 'human:ann', expires_at = '${later}'`],
    ["a later expiry", true, `expires_at = '${later}'`],
    ["another person", true, "decided_by = 'human:bob'"],
    ["another reason", true, "comment = 'of course'"],
    ["another question", true, "subject = '{}'"],
  ];
  for (const [what, isApproved, sql] of edits) {
    test(`${what} lets nothing pass: the same is asked again`, async (t) => {
      const { approvals, edit } = place(t);
      const { id } = await approvals.settle(call("git push"), 0);
      if (isApproved) await approvals.decide(id, "approved", "human:ann", null);
      edit(`update approvals set ${sql}`);
      const again = await approvals.settle(call("git push"), 0);
      assert.deepEqual([again.status, again.id === id], ["pending", false]);
    });
  }

  test("a question that was changed is not answered with yes, and can be with no", async (t) => {
    const { approvals, edit } = place(t);
    const { id } = await approvals.settle(call("git push"), 0);
    edit("update approvals set subject = replace(subject, 'push', 'log')");
    await assert.rejects(approvals.decide(id, "approved", "human:ann", null), {
      code: "SWARM_APPROVAL_ALTERED",
    });
    assert.equal((await approvals.decide(id, "denied", "human:ann", null)).status, "denied");
  });
});
