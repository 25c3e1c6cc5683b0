import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Outcome } from "../../engine/events/outcome.ts";
import { emitEntry, failedEntry, observedEntry } from "./entry.ts";
import { RecordBench } from "./harness.cases.ts";

const hookOf = (name: string) => (name === "guard" ? { id: "hook_1", digest: "d1" } : undefined);
const origin = { session: "s1", agent: "builder", task: "t1", cwd: "/work", source: "codex" };
const call = { tool_name: "Bash", tool_input: { command: "ls" } };

const ran = {
  name: "guard",
  kind: "command",
  mode: "guard",
  status: "denied",
  verdict: "deny",
  reason: "no",
  ms: 1.23456,
} as const;

function denied() {
  const outcome = new Outcome("tool.before", { ...call, tool_input: { command: "true" } });
  outcome.decision = { verdict: "deny", reason: "no", hook: "guard", context: [], stop: null };
  outcome.handlers = [ran, { ...ran, name: "in code" }];
  return outcome;
}

test("a decided event becomes an entry with who, what, why and by which hook", () => {
  const outcome = denied();
  const recorded = { ...ran, ms: 1.235, hook_id: "hook_1", digest: "d1" };
  assert.deepEqual(emitEntry(outcome, call, origin, "agent:builder", 4.5, hookOf), {
    id: outcome.id,
    kind: "emit",
    event: "tool.before",
    actor: "agent:builder",
    ...origin,
    verdict: "deny",
    reason: "no",
    hook: "guard",
    hook_digest: "d1",
    ms: 4.5,
    outcome: "denied",
    handlers: [recorded, { ...recorded, name: "in code", hook_id: null, digest: null }],
    before: '{"tool_name":"Bash","tool_input":{"command":"ls"}}',
    after: '{"tool_name":"Bash","tool_input":{"command":"true"}}',
  });
});

test("a payload nobody rewrote is told once", () => {
  const { after, verdict, outcome } = emitEntry(
    new Outcome("tool.before", call),
    call,
    {},
    "swarm",
    0,
    hookOf,
  );
  assert.deepEqual([after, verdict, outcome], [null, "none", "completed"]);
});

test("an observation refers to the event it observed", () => {
  const outcome = denied();
  const observed = { ...ran, mode: "observe", status: "failed", verdict: "none", reason: "exit 1" } as const;
  assert.deepEqual(observedEntry(outcome, undefined, observed, "swarm", hookOf), {
    kind: "observed",
    event: "tool.before",
    ref: outcome.id,
    actor: "swarm",
    session: null,
    agent: null,
    task: null,
    cwd: null,
    source: null,
    hook: "guard",
    hook_digest: "d1",
    reason: "exit 1",
    ms: 1.23456,
    outcome: "failed",
    handlers: [{ ...observed, ms: 1.235, hook_id: "hook_1", digest: "d1" }],
  });
});

test("an event that could not be decided is told with its payload, whatever that is", () => {
  const circular: Record<string, unknown> = { tool_name: "Bash" };
  circular.self = circular;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const throwing = Object.defineProperty({}, "x", {
    enumerable: true,
    get: () => {
      throw new Error("looked at");
    },
  });
  const payloads: readonly [unknown, string | null][] = [
    [call, '{"tool_name":"Bash","tool_input":{"command":"ls"}}'],
    ["text", '"text"'],
    [undefined, null],
    [() => 1, null],
    [10n, null],
    [circular, null],
    [deep, null],
    [throwing, null],
  ];
  for (const [data, before] of payloads) {
    const entry = failedEntry("tool.before", data, {}, "swarm", new Error("bad payload"));
    assert.deepEqual([entry.outcome, entry.reason, entry.before], ["failed", "bad payload", before]);
  }
});

test("secrets are gone from every byte that is stored", async (t) => {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  const secrets = {
    openAi: "sk-proj-abcdefghijklmnop1234567890",
    gitHub: "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    webhook: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    aws: "AKIAIOSFODNN7EXAMPLE",
    bearer: "eyJhbGciOiJIUzI1NiJ9.c2VjcmV0",
    named: "hunter2-correct-horse",
    nested: "battery-staple-99",
    pem: "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3vVpguoRK9JLsLMREScVpe1omrB6BzHfVfA9g",
  };
  const telling = `curl -H "Authorization: Bearer ${secrets.bearer}" ${secrets.openAi} ${secrets.gitHub} ${secrets.aws}`;
  const pem = `-----BEGIN PRIVATE KEY-----\n${secrets.pem}\n-----END PRIVATE KEY-----`;
  const data = {
    tool_name: "Bash",
    tool_input: {
      command: telling,
      env: { DB_PASSWORD: secrets.named, nested: [{ api_key: { value: secrets.nested } }] },
      text: `${pem} ${secrets.webhook}`,
    },
  };
  const outcome = new Outcome("tool.before", {
    ...data,
    tool_input: { ...data.tool_input, command: `${telling} # 2` },
  });
  outcome.decision = {
    verdict: "deny",
    reason: `denied: ${telling}`,
    hook: "guard",
    context: [telling],
    stop: telling,
  };
  outcome.handlers = [{ ...ran, reason: `stderr: ${telling} ${pem}` }];
  await recorder.record(emitEntry(outcome, data, origin, "agent:builder", 1, hookOf));
  await recorder.record(observedEntry(outcome, origin, { ...ran, reason: telling }, "swarm", hookOf));
  await recorder.record(failedEntry("tool.before", data, origin, "swarm", new Error(`cannot: ${telling}`)));
  await recorder.close();
  const log = readFileSync(`${bench.file}-wal`); // gone when the store is closed
  await store.close(); // reading the file itself while it is open here would drop SQLite's locks
  const names = readdirSync(bench.folder).filter((name) => !/\.(pem|pub)$/.test(name));
  const bytes = Buffer.concat([log, ...names.map((name) => readFileSync(join(bench.folder, name)))]);
  assert.ok(bytes.includes("[redacted]") && bytes.includes("curl -H"));
  for (const [what, secret] of Object.entries(secrets)) assert.equal(bytes.includes(secret), false, what);
});
