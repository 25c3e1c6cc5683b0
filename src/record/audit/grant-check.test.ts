import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { StoreChange } from "../../store/port/store.ts";
import { believedParts } from "./believed-store.ts";
import { GrantCheck } from "./grant-check.ts";
import { grantFaults } from "./grant-faults.ts";
import { RecordBench } from "./harness.cases.ts";

const time = "2026-01-02T03:04:05.678Z";
const actor = "human:ann";
const hook = {
  file: "/p/swarm.yaml",
  hook_id: "h1",
  name: "guard",
  is_guard: true,
  digest: "d1",
  definition: "x",
  files: [{ place: "a.sh", sha256: "s1" }],
  time,
  actor,
};
const token = { name: "ci", role: "viewer", token_hash: "t1", created_at: time, created_by: actor } as const;
const plugin = {
  name: "lint",
  version: "1",
  digest: "p1",
  source: "/src",
  guarded_events: ["tool.before"],
  is_enabled: true,
  time,
  actor,
};

/** Of every kind that grants something, as they are made. */
const made: readonly StoreChange[] = [
  { kind: "token_added", row: { ...token, revoked_at: null } },
  { kind: "trust_approved", file: hook.file, hooks: [hook, { ...hook, hook_id: "h0" }] },
  { kind: "trust_ignored", row: { file: "/q/swarm.yaml", time, actor } },
  { kind: "file_approved", row: { sha256: "f1", path: "/m.pkl", bytes: 7, time, actor } },
  { kind: "plugin_added", row: plugin },
  { kind: "flag_set", row: { name: "hooks_enabled", is_on: true, time, actor } },
  { kind: "hook_switch", row: { hook_id: "h1", is_enabled: true, time, actor } },
];

async function granted(t: TestContext, changes: readonly StoreChange[] = made) {
  const bench = new RecordBench(t);
  const store = bench.open();
  const recorder = bench.recorder(store);
  const record = (change: StoreChange) =>
    recorder.record({ kind: "change", event: "flag.set", actor, time, hook_digest: "p1" }, change);
  for (const change of changes) await record(change);
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const check = new GrantCheck({ store, key: bench.key, fault: () => recorder.currentFault() });
  const believed = believedParts(store, check, log);
  const faults = async () => (await grantFaults(store, check, time)).map(({ problem }) => problem);
  /** What is acted on, as one text. */
  const seen = async () =>
    JSON.stringify([
      await believed.tokens?.list(),
      await believed.trust?.list(),
      await believed.fileTrust?.list(),
      await believed.fileTrust?.find("f1"),
      await believed.plugins?.list(),
      await believed.flags?.list(),
      await believed.listHookSwitches?.(),
      await believed.pipelines?.listStages(),
    ]);
  return { bench, store, record, believed, check, faults, seen, warnings };
}

test("what was granted with a row of the record counts, and is found in order", async (t) => {
  const { believed, faults, warnings, store } = await granted(t);
  assert.equal((await believed.tokens?.list())?.length, 1);
  assert.deepEqual((await believed.trust?.list())?.trusted.length, 2);
  assert.deepEqual((await believed.trust?.list())?.doubted, []);
  assert.deepEqual(await believed.plugins?.list(), await store.plugins.list());
  assert.deepEqual([await faults(), warnings], [[], []]);
});

const edits: readonly [what: string, sql: string, ref: string][] = [
  ["a token's role", "update tokens set role = 'admin'", "token:ci"],
  ["a token's hash", "update tokens set token_hash = 'mine'", "token:ci"],
  [
    "another token",
    "insert into tokens values ('evil', 'admin', 'mine', '2026', 'human:ann', null)",
    "token:evil",
  ],
  [
    "an approved digest",
    "update trusted_hooks set digest = 'mine' where hook_id = 'h1'",
    "trust:/p/swarm.yaml",
  ],
  ["what is a guard", "update trusted_hooks set is_guard = 0 where hook_id = 'h1'", "trust:/p/swarm.yaml"],
  ["one approval less", "delete from trusted_hooks where hook_id = 'h1'", "trust:/p/swarm.yaml"],
  ["no approval", "delete from trusted_hooks", "trust:/p/swarm.yaml"],
  [
    "an ignored project more",
    "insert into ignored_projects values ('/p/swarm.yaml', '2026', 'human:ann')",
    "trust:/p/swarm.yaml",
  ],
  ["another ignored project", "insert into ignored_projects values ('/z', '2026', 'human:ann')", "trust:/z"],
  [
    "an approved file",
    "insert into approved_files values ('mine', '/x', 1, '2026', 'human:ann')",
    "file:mine",
  ],
  ["an approved file's path", "update approved_files set path = '/x'", "file:f1"],
  ["a plugin switched off", "update plugins set is_enabled = 0", "plugin:lint"],
  ["a plugin's code", "update plugins set digest = 'mine'", "plugin:lint"],
  ["what a plugin guards", "update plugins set guarded_events = '[]'", "plugin:lint"],
  ["no plugin", "delete from plugins", "plugin:lint"],
  ["a flag", "update flags set is_on = 0", "flag:hooks_enabled"],
  ["another flag", "insert into flags values ('metrics', 1, '2026', 'human:ann')", "flag:metrics"],
  ["no flag", "delete from flags", "flag:hooks_enabled"],
  ["a hook switched off", "update hook_switches set is_enabled = 0", "hook:h1"],
  ["another hook switched off", "insert into hook_switches values ('h2', 0, '2026', 'human:ann')", "hook:h2"],
  [
    "a promoted model",
    "insert into model_stages values ('m', 'live', 9, '2026', 'human:ann', null, null)",
    "model:m:live",
  ],
];

