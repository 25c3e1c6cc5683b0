import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { eventNames, rowOf } from "../../engine/events/names.ts";
import { sign, signingKeys } from "../../net/standard-webhooks.ts";
import { genesisHash } from "../../record/port/run-event.ts";
import { approverRouteCases } from "../../policy/approvers/routes.cases.ts";
import { auditPdfRouteCases } from "../../record/pdf/routes.cases.ts";
import { batchRouteCases } from "../../operations/batch/routes.cases.ts";
import { cronRouteCases } from "../../operations/cron/routes.cases.ts";
import { driftRouteCases } from "../../operations/drift/routes.cases.ts";
import { fileTrustRouteCases } from "../../policy/trust/file-routes.cases.ts";
import { ask, assertNoBrowserDoors, called, documented, openApp, startedDaemon } from "./harness.cases.ts";
import { misfits } from "./misfits.cases.ts";
import { pipelineRouteCases } from "../../operations/pipelines/routes.cases.ts";
import { pluginRouteCases } from "../../policy/plugins/routes.cases.ts";
import { agentRouteCases } from "../../swarm/agents/routes.cases.ts";
import { mailRouteCases } from "../../swarm/mail/routes.cases.ts";
import { taskRouteCases } from "../../swarm/tasks/routes.cases.ts";
import type { Problem } from "../rest/problem.ts";
import type { Route } from "../rest/route.ts";
import { routes } from "./routes.ts";

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly event: string;
  readonly kind: string;
  readonly session: string | null;
  readonly verdict: string;
  readonly hook: string | null;
  readonly reason: string | null;
}

interface Hook {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly last_result: string | null;
}

type Head = { readonly seq: number; readonly hash: string; readonly key_id: string } | null;

interface HookList {
  readonly items: readonly Hook[];
  readonly problem: string | null;
}

const guard = `hooks:
  - event: tool.before
    type: command
    name: guard
    match: Bash
    mode: guard
    on_failure: deny
    command: 'echo not here >&2; exit 2'
`;
const bash = { tool_name: "Bash", tool_input: { command: "ls" } };
const note = { event: "notification", data: { message: "hi", level: "info" } };

suite("POST /api/v1/events", () => {
  test("decides by the hooks of the folder it names, and answers with the outcome", async (t) => {
    const { call, cwd, runtime } = await openApp(t, guard);
    const from = { session: "s1", agent: "a1", task: "t1", cwd, source: "test" };
    const { status, body } = await call("POST", "/api/v1/events", {
      event: "PreToolUse",
      data: bash,
      ...from,
    });
    const { id, handlers, ...rest } = body as { id: string; handlers: { ms: number }[] };
    assert.equal(status, 200);
    assert.deepEqual(rest, {
      event: "tool.before",
      decision: { verdict: "deny", reason: "not here", hook: "guard", context: [], stop: null },
      data: bash,
      result: { status: "skipped_by_hook", hook: "guard", reason: "not here" },
    });
    const said = { status: "denied", verdict: "deny", reason: "not here" };
    assert.deepEqual(
      handlers.map(({ ms, ...handler }) => handler),
      [{ name: "guard", kind: "command", mode: "guard", ...said }],
    );
    const row = await runtime.store.findRunEvent(id);
    assert.deepEqual(
      [row?.session, row?.agent, row?.task, row?.cwd, row?.source, row?.actor],
      ["s1", "a1", "t1", cwd, "test", "agent:a1"],
    );
  });

  test("about a tool of an agent it names takes the tool's name as that agent means it", async (t) => {
    const { call, cwd } = await openApp(t, guard.replace("Bash", '"mcp:probe/*"'));
    const verdictFrom = async (source: string, tool_name: string) => {
      const data = { tool_name, tool_input: { note: "x" } };
      const body = { event: "tool.before", data, cwd, source };
      const answer = await call<{ decision: { verdict: string } }>("POST", "/api/v1/events", body);
      return answer.body.decision.verdict;
    };
    assert.equal(await verdictFrom("opencode", "probe_touch"), "deny");
    assert.equal(await verdictFrom("copilot", "probe-touch"), "deny");
    assert.equal(await verdictFrom("copilot", "probe_touch"), "none");
    assert.equal(await verdictFrom("test", "probe_touch"), "none");
    assert.equal(await verdictFrom("__proto__", "mcp__probe__touch"), "deny");
  });

  test("of a caller who names no agent is recorded as the caller's", async (t) => {
    const { call, runtime } = await openApp(t);
    const { body } = await call<Row>("POST", "/api/v1/events", note);
    const row = await runtime.store.findRunEvent(body.id);
    assert.deepEqual([row?.actor, row?.source], ["human:ann", "rest"]);
  });

  test("follows a link to the project it leads to, and sees it when that project's file changes", async (t) => {
    const { call, cwd, write } = await openApp(t, guard);
    mkdirSync(join(cwd, "deep"));
    const link = join(cwd, "..", "link");
    symlinkSync(join(cwd, "deep"), link);
    const deniedBy = async () => {
      const body = { event: "tool.before", data: bash, cwd: link };
      const answer = await call<{ decision: { hook: string } }>("POST", "/api/v1/events", body);
      return answer.body.decision.hook;
    };
    const hook = await deniedBy();
    assert.notEqual(hook, "swarm/trust");
    write({ "swarm.yaml": "hooks: []\n" });
    assert.equal(await deniedBy(), "swarm/trust", "the guard is gone");
    write({ "swarm.yaml": guard });
    assert.equal(await deniedBy(), hook);
  });

  const own = eventNames.filter((event) => /^(approval|cron|batch|hook|config)\./.test(event));
  test(`refuses what only the system itself may say: ${own.length} events by all their names`, async (t) => {
    const { call, runtime } = await openApp(t);
    assert.ok(own.length >= 10);
    for (const event of own.flatMap((name) => [name, ...rowOf(name).aliases])) {
      const { status, body } = await call<Problem>("POST", "/api/v1/events", { event, data: {} });
      assert.deepEqual([status, body.code], [403, "SWARM_EVENT_NOT_POSTABLE"], event);
    }
    assert.deepEqual(await runtime.store.listRunEvents({ limit: 1 }), []);
  });

  test("takes every other event: what it refuses is the payload", async (t) => {
    const { call } = await openApp(t);
    for (const event of eventNames.filter((name) => !own.includes(name))) {
      const { status } = await call("POST", "/api/v1/events", { event, data: {} });
      assert.ok(status === 200 || status === 400, `${event}: ${status}`);
    }
  });
});

