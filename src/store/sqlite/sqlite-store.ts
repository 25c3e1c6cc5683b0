import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { SwarmError } from "../../base/errors.ts";
import { genesisHash, type RunEvent } from "../../ports/run-event.ts";
import type {
  Head,
  HookRun,
  HookSwitch,
  HookTotals,
  NewRunEvent,
  Page,
  RunEventQuery,
  SessionSummary,
  SignedHead,
  Store,
  StoredPayload,
} from "../../ports/store.ts";
import { openDatabase } from "./open-database.ts";
import { sql } from "./statements.ts";
import { storeError } from "./store-error.ts";
import { WalFile } from "./wal-file.ts";

/** The store in one SQLite file. Other processes may have it open as well. */
export function openSqliteStore(file: string): Store {
  return new SqliteStore(file);
}

class SqliteStore implements Store {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #wal: WalFile;
  readonly #statements = new Map<string, StatementSync>();
  #closing: Promise<void> | null = null;

  constructor(file: string) {
    this.#file = file;
    this.#database = openDatabase(file);
    try {
      this.#wal = new WalFile(file);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  async append(
    follow: (head: Head) => readonly NewRunEvent[],
    hookSwitches: readonly HookSwitch[] = [],
  ): Promise<void> {
    this.#transaction(() => {
      for (const { row, payload } of follow(this.#head())) {
        this.#run("insert-run-event", ...valuesOf(row));
        if (payload !== null) this.#run("insert-payload", row.seq, payload.before, payload.after);
        for (const { hook_id, status, verdict, ms, reason } of row.handlers) {
          if (hook_id === null || status === "skipped" || status === "scheduled") continue;
          this.#run("insert-hook-run", hook_id, row.seq, status, verdict, ms, reason);
        }
      }
      for (const { hook_id, is_enabled, time, actor } of hookSwitches) {
        this.#run("set-hook-switch", hook_id, Number(is_enabled), time, actor);
      }
    });
  }

  sync(): Promise<void> {
    return this.#wal.sync();
  }

  async head(): Promise<Head> {
    return this.#head();
  }

  async signedHead(): Promise<SignedHead | null> {
    return this.#one<SignedHead>("signed-head");
  }

  async saveSignedHead({ seq, hash, time, key_id, signature }: SignedHead): Promise<void> {
    this.#run("save-signed-head", seq, hash, time, key_id, signature);
  }

