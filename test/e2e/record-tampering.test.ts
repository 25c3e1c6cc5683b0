import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { crc32 } from "node:zlib";
import { Place } from "./harness.ts";

interface Row {
  seq: number;
  kind: string;
  event: string;
  actor: string;
  reason: string | null;
}

async function rows(place: Place): Promise<Row[]> {
  return (await place.json<{ items: Row[] }>("audit", "log", "--limit", "100")).items;
}

const forged = {
  seq: 97,
  id: "evt_forged",
  time: "2025-01-01T00:00:00.000Z",
  kind: "outcome",
  event: "approval.requested",
  ref: null,
  actor: "human:ann",
  session: null,
  agent: null,
  task: null,
  cwd: null,
  source: null,
  verdict: "allow",
  reason: "a person approved",
  hook: null,
  hook_digest: null,
  ms: 0,
  outcome: "completed",
  handlers: [],
  before: null,
  after: null,
};

suite("entries that were not written by this home", () => {
  test("are set aside from the journal, and a row says so", async (t) => {
    const place = new Place(t);
    await place.swarm("emit", "notification", "--data", '{"message":"first"}');
    const json = JSON.stringify(forged);
    const checked = `${crc32(json).toString(16).padStart(8, "0")} ${json}\n`;
    for (const [at, text] of [checked, "null\n", "{}\n", "00000000 null\n"].entries()) {
      writeFileSync(join(place.home, "journal"), text);
      const { status, stderr } = await place.swarm("status");
      assert.deepEqual([status, /SWARM_INTERNAL/.test(stderr)], [0, false], stderr);
      const found = await rows(place);
      assert.equal(found.filter(({ event }) => event === "entries.rejected").length, at + 1);
      assert.ok(found.every(({ actor, seq }) => actor !== "human:ann" && seq < 97));
    }
    assert.equal(readdirSync(place.home).filter((name) => /^journal\..*\.rejected$/.test(name)).length, 4);
    assert.equal((await place.swarm("audit", "verify")).status, 0);
    // A daemon starts all the same, and begins the journal again.
    const up = await place.up();
    assert.equal((await place.call(up.port, "GET", "/api/v1/events")).status, 200);
  });
});

/** Does to the database what somebody can who may write it and has no key. */
function edit(place: Place, sql: string): void {
  const database = new DatabaseSync(join(place.home, "swarm.db"));
  try {
    database.exec("pragma busy_timeout = 5000");
    database.exec(sql);
  } finally {
    database.close();
  }
}

const asking = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;
const push = JSON.stringify({ tool_name: "Bash", tool_input: { command: "git push" } });