suite("GET /api/v1/events", () => {
  test("visits each of 120 rows once, page by page, though more are added meanwhile", async (t) => {
    const { call } = await openApp(t);
    const emit = (session: string) => call<Row>("POST", "/api/v1/events", { ...note, session });
    const ids: string[] = [];
    for (let n = 0; n < 120; n++) ids.push((await emit(`s${n % 4}`)).body.id);
    for (const limit of [50, 40, 7]) {
      const seen: string[] = [];
      let pages = 0;
      for (let cursor: string | null = ""; cursor !== null; pages++) {
        const query: string = cursor === "" ? `limit=${limit}` : `limit=${limit}&cursor=${cursor}`;
        const { body } = await call<Page<Row>>("GET", `/api/v1/events?event=notification&${query}`);
        seen.push(...body.items.filter(({ session }) => session !== "late").map(({ id }) => id));
        if (limit === 7 && pages % 5 === 0) await emit("late");
        cursor = body.next_cursor;
      }
      assert.deepEqual(seen.toReversed(), ids);
      assert.equal(pages, Math.ceil(120 / limit), "no page is empty");
    }
  });

  test("defaults to fifty rows, and has one to a thousand", async (t) => {
    const { call } = await openApp(t);
    for (let n = 0; n < 51; n++) await call("POST", "/api/v1/events", note);
    const lengthOf = async (query: string) =>
      (await call<Page<Row>>("GET", `/api/v1/events${query}`)).body.items.length;
    assert.deepEqual(
      [await lengthOf(""), await lengthOf("?limit=1"), await lengthOf("?limit=1000")],
      [50, 1, 51],
    );
  });

  test("filters by event, kind, session, verdict, time and hook, and by all of them", async (t) => {
    const { call, cwd, runtime } = await openApp(t, guard);
    const [hook] = runtime.projects.at(cwd).config.hooks;
    await call("POST", "/api/v1/events", { event: "tool.before", data: bash, session: "s1" });
    await call("POST", "/api/v1/events", {
      event: "tool.before",
      data: { ...bash, tool_name: "Read" },
      session: "s1",
    });
    await call("POST", "/api/v1/events", { ...note, session: "s2" });
    await call("PATCH", `/api/v1/hooks/${hook?.id}`, { enabled: false });
    const seqs = async (query: string) =>
      (await call<Page<Row>>("GET", `/api/v1/events?${query}`)).body.items.map(({ seq }) => seq);
    assert.deepEqual(await seqs("event=tool.before"), [3, 2]);
    assert.deepEqual(await seqs("event=PreToolUse"), [3, 2], "by any of its names");
    assert.deepEqual(await seqs("event=hook.disabled"), [5]);
    assert.deepEqual(await seqs("event=login"), []);
    assert.deepEqual(await seqs("kind=change"), [5, 1]);
    assert.deepEqual(await seqs("session=s2"), [4]);
    assert.deepEqual(await seqs("verdict=deny"), [2]);
    assert.deepEqual(await seqs(`hook_id=${hook?.id}`), [2]);
    assert.deepEqual(await seqs("session=s1&verdict=none&event=tool.before&kind=emit"), [3]);
    const rows = await runtime.store.readRunEvents(0, 10);
    const third = rows[2]?.time ?? "";
    const fromThird = rows.filter(({ time }) => time >= third).map(({ seq }) => seq);
    assert.deepEqual(await seqs(`since=${third}`), fromThird.toReversed());
    const elsewhere = new Date(Date.parse(third) + 7_200_000).toISOString().replace("Z", "+02:00");
    assert.deepEqual(
      await seqs(`since=${encodeURIComponent(elsewhere)}`),
      fromThird.toReversed(),
      "in another zone",
    );
    assert.deepEqual(await seqs("since=2999-01-01"), []);
  });

  test("is followed from any row on, oldest first", async (t) => {
    const { call } = await openApp(t);
    for (let n = 0; n < 5; n++) await call("POST", "/api/v1/events", note);
    const after = async (seq: number, query = "") =>
      (await call<Page<Row>>("GET", `/api/v1/events/after/${seq}${query}`)).body.items.map((row) => row.seq);
    assert.deepEqual(await after(0), [1, 2, 3, 4, 5]);
    assert.deepEqual(await after(3), [4, 5]);
    assert.deepEqual(await after(0, "?limit=2"), [1, 2]);
    assert.deepEqual(await after(5), []);
  });

  test("shows one row with its payloads, before and after rewrites, their secrets replaced", async (t) => {
    const config = `hooks:
  - { event: tool.before, type: command, name: mend, args: [echo, '{"rewrite": {"tool_input": {"command": "true"}}}'] }
`;
    const { call } = await openApp(t, config);
    const data = { ...bash, tool_input: { command: "ls", api_key: "hunter2" } };
    const { body } = await call<Row>("POST", "/api/v1/events", { event: "tool.before", data });
    const shown = await call<Row & Record<string, unknown>>("GET", `/api/v1/events/${body.id}`);
    assert.deepEqual(shown.body.data_before, {
      ...bash,
      tool_input: { command: "ls", api_key: "[redacted]" },
    });
    assert.deepEqual(shown.body.data_after, { ...bash, tool_input: { command: "true" } });
    assert.doesNotMatch(shown.text, /hunter2/);
    const { body: plain } = await call<Row>("POST", "/api/v1/events", note);
    const unchanged = await call<Record<string, unknown>>("GET", `/api/v1/events/${plain.id}`);
    assert.deepEqual([unchanged.body.data_before, unchanged.body.data_after], [note.data, null]);
  });

  test("has the sessions, the one heard of last first", async (t) => {
    const { call, cwd } = await openApp(t, guard);
    await call("POST", "/api/v1/events", {
      event: "tool.before",
      data: bash,
      session: "s1",
      agent: "a1",
      cwd,
    });
    await call("POST", "/api/v1/events", { ...note, session: "s2" });
    await call("POST", "/api/v1/events", { ...note, session: "s3" });
    await call("POST", "/api/v1/events", { ...note, session: "s1" });
    type Session = {
      session: string;
      events: number;
      denials: number;
      agent: string | null;
      last_seq: number;
    };
    const first = await call<Page<Session>>("GET", "/api/v1/sessions?limit=2");
    assert.deepEqual(
      first.body.items.map(({ session, events, denials, last_seq }) => [session, events, denials, last_seq]),
      [
        ["s1", 2, 1, 5],
        ["s3", 1, 0, 4],
      ],
    );
    const rest = await call<Page<Session>>(
      "GET",
      `/api/v1/sessions?limit=2&cursor=${first.body.next_cursor}`,
    );
    assert.deepEqual([rest.body.items.map(({ session }) => session), rest.body.next_cursor], [["s2"], null]);
  });
});