for (const [what, sql, ref] of edits) {
  test(`${what} in the database alone does not count, and is found`, async (t) => {
    const { bench, faults, seen, warnings, believed } = await granted(t);
    bench.tamper((database) => database.exec(sql));
    assert.match((await faults()).join("\n"), new RegExp(`^${ref.replaceAll("/", "\\/")} `, "m"));
    const acted = await seen();
    assert.ok(!/mine|evil|"role":"admin"|"is_on":false|"is_enabled":false|"version":9/.test(acted), acted);
    assert.ok(
      warnings.some((warning) => warning.startsWith(ref)),
      warnings.join(),
    );
    // What keeps guard is not switched off by taking its row away.
    assert.deepEqual(
      (await believed.plugins?.list())?.map(({ digest }) => digest),
      ["p1"],
    );
    assert.deepEqual(
      (await believed.flags?.list())?.map(({ is_on }) => is_on),
      [true],
    );
    const { trusted = [], doubted = [] } = (await believed.trust?.list()) ?? {};
    assert.ok(trusted.length === 2 || doubted.includes(hook.file));
  });
}

test("what was taken back stays so, whatever is put back", async (t) => {
  const { bench, record, seen, faults } = await granted(t);
  const tables = ["tokens", "trusted_hooks", "ignored_projects", "approved_files", "plugins", "flags"];
  bench.tamper((database) => {
    for (const table of tables) database.exec(`create table kept_${table} as select * from ${table}`);
  });
  for (const change of [
    { kind: "token_revoked", name: "ci", time },
    { kind: "trust_revoked", file: hook.file },
    { kind: "trust_revoked", file: "/q/swarm.yaml" },
    { kind: "file_revoked", sha256: "f1", path: "/m.pkl" },
    { kind: "plugin_removed", name: "lint" },
    { kind: "flag_unset", name: "hooks_enabled" },
  ] satisfies StoreChange[])
    await record(change);
  const after = await seen();
  assert.deepEqual(await faults(), []);
  bench.tamper((database) => {
    for (const table of tables)
      database.exec(`delete from ${table}; insert into ${table} select * from kept_${table}`);
  });
  assert.equal((await faults()).length, tables.length);
  const [, ...rest] = JSON.parse(await seen()) as unknown[];
  assert.deepEqual(rest, (JSON.parse(after) as unknown[]).slice(1));
  assert.deepEqual((JSON.parse(await seen()) as unknown[])[0], []);
});

test("rows of the record that were not written here grant nothing, and end what they are about", async (t) => {
  const { bench, seen, faults, check } = await granted(t);
  const { state } = (await check.recorded("token:ci")) ?? assert.fail();
  for (const [seal, given] of [
    ["null", "null"],
    ["'AAAA'", `'${state}'`],
    // The seal of another row, and its state.
    ["(select seal from run_events where seq = 1)", "(select state from run_events where seq = 1)"],
  ] as const) {
    bench.tamper((database) => {
      database.exec("delete from run_events where id = 'evt_forged'");
      database.exec(`insert into run_events select (select max(seq) from run_events) + 1, 'evt_forged', time, kind, event,
        'token:ci', actor, session, agent, task, cwd, source, verdict, reason, hook, hook_digest, before_hash, after_hash,
        ms, outcome, handlers, hash, 'h' || seq, ${seal}, ${given} from run_events where seq = 1`);
    });
    assert.match(
      (await faults()).join("\n"),
      /^token:ci is in the store, but a row of the record about it was changed/m,
    );
    assert.ok(!(await seen()).includes('"name":"ci"'));
  }
});
