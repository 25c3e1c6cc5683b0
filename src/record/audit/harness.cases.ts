import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { NewEntry } from "../port/audit.ts";
import type { RunEvent } from "../port/run-event.ts";
import type { Head, SignedHead, Store } from "../../store/port/store.ts";
import { entry, handler } from "../../store/port/store-harness.cases.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { manualClock } from "../../engine/testing/index.ts";
import { rowHash } from "../port/chain.ts";
import { type Durability, Recorder } from "./recorder.ts";
import { type PublicKey, SigningKey } from "./signing-key.ts";
import { storedRecord } from "./stored-record.ts";
import { type Verification, verifyRecord } from "./verify.ts";

/** A record of one test, in a folder that goes with the test. */
export class RecordBench {
  readonly folder = mkdtempSync(join(tmpdir(), "swarm-audit-"));
  readonly file = join(this.folder, "swarm.db");
  readonly key: SigningKey;
  readonly clock = manualClock();
  readonly warnings: string[] = [];
  readonly #stores: Store[] = [];

  /** Starts as a copy of another one that is closed, if given: writing rows takes longer. */
  constructor(t: { after(work: () => Promise<void>): void }, original?: RecordBench) {
    if (original !== undefined) cpSync(original.folder, this.folder, { recursive: true });
    this.key = new SigningKey(join(this.folder, "audit-key.pem"));
    t.after(async () => {
      for (const store of this.#stores) await store.close();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  open(): Store {
    const store = openSqliteStore(this.file);
    this.#stores.push(store);
    return store;
  }

  recorder(store: Store, durability: Durability = "process"): Recorder {
    const log = { warn: (message: string) => this.warnings.push(message) };
    return new Recorder({ store, key: this.key, clock: this.clock, durability, log });
  }

  /** Records the entries, signs them and closes everything. */
  async recorded(entries: readonly NewEntry[]): Promise<RunEvent[]> {
    const store = this.open();
    const recorder = this.recorder(store);
    const rows = await Promise.all(entries.map((each) => recorder.record(each)));
    await recorder.close();
    await store.close();
    return rows;
  }

  async verified(anchors: readonly Head[] = [], key: PublicKey = this.key.publicKey): Promise<Verification> {
    const store = this.open();
    const verification = await verifyRecord(await storedRecord(store, key, anchors));
    await store.close();
    return verification;
  }

  /** Does to the file what somebody can who may write it and has no key. */
  tamper(work: (database: DatabaseSync) => void): void {
    const database = new DatabaseSync(this.file, { enableForeignKeyConstraints: false });
    try {
      database.exec("drop trigger if exists run_events_keep; drop trigger if exists run_events_fixed");
      work(database);
    } finally {
      database.close();
    }
  }
}

/** Fifty rows of every kind: with payloads and without, with handlers and without, intents that ended and one that did not. */
export const fifty: readonly NewEntry[] = Array.from({ length: 50 }, (_, at): NewEntry => {
  const { time: _time, ...told } = entry({ id: `evt_${at + 1}`, session: `s${at % 3}`, ms: at / 8 });
  if (at % 10 === 7) return { ...told, kind: "intent", outcome: "open" };
  if (at % 10 === 8 && at !== 48) return { ...told, kind: "outcome", ref: `evt_${at}` };
  const isDenied = at % 4 === 0;
  return {
    ...told,
    agent: "builder",
    task: "t1",
    cwd: "/work",
    source: "codex",
    verdict: isDenied ? "deny" : "allow",
    reason: isDenied ? `not ${at}` : null,
    hook: isDenied ? "freeze" : null,
    hook_digest: isDenied ? "d0" : null,
    outcome: isDenied ? "denied" : "completed",
    handlers: [handler({ reason: isDenied ? `not ${at}` : null })],
    before: `{"n":${at}}`,
    after: at % 3 === 0 ? `{"n":${-at}}` : null,
  };
});

/** Hashes every row from this one on again, as somebody would who has changed one and has no key. */
export function rehash(rows: readonly RunEvent[], fromSeq: number): RunEvent[] {
  let last: string | null = null;
  return rows.map((row) => {
    if (row.seq < fromSeq) return row;
    const linked: RunEvent = { ...row, prev_hash: last ?? row.prev_hash };
    last = rowHash(linked);
    return { ...linked, hash: last };
  });
}

/** Puts rows in the place of those that are there. */
export function replaceRows(database: DatabaseSync, rows: readonly RunEvent[]): void {
  for (const { seq, handlers, ...row } of rows) {
    const values = { ...row, handlers: JSON.stringify(handlers) };
    const names = Object.keys(values);
    database
      .prepare(
        `update run_events set ${names.map((name) => `${name} = :${name}`).join(", ")} where seq = :seq`,
      )
      .run({ ...values, seq });
  }
}

export function readRows(database: DatabaseSync): RunEvent[] {
  const rows = database.prepare("select * from run_events order by seq").all() as unknown as RunEvent[];
  return rows.map((row) => ({ ...row, handlers: JSON.parse(String(row.handlers)) as RunEvent["handlers"] }));
}

export function putSignedHead(database: DatabaseSync, head: SignedHead): void {
  const { seq, hash, time, key_id, signature } = head;
  database.exec("delete from signed_head");
  database
    .prepare("insert into signed_head values (1, ?, ?, ?, ?, ?)")
    .run(seq, hash, time, key_id, signature);
}