suite("hooks", () => {
  test("are listed as they are in force, and shown by id and by name", async (t) => {
    const { call, cwd, runtime } = await openApp(t, guard);
    const { body } = await call("GET", `/api/v1/hooks?cwd=${encodeURIComponent(cwd)}`);
    const [configured] = runtime.projects.at(cwd).config.hooks;
    const { id } = configured ?? assert.fail();
    const { digest, ...hook } = (body as { items: Record<string, unknown>[] }).items[0] ?? assert.fail();
    assert.deepEqual(
      { ...body, items: [hook] },
      {
        items: [
          {
            id,
            name: "guard",
            event: "tool.before",
            match: "Bash",
            when: null,
            kind: "command",
            mode: "guard",
            priority: 0,
            timeout_s: 30,
            on_failure: "deny",
            on_denied: false,
            plugin: null,
            dialect: "swarm",
            source: `${cwd}/swarm.yaml:2:5`,
            trust: "trusted",
            enabled: true,
            warnings: [],
            last_result: null,
            calls: 0,
            failures: 0,
            denials: 0,
            last_reason: null,
            last_at: null,
          },
        ],
        files: [`${cwd}/swarm.yaml`],
        problem: null,
        skipped: [],
      },
    );
    for (const written of [id, "guard"]) {
      assert.deepEqual((await call("GET", `/api/v1/hooks/${written}`)).body, { ...hook, digest });
    }
    const elsewhere = await call<HookList>("GET", "/api/v1/hooks?cwd=/");
    assert.deepEqual(elsewhere.body.items, []);
  });

  test("are disabled and enabled, and both are recorded", async (t) => {
    const { call } = await openApp(t, guard);
    const verdict = async () =>
      (
        await call<{ decision: { verdict: string } }>("POST", "/api/v1/events", {
          event: "tool.before",
          data: bash,
        })
      ).body.decision.verdict;
    const enabled = async () => (await call<Hook>("GET", "/api/v1/hooks/guard")).body.enabled;
    assert.deepEqual([await verdict(), await enabled()], ["deny", true]);
    assert.equal((await call<Hook>("PATCH", "/api/v1/hooks/guard", { enabled: false })).body.enabled, false);
    assert.deepEqual([await verdict(), await enabled()], ["none", false]);
    assert.equal((await call<Hook>("PATCH", "/api/v1/hooks/guard", { enabled: true })).body.enabled, true);
    assert.deepEqual([await verdict(), await enabled()], ["deny", true]);
    const changes = await call<Page<Row & { actor: string }>>("GET", "/api/v1/events?kind=change&limit=2");
    assert.deepEqual(
      changes.body.items.map(({ event, hook, actor }) => [event, hook, actor]),
      [
        ["hook.enabled", "guard", "human:ann"],
        ["hook.disabled", "guard", "human:ann"],
      ],
    );
  });

  test("have their runs listed, newest first and page by page", async (t) => {
    const { call } = await openApp(t, guard);
    const { body: hook } = await call<Hook>("GET", "/api/v1/hooks/guard");
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.push((await call<Row>("POST", "/api/v1/events", { event: "tool.before", data: bash })).body.id);
    const path = `/api/v1/hooks/${hook.id}/runs`;
    const first = await call<Page<Row & { status: string }>>("GET", `${path}?limit=3`);
    const second = await call<Page<Row>>("GET", `${path}?limit=3&cursor=${first.body.next_cursor}`);
    assert.deepEqual(
      [...first.body.items, ...second.body.items].map(({ id }) => id),
      ids.toReversed(),
    );
    assert.deepEqual([first.body.items[0]?.status, first.body.items[0]?.reason], ["denied", "not here"]);
    assert.equal(second.body.next_cursor, null);
    const shown = await call("GET", "/api/v1/hooks/guard");
    const { calls, denials, failures, last_result, last_reason } = shown.body;
    assert.deepEqual([calls, denials, failures, last_result, last_reason], [5, 5, 0, "denied", "not here"]);
    assert.deepEqual((await call<Page<Row>>("GET", "/api/v1/hooks/unheard-of/runs")).body.items, []);
  });

  test("never show their address, headers and secret, on any route", async (t) => {
    const config = `hooks:
  - event: tool.before
    type: webhook
    name: notify
    url: "https://a.example/hunter2?key=hunter2"
    secret: whsec_aHVudGVyMnNlY3JldA==
    headers: { Authorization: "Bearer hunter2token", X-Plain: hunter2plain }
  - { event: tool.before, type: http, name: ask, url: "http://127.0.0.1:9/hunter2" }
`;
    const { call } = await openApp(t, config);
    const { body, text } = await call<Row>("POST", "/api/v1/events", { event: "tool.before", data: bash });
    const { body: list } = await call<HookList>("GET", "/api/v1/hooks");
    assert.deepEqual(
      list.items.map(({ name }) => name),
      ["notify", "ask"],
    );
    const paths = [
      "/api/v1/hooks",
      ...list.items.flatMap(({ id }) => [`/api/v1/hooks/${id}`, `/api/v1/hooks/${id}/runs`]),
      "/api/v1/events",
      `/api/v1/events/${body.id}`,
      "/api/v1/events/after/0",
      "/api/v1/sessions",
      "/api/v1/audit/head",
      "/api/v1/openapi.json",
    ];
    const texts = [text];
    for (const path of paths) texts.push((await call("GET", path)).text);
    for (const { id } of list.items)
      texts.push((await call("PATCH", `/api/v1/hooks/${id}`, { enabled: false })).text);
    for (const said of texts) assert.doesNotMatch(said, /hunter2|aHVudGVy|[ab]\.example/);
  });
});