suite("what the database alone grants", () => {
  for (const isUp of [true, false]) {
    const how = isUp ? "with a daemon" : "without one";
    const placed = async (t: Parameters<typeof test>[0] & object) => {
      const place = new Place(t as never);
      mkdirSync(place.home, { recursive: true });
      writeFileSync(join(place.home, "config.yaml"), asking);
      if (isUp) await place.up();
      const emit = () =>
        place.json<{ decision: { verdict: string }; approval?: { id: string } }>(
          "emit",
          "tool.before",
          "--data",
          push,
        );
      return { place, emit };
    };

    test(`an approval is refused, asked again and found, ${how}`, async (t) => {
      const { place, emit } = await placed(t as never);
      const id = (await emit()).approval?.id ?? assert.fail();
      edit(
        place,
        `update approvals set status = 'approved', decided_at = '2026-01-01T00:00:00.000Z', decided_by = 'human:ann',
         expires_at = '2999-01-01T00:00:00.000Z' where id = '${id}'`,
      );
      const again = await emit();
      assert.deepEqual([again.decision.verdict, again.approval?.id === id], ["ask", false]);
      const found = await place.swarm("audit", "verify");
      assert.equal(found.status, 1);
      assert.match(found.stdout, new RegExp(`grant: approval ${id} is approved in the store, but no row`));
      // The next one is given as ever.
      await place.swarm("approvals", "approve", again.approval?.id ?? "");
      assert.equal((await emit()).decision.verdict, "allow");
    });

    test(`a used approval is not used again, whatever is put back, ${how}`, async (t) => {
      const { place, emit } = await placed(t as never);
      const id = (await emit()).approval?.id ?? assert.fail();
      await place.swarm("approvals", "approve", id);
      assert.equal((await emit()).decision.verdict, "allow");
      edit(place, `update approvals set status = 'approved', used_at = null where id = '${id}'`);
      assert.equal((await emit()).decision.verdict, "ask");
      // Nor when the row that tells of its use is taken out of the record.
      edit(
        place,
        `drop trigger run_events_keep; delete from payloads; delete from hook_runs;
         delete from run_events where event in ('approval.used', 'approval.refused');
         delete from approvals where status = 'pending'`,
      );
      assert.equal((await emit()).decision.verdict, "ask");
      assert.equal((await place.swarm("audit", "verify")).status, 1);
    });

    test(`a question that was changed is not approved, ${how}`, async (t) => {
      const { place, emit } = await placed(t as never);
      const id = (await emit()).approval?.id ?? assert.fail();
      edit(
        place,
        `update approvals set subject = replace(subject, 'git push', 'git log') where id = '${id}'`,
      );
      const { status, stderr } = await place.swarm("approvals", "approve", id);
      assert.deepEqual([status, /SWARM_APPROVAL_ALTERED/.test(stderr)], [65, true], stderr);
    });
  }

  test("a token opens nothing and is found", async (t) => {
    const place = new Place(t);
    const up = await place.up();
    const good = await place.json<{ token: string }>("tokens", "add", "ci", "--role", "viewer");
    up.child.kill("SIGTERM");
    await up.ended;
    const mine = hash("sha256", "mine", "hex");
    edit(place, `insert into tokens values ('evil', 'admin', '${mine}', '2026', 'human:ann', null)`);
    const again = await place.up();
    const status = async (token: string) => {
      const response = await fetch(`http://127.0.0.1:${again.port}/api/v1/flags`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.arrayBuffer();
      return response.status;
    };
    assert.deepEqual([await status("mine"), await status(good.token)], [401, 200]);
    const found = await place.swarm("audit", "verify");
    assert.match(found.stdout, /grant: token:evil is in the store, but no row of the record tells of it/);
    assert.equal(found.status, 1);
  });

  test("a guard stays approved and in force when its approval is deleted, and a project is not ignored", async (t) => {
    const guard =
      "hooks:\n  - { event: tool.before, type: command, name: no, on_failure: deny, command: exit 2 }\n";
    const place = new Place(t, guard);
    await place.trust();
    const verdict = async () =>
      (
        await place.json<{ decision: { verdict: string; reason: string } }>(
          "emit",
          "tool.before",
          "--data",
          push,
        )
      ).decision;
    const file = join(place.project, "swarm.yaml");
    edit(
      place,
      `delete from trusted_hooks; insert into ignored_projects values ('${file}', '2026', 'human:ann')`,
    );
    place.write("swarm.yaml", "hooks: []\n");
    const denied = await verdict();
    assert.equal(denied.verdict, "deny");
    assert.match(denied.reason, /is no longer what the record says/);
    assert.equal((await place.swarm("audit", "verify")).status, 1);
    assert.equal((await place.swarm("trust", "--yes")).status, 0);
    assert.equal((await verdict()).verdict, "none");
    assert.equal((await place.swarm("audit", "verify")).status, 0);
  });

  test("rows that were added to the record are not signed, and are found", async (t) => {
    const place = new Place(t);
    await place.swarm("emit", "notification", "--data", '{"message":"first"}');
    const database = new DatabaseSync(join(place.home, "swarm.db"));
    const last = database.prepare("select * from run_events order by seq desc limit 1").get() ?? {};
    const row = {
      ...last,
      seq: Number(last.seq) + 1,
      id: "evt_forged",
      kind: "outcome",
      event: "approval.requested",
      actor: "human:ann",
      prev_hash: last.hash,
    } as Record<string, unknown>;
    const { hash: _hash, seal: _seal, state: _state, ...hashed } = row;
    const values = Object.values({ ...hashed, handlers: JSON.parse(String(hashed.handlers)) });
    const linked = { ...row, hash: hash("sha256", JSON.stringify(values), "hex") };
    const names = Object.keys(linked);
    database
      .prepare(`insert into run_events (${names.join()}) values (${names.map((name) => `:${name}`).join()})`)
      .run(linked as never);
    database.close();
    const { status, stdout } = await place.swarm("audit", "verify");
    assert.equal(status, 1, stdout);
    assert.match(stdout, /forged: row 2 was not written by a process with the key/);
  });
});

suite("a payload", () => {
  const message = (text: string) => ["emit", "notification", "--data", JSON.stringify({ message: text })];

  test("that is deleted before its time is found, and one that was too large to be kept is not missed", async (t) => {
    const place = new Place(t);
    await place.swarm(...message("one"));
    place.write("large.json", JSON.stringify({ message: "x".repeat(300_000) }));
    assert.equal((await place.swarm("emit", "notification", "--data", "@large.json")).status, 0);
    assert.equal((await place.swarm("audit", "verify")).status, 0);
    const gone = /payload: the payload of row 1 is gone, and no row says that it was forgotten/;
    for (const sql of [
      "update payloads set before = null where seq = 1",
      "delete from payloads where seq = 1",
      // Nor is it hidden by taking the seal that says whether it was kept from another row, or from this one.
      "drop trigger run_events_fixed; update run_events set seal = (select seal from run_events where seq = 2) where seq = 1",
      "update run_events set seal = null where seq = 1",
    ]) {
      edit(place, sql);
      const { status, stdout } = await place.swarm("audit", "verify");
      assert.deepEqual([status, gone.test(stdout)], [1, true], `${sql}: ${stdout}`);
    }
  });

  test("that was forgotten by a retention is not missed", async (t) => {
    const place = new Place(t);
    await place.swarm(...message("one"));
    const create = [
      "cron",
      "create",
      "--name",
      "old",
      "--schedule",
      "@yearly",
      "--task",
      "retention",
      "--config",
      '{"payload_days":0}',
    ];
    await place.up();
    const made = await place.swarm(...create);
    assert.equal(made.status, 0, made.stderr);
    assert.equal((await place.swarm("cron", "run", "old", "--wait")).status, 0);
    assert.ok((await rows(place)).some(({ event }) => event === "payloads.expired"));
    const { status, stdout } = await place.swarm("audit", "verify");
    assert.equal(status, 0, stdout);
  });
});

suite("a record that is not the one that was signed last", () => {
  const message = (text: string) => ["emit", "notification", "--data", JSON.stringify({ message: text })];
  async function recorded(t: ConstructorParameters<typeof Place>[0]): Promise<Place> {
    const place = new Place(t);
    for (const text of ["one", "two"]) await place.swarm(...message(text));
    assert.equal((await place.swarm("audit", "verify")).status, 0);
    return place;
  }
  const database = (place: Place) => ["", "-wal", "-shm"].map((end) => join(place.home, `swarm.db${end}`));
  const copied = (place: Place, to: string) => {
    mkdirSync(join(place.folder, to));
    for (const file of readdirSync(place.home).filter((name) => name.startsWith("swarm.db")))
      cpSync(join(place.home, file), join(place.folder, to, file));
  };
  const remove = (place: Place) => {
    for (const file of database(place)) rmSync(file, { force: true });
  };

  const cases: readonly [what: string, change: (place: Place) => Promise<void> | void, told: RegExp][] = [
    ["is wiped", remove, /truncated: the record ends at row 0, but row 2 was signed on 20/],
    [
      "is cut back, its signature with it",
      (place) => {
        const head = "update signed_head set seq = 1, hash = (select hash from run_events where seq = 1)";
        edit(
          place,
          `drop trigger run_events_keep; delete from payloads where seq > 1; ${head};
          delete from hook_runs; delete from run_events where seq > 1`,
        );
      },
      /truncated: the record ends at row 1, but row 2 was signed on 20/,
    ],
    [
      "is an older copy",
      async (place) => {
        copied(place, "older");
        await place.swarm(...message("three"));
        remove(place);
        cpSync(join(place.folder, "older"), place.home, { recursive: true });
      },
      /truncated: the record ends at row 2, but row 3 was signed on 20/,
    ],
    [
      "is another one, as long",
      async (place) => {
        remove(place);
        rmSync(join(place.home, "audit-head"));
        writeFileSync(join(place.home, "audit-head"), readFileSync(join(place.folder, "head"), "utf8"));
        for (const text of ["four", "five"]) await place.swarm(...message(text));
      },
      /rewritten: row 2 was signed on 20.*, and is another one now/,
    ],
    [
      "has lost its mark",
      (place) => rmSync(join(place.home, "audit-head")),
      /unsigned: audit-head is missing, and the key beside it was used before/,
    ],
    [
      "has a mark of nobody's",
      (place) =>
        writeFileSync(
          join(place.home, "audit-head"),
          readFileSync(join(place.home, "audit-head"), "utf8").replace('"seq":2', '"seq":1'),
        ),
      /unsigned: audit-head was not signed by the key/,
    ],
    [
      "has a mark that is none",
      (place) => writeFileSync(join(place.home, "audit-head"), "null"),
      /not signed by the key/,
    ],
  ];
  for (const [what, change, told] of cases) {
    test(`is found when it ${what}, is not signed by whoever comes next, and can be accepted`, async (t) => {
      const was = /(truncated|rewritten|unsigned): (the record ends at row|row \d+ was signed on|audit-head)/;
      const place = await recorded(t);
      cpSync(join(place.home, "audit-head"), join(place.folder, "head"));
      await change(place);
      assert.match((await place.swarm("audit", "verify")).stdout, told);
      await place.swarm(...message("next"));
      const up = await place.up();
      await place.swarm(...message("by the daemon"));
      const found = await place.swarm("audit", "verify");
      assert.deepEqual([found.status, was.test(found.stdout)], [1, true], found.stdout);
      const refused = await place.swarm("audit", "accept");
      assert.deepEqual(
        [refused.status, /there is nobody to ask/.test(refused.stderr)],
        [64, true],
        refused.stderr,
      );
      assert.equal((await place.swarm("audit", "accept", "--yes")).status, 0);
      const after = await place.swarm("audit", "verify");
      assert.deepEqual(
        [after.status, /^accepted on 20.* by human:/m.test(after.stdout)],
        [0, true],
        after.stdout,
      );
      await place.swarm(...message("as ever"));
      up.child.kill("SIGTERM");
      await up.ended;
      assert.equal((await place.swarm("audit", "verify")).status, 0);
      const again = await place.swarm("audit", "accept", "--yes");
      assert.deepEqual([again.status, /SWARM_AUDIT_INTACT/.test(again.stderr)], [64, true], again.stderr);
    });
  }

  test("lets no approval of it pass: one that was used comes back with an older copy", async (t) => {
    const place = new Place(t);
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, "config.yaml"), asking);
    const emit = () =>
      place.json<{ decision: { verdict: string }; approval?: { id: string } }>(
        "emit",
        "tool.before",
        "--data",
        push,
      );
    const id = (await emit()).approval?.id ?? assert.fail();
    await place.swarm("approvals", "approve", id);
    copied(place, "approved");
    assert.equal((await emit()).decision.verdict, "allow");
    remove(place);
    cpSync(join(place.folder, "approved"), place.home, { recursive: true });
    assert.equal((await emit()).decision.verdict, "ask");
    const [refused] = (await rows(place)).filter(({ event }) => event === "approval.refused");
    assert.match(refused?.reason ?? "", /does not count: the record is not intact: the record ends at row/);
  });

  test("a home that is new is intact from the first command on, whoever comes at once", async (t) => {
    const place = new Place(t);
    const ends = await Promise.all([1, 2, 3].map((n) => place.swarm(...message(String(n)))));
    assert.deepEqual(
      ends.map(({ status }) => status),
      [0, 0, 0],
    );
    const { status, stdout } = await place.swarm("audit", "verify");
    assert.equal(status, 0, stdout);
  });
});

