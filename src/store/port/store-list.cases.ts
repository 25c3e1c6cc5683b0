import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "../../record/port/run-event.ts";
import type { RunEventQuery } from "./store.ts";
import {
  allRows,
  append,
  entry,
  handler,
  numbers,
  openOne,
  type PrepareStore,
} from "./store-harness.cases.ts";

const minute = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString();

/** 48 rows in which every value of every filter meets every value of the others. */
const mixed = numbers(0, 47).map((count) =>
  entry({
    time: minute(count),
    event: count % 2 === 0 ? "tool.before" : "tool.after",
    kind: count % 3 === 0 ? "observed" : "emit",
    session: [null, "s1", "s2"][Math.trunc(count / 2) % 3] ?? null,
    verdict: count % 5 < 2 ? "deny" : "allow",
    handlers: count % 4 < 2 ? [handler({ hook_id: "hook_1" }), handler({ hook_id: "hook_2" })] : [],
  }),
);

/** Each filter with a value, and what it lets through. */
const filters = {
  event: ["tool.before", (row: RunEvent) => row.event === "tool.before"],
  kind: ["emit", (row: RunEvent) => row.kind === "emit"],
  session: ["s1", (row: RunEvent) => row.session === "s1"],
  verdict: ["deny", (row: RunEvent) => row.verdict === "deny"],
  since: [minute(17), (row: RunEvent) => row.time >= minute(17)],
  hookId: ["hook_2", (row: RunEvent) => row.handlers.some(({ hook_id }) => hook_id === "hook_2")],
  beforeSeq: [40, (row: RunEvent) => row.seq < 40],
} as const;

const filterNames = Object.keys(filters) as (keyof typeof filters)[];