suite("a file that is broken", () => {
  const broken = guard.replace("tool.before", "tool.befor");

  test("from the start decides nothing, and every answer says where it is broken", async (t) => {
    const { call, cwd } = await openApp(t, broken);
    const place = `${cwd}/swarm.yaml:2:12: unknown event "tool.befor", did you mean "tool.before"?`;
    for (const [method, path, body] of [
      ["POST", "/api/v1/events", { event: "tool.before", data: bash }],
      ["GET", "/api/v1/hooks"],
      ["GET", "/api/v1/hooks/guard"],
      ["PATCH", "/api/v1/hooks/guard", { enabled: false }],
    ] as const) {
      const answer = await call<Problem>(method, path, body);
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.detail],
        [400, "SWARM_CONFIG_INVALID", place],
      );
    }
    const { body } = await call<Page<Row & { outcome: string }>>("GET", "/api/v1/events");
    assert.deepEqual(
      body.items.map(({ event, outcome, reason }) => [event, outcome, reason]),
      [["tool.before", "failed", place]],
    );
  });

  test("of one project leaves others as they are", async (t) => {
    const { call, cwd } = await openApp(t, broken);
    const other = join(cwd, "..", "other");
    mkdirSync(other);
    writeFileSync(join(other, "swarm.yaml"), guard);
    const sent = { event: "tool.before", data: bash, cwd: other };
    const { body } = await call<{ decision: { verdict: string } }>("POST", "/api/v1/events", sent);
    assert.equal(body.decision.verdict, "deny");
  });

  test("later keeps the hooks there were, which can still be switched, and says so", async (t) => {
    const { call, cwd, write } = await openApp(t, guard);
    const verdict = async () =>
      (
        await call<{ decision: { verdict: string } }>("POST", "/api/v1/events", {
          event: "tool.before",
          data: bash,
        })
      ).body.decision.verdict;
    assert.equal(await verdict(), "deny");
    write({ "swarm.yaml": broken });
    assert.equal(await verdict(), "deny");
    const { body } = await call<HookList>("GET", "/api/v1/hooks");
    assert.deepEqual(
      body.items.map(({ name }) => name),
      ["guard"],
    );
    assert.match(body.problem ?? "", new RegExp(`^${cwd}/swarm.yaml:2:12: unknown event`));
    assert.equal((await call("PATCH", "/api/v1/hooks/guard", { enabled: false })).status, 200);
    assert.equal(await verdict(), "none");
    assert.equal((await call("PATCH", "/api/v1/hooks/guard", { enabled: true })).status, 200);
    assert.equal(await verdict(), "deny");
    write({ "swarm.yaml": `${guard}\n` });
    assert.equal((await call<HookList>("GET", "/api/v1/hooks")).body.problem, null);
  });
});