suite("a key of the record that was replaced", () => {
  const guard = `hooks:
  - { event: tool.before, type: command, name: keeper, mode: guard, on_failure: deny, command: "exit 0" }
`;
  const ways: Readonly<Record<string, (place: Place) => void>> = {
    "with the key": () => undefined,
    "with the key and what it marked": ({ home }) => rmSync(join(home, "audit-head")),
    "with the key, what it marked and what was approved": (place) => {
      rmSync(join(place.home, "audit-head"));
      edit(place, "delete from trusted_hooks");
    },
  };
  for (const [what, attack] of Object.entries(ways))
    test(`does not forget an approved guard that goes ${what}`, async (t) => {
      const place = new Place(t, guard);
      await place.trust();
      const verdict = async () => {
        const asked = await place.json<{ decision: { verdict: string } }>(
          "emit",
          "tool.before",
          "--data",
          push,
        );
        return asked.decision.verdict;
      };
      assert.equal(await verdict(), "none");
      rmSync(join(place.home, "audit-key.pem"));
      attack(place);
      rmSync(join(place.project, "swarm.yaml"));
      for (const _ of ["the process that makes the new key", "the next one"])
        assert.equal(await verdict(), "deny");
      assert.equal((await place.swarm("audit", "verify")).status, 1);
    });
});