  async listRunEvents(query: RunEventQuery): Promise<RunEvent[]> {
    const { limit, event, kind, session, verdict, since, hookId } = query;
    const rows = this.#all<StoredRow>("list-run-events", {
      before_seq: query.beforeSeq ?? Number.MAX_SAFE_INTEGER,
      event: event ?? null,
      kind: kind ?? null,
      session: session ?? null,
      verdict: verdict ?? null,
      since: since ?? null,
      hook_id: hookId ?? null,
      limit,
    });
    return rows.map(runEventOf);
  }

  async readRunEvents(afterSeq: number, limit: number): Promise<RunEvent[]> {
    return this.#all<StoredRow>("read-run-events", afterSeq, limit).map(runEventOf);
  }

  async findRunEvent(id: string): Promise<RunEvent | null> {
    const row = this.#one<StoredRow>("find-run-event", id);
    return row === null ? null : runEventOf(row);
  }

  async openIntents(limit: number): Promise<RunEvent[]> {
    return this.#all<StoredRow>("open-intents", limit).map(runEventOf);
  }

  async findPayload(seq: number): Promise<StoredPayload | null> {
    const found = this.#one<Omit<StoredPayload, "seq">>("find-payload", seq);
    return found === null ? null : { seq, ...found };
  }

  async readPayloads(afterSeq: number, limit: number): Promise<StoredPayload[]> {
    return this.#all<StoredPayload>("read-payloads", afterSeq, limit);
  }

  async expirePayloads(olderThan: string): Promise<number> {
    // Overwritten where they stood, not only unlinked. For all writes it would cost each of them.
    this.#do(() => this.#database.exec("pragma secure_delete = on"));
    try {
      return this.#run("expire-payloads", olderThan);
    } finally {
      this.#do(() => this.#database.exec("pragma secure_delete = off"));
    }
  }

  async listSessions({ limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page): Promise<SessionSummary[]> {
    return this.#all<SessionSummary>("list-sessions", { before_seq: beforeSeq, limit });
  }

  async listHookRuns(
    hookId: string,
    { limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page,
  ): Promise<HookRun[]> {
    return this.#all<HookRun>("list-hook-runs", { hook_id: hookId, before_seq: beforeSeq, limit });
  }

  async hookTotals(hookId: string): Promise<HookTotals> {
    return this.#one<HookTotals>("hook-totals", hookId) ?? noTotals;
  }

  async listHookSwitches(): Promise<HookSwitch[]> {
    const rows = this.#all<Omit<HookSwitch, "is_enabled"> & { is_enabled: number }>("list-hook-switches");
    return rows.map((row) => ({ ...row, is_enabled: row.is_enabled === 1 }));
  }

  close(): Promise<void> {
    this.#closing ??= this.#wal.close().then(() => this.#database.close());
    return this.#closing;
  }

  #head(): Head {
    return this.#one<Head>("head") ?? { seq: 0, hash: genesisHash };
  }

  /** `immediate`: the lock is taken before the head is read, or two processes could follow the same head. */
  #transaction(work: () => void): void {
    this.#do(() => this.#statement("begin", "begin immediate").run());
    try {
      work();
      this.#do(() => this.#statement("commit", "commit").run());
    } catch (error) {
      // SQLite has rolled back by itself after some errors, a full disk among them.
      if (this.#database.isTransaction) this.#do(() => this.#database.exec("rollback"));
      throw error;
    }
  }

  #run(name: string, ...values: SQLInputValue[]): number {
    for (const value of values) refuseBroken(this.#file, value);
    return this.#do(() => Number(this.#statement(name).run(...values).changes));
  }

  #one<T>(name: string, ...values: SQLInputValue[]): T | null {
    return this.#do(() => plain<T>(this.#statement(name).get(...values)));
  }

  #all<T>(name: string, ...values: SQLInputValue[] | [Record<string, SQLInputValue>]): T[] {
    return this.#do(() => {
      const rows = this.#statement(name).all(...(values as SQLInputValue[]));
      return rows.map((row) => ({ ...row }) as T);
    });
  }

  #do<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(this.#file, error);
    }
  }

  /** Prepared when first used and then kept. */
  #statement(name: string, text?: string): StatementSync {
    let statement = this.#statements.get(name);
    if (statement === undefined) {
      statement = this.#database.prepare(text ?? sql(name));
      this.#statements.set(name, statement);
    }
    return statement;
  }
}

type StoredRow = Omit<RunEvent, "handlers"> & { readonly handlers: string };

const noTotals: HookTotals = {
  calls: 0,
  failures: 0,
  denials: 0,
  last_status: null,
  last_reason: null,
  last_at: null,
};

function valuesOf(row: RunEvent): SQLInputValue[] {
  const { seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source } = row;
  const { verdict, reason, hook, hook_digest, before_hash, after_hash, ms, outcome, handlers } = row;
  const what = [seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source];
  const decided = [verdict, reason, hook, hook_digest, before_hash, after_hash, ms, outcome];
  return [...what, ...decided, JSON.stringify(handlers), row.prev_hash, row.hash];
}

function runEventOf(row: StoredRow): RunEvent {
  return { ...row, handlers: JSON.parse(row.handlers) as RunEvent["handlers"] };
}

/** SQLite would put another character in the place of half a surrogate pair, and the row's hash would not fit any more. */
function refuseBroken(file: string, value: SQLInputValue): void {
  if (typeof value === "string" && !value.isWellFormed())
    throw new SwarmError("SWARM_STORE_FAILED", { file, problem: "half a surrogate pair is not a text" });
}

/** Rows come without a prototype, which assertions and spreads elsewhere trip over. */
function plain<T>(row: unknown): T | null {
  return row === undefined ? null : ({ ...(row as object) } as T);
}