suite("the record", () => {
  test("is verified whole, and its signed head is there to be kept", async (t) => {
    const { call } = await openApp(t);
    const empty = await call("GET", "/api/v1/audit/head");
    assert.equal(empty.body.head, null);
    for (let n = 0; n < 3; n++) await call("POST", "/api/v1/events", note);
    const signed = () => call<{ head: Head }>("GET", "/api/v1/audit/head");
    let { head } = (await signed()).body;
    // Signed within 100 ms of the row, whenever that is.
    while (head?.seq !== 3) {
      await new Promise((resolve) => setImmediate(resolve));
      ({ head } = (await signed()).body);
    }
    const { body } = await call("GET", "/api/v1/audit/verify");
    const { key_id, ...rest } = body;
    assert.equal(key_id, head.key_id);
    assert.deepEqual(rest, {
      is_intact: true,
      rows: 3,
      last_seq: 3,
      signed_seq: 3,
      unsigned_rows: 0,
      open_intents: [],
      payloads_checked: 3,
      acceptances: [],
      faults: [],
    });
    const rows = await call<Page<{ hash: string; prev_hash: string }>>("GET", "/api/v1/events");
    assert.deepEqual([rows.body.items[0]?.hash, rows.body.items.at(-1)?.prev_hash], [head.hash, genesisHash]);
  });

  test("that is not the one that was signed last is gone on from when an admin says so, once", async (t) => {
    const { call, runtime } = await openApp(t);
    await call("POST", "/api/v1/events", note);
    await runtime.audit.record({ kind: "login", event: "login", actor: "human:ann" });
    rmSync(join(runtime.home, "audit-head"));
    assert.equal((await call("GET", "/api/v1/audit/verify")).body.is_intact, false);
    const { status, body } = await call<{ is_intact: boolean; acceptances: { reason: string }[] }>(
      "POST",
      "/api/v1/audit/accept",
    );
    assert.deepEqual([status, body.is_intact], [200, true]);
    assert.match(body.acceptances[0]?.reason ?? "", /^audit-head is missing/);
    assert.equal((await call("POST", "/api/v1/audit/accept")).status, 409);
  });
});

test("GET /healthz tells that it is up, which version it is and as what process", async (t) => {
  const { port, daemon } = await startedDaemon(t);
  const { status, text, headers } = await ask({
    port,
    path: "/healthz",
    headers: { host: `localhost:${port}` },
  });
  const { version, ...rest } = JSON.parse(text);
  assert.deepEqual([status, rest], [200, { status: "ok", pid: process.pid, address: daemon.address }]);
  assert.match(version, /^\d+\.\d+\.\d+/);
  assertNoBrowserDoors(Object.keys(headers));
});