export function listCases(prepare: PrepareStore): void {
  test("lists rows newest first, by every filter alone and by all of them in every combination", async (t) => {
    const store = await openOne(t, prepare);
    const newestFirst = (await append(store, mixed)).reverse();
    for (let chosen = 0; chosen < 1 << filterNames.length; chosen++) {
      const names = filterNames.filter((_, at) => (chosen >> at) & 1);
      const query = Object.fromEntries(
        names.map((name) => [name, filters[name][0]]),
      ) as Partial<RunEventQuery>;
      const expected = newestFirst.filter((row) => names.every((name) => filters[name][1](row)));
      assert.deepEqual(await store.listRunEvents({ limit: 100, ...query }), expected, names.join());
    }
  });

  test("finds what is from a time on, however often the clock was set back and forth", async (t) => {
    const store = await openOne(t, prepare);
    // As many rows as no driver looks up at once, with one far ahead of its time among the first.
    const times = numbers(1, 9_000).map((count) =>
      minute(count === 10 ? 99_000 : count - (count % 500 === 0 ? 400 : 0)),
    );
    const rows = await append(
      store,
      times.map((time) => entry({ time, event: "tool.after" })),
    );
    for (const from of [0, 1, 50, 4_090, 4_600, 8_599, 8_999, 9_000, 50_000, 99_000, 99_001]) {
      const expected = rows.filter(({ time }) => time >= minute(from)).reverse();
      const query = { since: minute(from), limit: 10_000 };
      assert.deepEqual(await store.listRunEvents(query), expected, String(from));
      assert.deepEqual(await store.listRunEvents({ ...query, event: "tool.after" }), expected, String(from));
    }
  });

  test("finds the rows of a hook among many of its own that do not fit", async (t) => {
    const store = await openOne(t, prepare);
    const fits = new Set([1, 4_500, 8_700]);
    const rows = await append(
      store,
      numbers(1, 9_000).map((count) =>
        entry({ handlers: [handler()], event: fits.has(count) ? "tool.after" : "tool.before" }),
      ),
    );
    // Rows of that event which are not the hook's, too many to be looked at one by one.
    await append(
      store,
      numbers(1, 5_000).map(() => entry({ event: "tool.after" })),
    );
    const query = { hookId: "hook_1", event: "tool.after", limit: 10 };
    const expected = rows.filter(({ seq }) => fits.has(seq)).reverse();
    assert.deepEqual(await store.listRunEvents(query), expected);
    assert.deepEqual(await store.listRunEvents({ ...query, limit: 2 }), expected.slice(0, 2));
    assert.deepEqual(await store.listRunEvents({ ...query, beforeSeq: 8_700 }), expected.slice(1));
    assert.deepEqual(await store.listRunEvents({ ...query, verdict: "deny" }), []);
  });

  test("finds the last change of a kind for an agent, among all that is like it", async (t) => {
    const store = await openOne(t, prepare);
    const change = (agent: string, event = "guard.verified") => entry({ kind: "change", event, agent });
    const rows = await append(store, [
      change("codex"),
      change("codex"),
      change("claude-code"),
      change("codex", "agent.installed"),
      entry({ event: "guard.verified", agent: "codex" }),
    ]);
    assert.deepEqual(await store.lastChange("guard.verified", "codex"), rows[1]);
    assert.deepEqual(await store.lastChange("guard.verified", "claude-code"), rows[2]);
    assert.equal(await store.lastChange("guard.verified", "cursor"), null);
  });

  test("counts the denials since a time, of the last thousand", async (t) => {
    const store = await openOne(t, prepare);
    const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;
    await append(store, [
      entry({ verdict: "deny", time: at(1) }),
      entry({ verdict: "deny", time: at(2) }),
      entry({ verdict: "allow", time: at(3) }),
      entry({ verdict: "deny", time: at(3) }),
    ]);
    assert.equal(await store.recentDenials(at(0)), 3);
    assert.equal(await store.recentDenials(at(2)), 2);
    assert.equal(await store.recentDenials(at(4)), 0);
    await append(
      store,
      Array.from({ length: 1_000 }, () => entry({ verdict: "deny", time: at(5) })),
    );
    assert.equal(await store.recentDenials(at(0)), 1_000);
  });

  test("lists nothing for a value no row has, whatever that value means elsewhere", async (t) => {
    const store = await openOne(t, prepare);
    await append(store, mixed);
    for (const odd of ["", "%", "S1", "s1 ", "null", "s_", "'s1'"]) {
      assert.deepEqual(await store.listRunEvents({ limit: 10, session: odd }), [], odd);
    }
    assert.deepEqual(await store.listRunEvents({ limit: 10, since: minute(48) }), []);
    assert.deepEqual(await store.listRunEvents({ limit: 10, beforeSeq: 1 }), []);
    assert.deepEqual(await store.listRunEvents({ limit: 0 }), []);
  });

  test("shows every row once to whoever pages, even while rows are added", async (t) => {
    const store = await openOne(t, prepare);
    const there = await append(store, mixed);
    const seen: RunEvent[] = [];
    for (let page = await store.listRunEvents({ limit: 7 }); page.length > 0; ) {
      seen.push(...page);
      await append(store, [entry(), entry()]);
      page = await store.listRunEvents({ limit: 7, beforeSeq: page.at(-1)?.seq });
    }
    assert.deepEqual(seen, there.reverse());
  });

  test("shows every row that fits a filter once to whoever pages", async (t) => {
    const store = await openOne(t, prepare);
    const fitting = (await append(store, mixed)).filter(({ session }) => session === "s2").reverse();
    const seen: RunEvent[] = [];
    for (let page = await store.listRunEvents({ limit: 3, session: "s2" }); page.length > 0; ) {
      seen.push(...page);
      await append(store, [entry({ session: "s2" })]);
      page = await store.listRunEvents({ limit: 3, session: "s2", beforeSeq: page.at(-1)?.seq });
    }
    assert.deepEqual(seen, fitting);
  });

  test("is read from the first row to the last, rows that come meanwhile included", async (t) => {
    const store = await openOne(t, prepare);
    await append(store, mixed);
    const seen: RunEvent[] = [];
    for (let page = await store.readRunEvents(0, 20); page.length > 0; ) {
      seen.push(...page);
      if (seen.length < 60) await append(store, [entry()]);
      page = await store.readRunEvents(page.at(-1)?.seq ?? 0, 20);
    }
    assert.deepEqual(seen, await allRows(store));
    assert.equal(seen.length, 60);
    assert.deepEqual(await store.readRunEvents(60, 20), []);
  });

  test("finds a row by its id", async (t) => {
    const store = await openOne(t, prepare);
    const rows = await append(store, mixed.slice(0, 5));
    assert.deepEqual(await store.findRunEvent(mixed[2]?.id ?? ""), rows[2]);
    for (const unknown of ["", "evt_none", "%", (mixed[2]?.id ?? "").toUpperCase()]) {
      assert.equal(await store.findRunEvent(unknown), null, unknown);
    }
  });

  test("knows the intents that have no outcome, newest first", async (t) => {
    const store = await openOne(t, prepare);
    const intents = ["a", "b", "c", "d"].map((id) => entry({ id, kind: "intent", outcome: "open" }));
    const rows = await append(store, intents);
    assert.deepEqual(await store.openIntents(10), [...rows].reverse());
    // Only an outcome ends an intent: an observation of it, or an outcome of something else, does not.
    await append(store, [
      entry({ kind: "outcome", ref: "b" }),
      entry({ kind: "observed", ref: "c" }),
      entry({ kind: "outcome", ref: "elsewhere" }),
      entry({ kind: "outcome", ref: null }),
    ]);
    assert.deepEqual(await store.openIntents(10), [rows[3], rows[2], rows[0]]);
    assert.deepEqual(await store.openIntents(2), [rows[3], rows[2]]);
  });

  test("sums up sessions, the one heard of last first", async (t) => {
    const store = await openOne(t, prepare);
    await append(store, [
      entry({ session: "s1", time: minute(1), agent: "ada", source: "codex", cwd: "/a" }),
      entry({ session: "s2", time: minute(2), verdict: "deny" }),
      entry({ session: null, time: minute(3), verdict: "deny" }),
      entry({ session: "s1", time: minute(4), verdict: "deny" }),
    ]);
    await append(store, [
      entry({ session: "s3", time: minute(5) }),
      entry({ session: "s1", time: minute(6), verdict: "deny", agent: "ada", source: "codex", cwd: "/a" }),
      entry({ session: "s2", time: minute(7), verdict: "ask" }),
    ]);
    const nobody = { agent: null, source: null, cwd: null };
    const sessions = [
      {
        session: "s2",
        started_at: minute(2),
        last_at: minute(7),
        last_seq: 7,
        events: 2,
        denials: 1,
        ...nobody,
      },
      {
        session: "s1",
        started_at: minute(1),
        last_at: minute(6),
        last_seq: 6,
        events: 3,
        denials: 2,
        agent: "ada",
        source: "codex",
        cwd: "/a",
      },
      {
        session: "s3",
        started_at: minute(5),
        last_at: minute(5),
        last_seq: 5,
        events: 1,
        denials: 0,
        ...nobody,
      },
    ];
    assert.deepEqual(await store.listSessions({ limit: 10 }), sessions);
    assert.deepEqual(await store.listSessions({ limit: 2 }), sessions.slice(0, 2));
    assert.deepEqual(await store.listSessions({ limit: 2, beforeSeq: 6 }), sessions.slice(2));
    assert.deepEqual(await store.listSessions({ limit: 2, beforeSeq: 5 }), []);
  });

  test("shows every session once to whoever pages while new sessions start", async (t) => {
    const store = await openOne(t, prepare);
    await append(
      store,
      numbers(1, 20).map((count) => entry({ session: `s${count % 10}` })),
    );
    const seen: string[] = [];
    for (let page = await store.listSessions({ limit: 3 }); page.length > 0; ) {
      seen.push(...page.map(({ session }) => session));
      await append(store, [entry({ session: `new${seen.length}` })]);
      page = await store.listSessions({ limit: 3, beforeSeq: page.at(-1)?.last_seq ?? 0 });
    }
    assert.deepEqual(seen, ["s0", "s9", "s8", "s7", "s6", "s5", "s4", "s3", "s2", "s1"]);
  });
}