suite("trust", () => {
  interface Shown {
    readonly digest: string;
    readonly state: string;
    readonly hooks: readonly { readonly name: string; readonly state: string; readonly changes: string[] }[];
  }
  const path = (cwd: string) => `/api/v1/trust/project?cwd=${encodeURIComponent(cwd)}`;

  async function open(t: TestContext) {
    const opened = await openApp(t, guard);
    const { call, cwd } = opened;
    const show = async () => (await call<Shown>("GET", path(cwd))).body;
    const decide = (what: string, body: object = {}) =>
      call<Shown & Problem>("POST", `/api/v1/trust/${what}`, { cwd, ...body });
    const decision = async () => {
      const sent = { event: "tool.before", data: { ...bash, tool_name: "Read" }, cwd };
      return (await call<{ decision: { verdict: string; hook: string } }>("POST", "/api/v1/events", sent))
        .body.decision;
    };
    return { ...opened, show, decide, decision };
  }

  test("is shown, approved by the digest it was shown with, ignored and revoked, live and each in the record", async (t) => {
    const { call, cwd, show, decide, decision } = await open(t);
    assert.equal((await show()).state, "trusted");
    assert.equal((await decision()).verdict, "none");
    assert.equal((await decide("revoke")).body.state, "untrusted");
    const { verdict, hook } = await decision();
    assert.deepEqual([verdict, hook], ["deny", "swarm/trust"]);
    assert.equal((await decide("ignore")).body.state, "ignored");
    assert.equal((await decision()).verdict, "none");
    const { digest } = await show();
    assert.equal((await decide("approve", { digest })).body.state, "trusted");
    assert.equal((await decision()).verdict, "none");
    const { body } = await call<Page<Row & { actor: string; cwd: string; hook_digest: string }>>(
      "GET",
      "/api/v1/events?kind=change&limit=3",
    );
    assert.deepEqual(
      body.items.map((row) => [row.event, row.actor, row.cwd, row.hook_digest]),
      ["approved", "ignored", "revoked"].map((done) => [`trust.${done}`, "human:ann", cwd, digest]),
    );
    const row = await call<{ data_before: object }>("GET", `/api/v1/events/${body.items[0]?.id}`);
    const { hooks } = row.body.data_before as { hooks: { name: string; digest: string }[] };
    assert.deepEqual([hooks[0]?.name, hooks[0]?.digest.length], ["guard", 64]);
    const all = await call<{ items: { file: string; state: string }[] }>("GET", "/api/v1/trust");
    assert.deepEqual(
      all.body.items.map(({ file, state }) => [file, state]),
      [[join(cwd, "swarm.yaml"), "approved"]],
    );
  });

  test("is given to what was shown and to nothing else: another digest is refused, and nothing is decided", async (t) => {
    const { call, write, cwd, show, decide, decision } = await open(t);
    const { digest: shown } = await show();
    write({ "swarm.yaml": guard.replace("not here", "swapped") });
    for (const digest of [shown, "", "0".repeat(64)]) {
      const { status, body } = await decide("approve", { digest });
      assert.deepEqual([status, body.code], [409, "SWARM_TRUST_STALE"]);
    }
    assert.deepEqual([(await show()).state, (await decision()).hook], ["changed", "swarm/trust"]);
    assert.deepEqual(
      (await show()).hooks[0]?.changes.filter((line) => /^[-+]/.test(line)),
      ["-   echo not here >&2; exit 2", "+   echo swapped >&2; exit 2"],
    );
    const blind = await call<Problem>("POST", "/api/v1/trust/approve", { cwd });
    assert.equal(blind.status, 400);
    const rows = await call<Page<Row>>("GET", "/api/v1/events?event=trust.approved");
    assert.equal(rows.body.items.length, 1, "the first one");
  });

  test("is nothing to decide about where no project has hooks, or its file is broken", async (t) => {
    const { call, write, decide } = await open(t);
    await decide("revoke");
    write({ "swarm.yaml": "hooks: []\n" });
    for (const what of ["ignore", "revoke"])
      assert.equal((await decide(what)).body.code, "SWARM_TRUST_NOTHING");
    write({ "swarm.yaml": "hooks: [" });
    assert.equal((await decide("approve", { digest: "x" })).body.code, "SWARM_CONFIG_INVALID");
    const relative = await call<Problem>("POST", "/api/v1/trust/ignore", { cwd: "." });
    assert.equal(relative.body.code, "SWARM_OPTION_INVALID");
  });
});

fileTrustRouteCases();
pluginRouteCases();

suite("permission rules and approvals", () => {
  const policy =
    "policy: { rules: [{ id: push, behaviour: ask, when: { command: git push }, reason: why }] }\n";
  const push = { event: "tool.before", data: { tool_name: "Bash", tool_input: { command: "git push" } } };
  interface Asked {
    readonly decision: { readonly verdict: string };
    readonly approval: { readonly id: string; readonly status: string };
  }

  test("the rules of a folder are shown with where they are from", async (t) => {
    const { call, cwd } = await openApp(t, policy);
    const { body } = await call("GET", `/api/v1/policy?cwd=${cwd}`);
    const { rules, problem } = body as { rules: { id: string }[]; problem: null };
    // Rules that protect the policy itself come after those of the user.
    const own = rules.filter(({ id }) => id.startsWith("self/"));
    assert.deepEqual([rules.length - own.length, own.length > 0, problem], [1, true, null]);
    assert.deepEqual(rules[0], {
      id: "push",
      behaviour: "ask",
      reason: "why",
      priority: 0,
      when: { command: ["git push"] },
      mode: "enforce",
      except: [],
      is_enabled: true,
      source: { file: join(cwd, "swarm.yaml"), line: 1, column: 19 },
    });
  });

  test("an exception from a rule is written into the user's file, and refused where there is none to make", async (t) => {
    const { call, cwd } = await openApp(t, policy);
    const allow = (body: object) => call<Problem>("POST", "/api/v1/policy/exceptions", { cwd, ...body });
    const made = await allow({ command: "git push", reason: "why" });
    const { exceptions } = made.body as unknown as { exceptions: { rule: string; line: string }[] };
    assert.deepEqual([made.status, exceptions[0]?.rule, exceptions[0]?.line], [200, "push", "git push"]);
    const refused = [
      await allow({ command: "git push", reason: "again" }),
      await allow({ run: "evt_none", cwd: undefined, reason: "why" }),
      await allow({ command: "git push", run: "evt_1", reason: "why" }),
      await allow({ command: "git push -u", reason: "why", until: "2020-01-01" }),
    ];
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      [
        [409, "SWARM_EXCEPTION_REFUSED"],
        [404, "SWARM_RUN_UNKNOWN"],
        [400, "SWARM_OPTION_INVALID"],
        [400, "SWARM_OPTION_INVALID"],
      ],
    );
  });

  test("what is asked is listed in pages, shown, and decided once", async (t) => {
    const { call, cwd } = await openApp(t, policy);
    const asked = (await call("POST", "/api/v1/events", { ...push, cwd })).body as unknown as Asked;
    const { id } = asked.approval;
    await call("POST", "/api/v1/events", { ...push, cwd, agent: "other" });
    const pages = await call("GET", "/api/v1/approvals?status=pending&limit=1");
    const { items, next_cursor } = pages.body as unknown as Page<{ id: string }>;
    assert.notEqual(items[0]?.id, id);
    const second = await call("GET", `/api/v1/approvals?status=pending&limit=1&cursor=${next_cursor}`);
    assert.equal((second.body as unknown as Page<{ id: string }>).items[0]?.id, id);
    const shown = (await call("GET", `/api/v1/approvals/${id}`)).body as { subject: object; rule: string };
    assert.equal(shown.rule, "policy:push");
    const decide = (body: object) => call("POST", `/api/v1/approvals/${id}/decision`, body);
    const bad = [
      await decide({ decision: "perhaps" }),
      await decide({ decision: "denied", comment: "x".repeat(2_001) }),
    ];
    assert.deepEqual(
      bad.map(({ status }) => status),
      [400, 400],
    );
    assert.equal((await decide({ decision: "approved", comment: "go" })).status, 200);
    assert.equal((await decide({ decision: "denied" })).body.code, "SWARM_APPROVAL_DECIDED");
    assert.equal((await call("GET", "/api/v1/approvals/apr_none")).status, 404);
    const passed = (await call("POST", "/api/v1/events", { ...push, cwd })).body as unknown as Asked;
    assert.equal(passed.decision.verdict, "allow");
  });

  test("nobody waits longer than an hour at an open connection", async (t) => {
    const { call, cwd } = await openApp(t, policy);
    for (const wait_s of [-1, 3_601]) {
      assert.equal((await call("POST", "/api/v1/events", { ...push, cwd, wait_s })).status, 400);
    }
  });
});
approverRouteCases();
auditPdfRouteCases();
cronRouteCases();
pipelineRouteCases();
batchRouteCases();

driftRouteCases();
taskRouteCases();
agentRouteCases();
mailRouteCases();

suite("the OpenAPI document", () => {
  test("is served, is version 3.1, and has every operation there is with its own id", async (t) => {
    const { call } = await openApp(t);
    const { body } = await call("GET", "/api/v1/openapi.json");
    assert.deepEqual(body, JSON.parse(JSON.stringify(documented)));
    assert.equal(documented.openapi, "3.1.0");
    const inDocument = Object.entries(documented.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const inTable = Object.values<Route>(routes).map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(inDocument.toSorted(), [...inTable, "GET /api/v1/openapi.json"].toSorted());
  });

  test("describes every parameter of a path, and no other", () => {
    for (const [path, operations] of Object.entries(documented.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(operations)) {
        const { parameters } = operation as unknown as {
          parameters: { name: string; in: string; required: boolean }[];
        };
        const described = parameters.filter((parameter) => parameter.in === "path");
        assert.deepEqual(
          described.map(({ name }) => name),
          inPath,
        );
        assert.ok(described.every(({ required }) => required));
      }
    }
  });

  test("tells how the overview and the catalogue are answered", async (t) => {
    const { call, runtime, cwd, write } = await openApp(t, guard);
    const { audit } = runtime;
    await call("POST", "/api/v1/events", { event: "tool.before", data: bash, cwd });
    const proven = { kind: "change", event: "guard.verified", actor: "human:ann" } as const;
    await audit.record({ ...proven, agent: "codex", reason: "enforced: codex 1.0, deny, allow" });
    const { body } = await call("GET", "/api/v1/overview");
    const { agents, version: _, pid: _pid, signed: _signed, ...rest } = body;
    const codex = (agents as { agent: string; verdict: string; is_outdated: boolean }[]).find(
      ({ agent }) => agent === "codex",
    );
    assert.deepEqual([codex?.verdict, codex?.is_outdated], ["enforced", false]);
    assert.deepEqual(rest, {
      address: null,
      config_files: [join(cwd, "swarm.yaml")],
      config_problem: null,
      is_blocking: true,
      rules: 0,
      hooks: 1,
      guards: 1,
      untrusted: 0,
      denials_24h: 1,
      pending_approvals: 0,
      pending_deliveries: 0,
      dead_deliveries: 0,
      open_targets: 0,
      recorded: 3,
    });
    const { body: protection } = await call("GET", "/api/v1/protection");
    assert.deepEqual(protection.agents, agents);
    write({ "swarm.yaml": "hooks: [" });
    const { body: broken } = await call("GET", "/api/v1/overview");
    assert.match(String(broken.config_problem), /swarm\.yaml/);
    const { body: catalog } = await call<{ items: { event: string }[] }>("GET", "/api/v1/catalog");
    assert.deepEqual(
      catalog.items.map(({ event }) => event),
      eventNames,
    );
  });

  test("tells how tokens and logins are answered", async (t) => {
    const { call } = await openApp(t, undefined, {}, "http://127.0.0.1:7077");
    await call("POST", "/api/v1/tokens", { name: "ci", role: "viewer" });
    await call("GET", "/api/v1/tokens");
    await call("DELETE", "/api/v1/tokens/ci");
    const { body: link } = await call<{ url: string }>("POST", "/api/v1/login-links", { role: "viewer" });
    const { status } = await call("POST", "/api/v1/login", { code: link.url.split("=")[1] });
    assert.deepEqual([status, (await call("GET", "/api/v1/whoami")).status], [200, 200]);
    assert.deepEqual((await call("DELETE", "/api/v1/session")).body, { is_ended: false });
  });

  test("tells how flags are answered", async (t) => {
    const { call } = await openApp(t);
    await call("GET", "/api/v1/flags");
    await call("PUT", "/api/v1/flags/metrics", { value: true });
    assert.equal((await call("DELETE", "/api/v1/flags/metrics")).status, 200);
  });

  test("tells how webhooks and messages are answered", async (t) => {
    const { call, runtime, home } = await openApp(t);
    const hook = 'name: notify, url: "http://127.0.0.1:9/", unsigned: true';
    const config = `hooks: [{ event: task.completed, type: webhook, ${hook} }]\ninbound: { relay: { secret: s } }\n`;
    writeFileSync(join(home, "config.yaml"), config);
    await call("POST", "/api/v1/events", { event: "task.completed", data: { task_id: "t1" } });
    await call("GET", "/api/v1/webhooks");
    const { body: list } = await call<Page<Row>>("GET", "/api/v1/webhooks/deliveries");
    const [{ id } = assert.fail("nothing was queued")] = list.items;
    await call("GET", `/api/v1/webhooks/deliveries/${id}`);
    const [claimed] = await runtime.store.outbox.claim({
      owner: "a",
      nowMs: Date.now(),
      leaseUntilMs: 1e15,
      limit: 1,
    });
    const result = {
      seq: list.items[0]?.seq ?? 0,
      id,
      state: "dead",
      attempts: 1,
      retries: 0,
      last_status: 410,
      last_error: "status 410",
    } as const;
    const progress = {
      owner: "a",
      target: claimed?.target ?? "",
      failures: 0,
      last_error: null,
      nextAtMs: 0,
    };
    const change = { kind: "outbox_settle", ...progress, nowMs: 1, results: [result], moved: [] } as const;
    await runtime.audit.record({ kind: "change", event: "webhook.delivery", actor: "swarm" }, change);
    assert.equal((await call("POST", `/api/v1/webhooks/deliveries/${id}/replay`)).status, 200);
    assert.equal((await call("POST", "/api/v1/webhooks/test", { hook: "notify" })).status, 200);
    const headers = { ...sign(signingKeys("s"), "msg_1", Date.now(), "{}") };
    assert.equal((await call("POST", "/api/v1/inbound/relay", "{}", headers)).status, 200);
  });

  test("was held against a successful answer of every operation in this file", async (t) => {
    const { call } = await openApp(t);
    await call("GET", "/healthz");
    const all = Object.entries(documented.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(
      all.filter((operation) => !called.has(operation)),
      [],
    );
  });

  test("is held against answers by something that trips", () => {
    const schema = {
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
      additionalProperties: false,
    };
    assert.deepEqual(misfits(schema, { n: 1 }), []);
    assert.deepEqual(misfits(schema, { n: 1.5 }), ["$.n is no integer"]);
    assert.deepEqual(misfits(schema, { n: 1, m: 2 }), ["$.m is extra"]);
    assert.deepEqual(misfits(schema, {}), ["$.n is missing"]);
    assert.throws(() => misfits({ oneOf: [] }, 1), /the schema uses oneOf/);
  });
});
