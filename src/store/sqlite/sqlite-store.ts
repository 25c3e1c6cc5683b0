import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { chainRow, follows } from "../../record/port/chain.ts";
import { genesisHash, type RunEvent } from "../../record/port/run-event.ts";
import type {
  ApproverChangeRow,
  ChangeWriters,
  Head,
  HookRun,
  HookSwitch,
  HookTotals,
  NewRow,
  Page,
  RowSeal,
  RunEventQuery,
  SealedRow,
  SessionSummary,
  SignedHead,
  Store,
  StoreChange,
  StoredPayload,
} from "../port/store.ts";
import { recordStatements } from "../sql/record.ts";
import type { Statements } from "../sql/statement.ts";
import { SqliteAgentStore } from "./agent-store.ts";
import { SqliteApprovalStore } from "./approval-store.ts";
import { SqliteBaselineStore } from "./baseline-store.ts";
import { SqliteBatchStore } from "./batch-store.ts";
import { SqliteCronStore } from "./cron-store.ts";
import { SqliteDriftMarkStore } from "./drift-mark-store.ts";
import { SqliteFileTrustStore } from "./file-trust-store.ts";
import { SqliteFlagStore } from "./flag-store.ts";
import { SqliteInbound } from "./inbound-store.ts";
import { SqliteMailStore } from "./mail-store.ts";
import { SqliteOutbox } from "./outbox-store.ts";
import { SqlitePipelineStore } from "./pipeline-store.ts";
import { SqlitePluginStore } from "./plugin-store.ts";
import { SqliteRetentionStore } from "./retention-store.ts";
import { RunEventSearch } from "./run-event-search.ts";
import { sumUpSessions } from "./session-sums.ts";
import { SqliteFile } from "./sqlite-file.ts";
import { SqliteTaskStore } from "./task-store.ts";
import { SqliteTokenStore } from "./token-store.ts";
import { SqliteTrustStore } from "./trust-store.ts";

/** So many rows are checked before others have their turn: 10 ms. */
const chainedTogether = 1_000;

/** The store in one SQLite file. Other processes may have it open as well. */
export function openSqliteStore(file: string): Store {
  return new SqliteStore(file);
}

class SqliteStore implements Store {
  readonly url: string;
  readonly plugins: SqlitePluginStore;
  readonly outbox: SqliteOutbox;
  readonly inbound: SqliteInbound;
  readonly flags: SqliteFlagStore;
  readonly #file: SqliteFile;
  readonly #sql: Statements<typeof recordStatements>;
  readonly #search: RunEventSearch<StoredRow>;
  readonly #changes: ChangeWriters<StoreChange>;
  readonly tokens: SqliteTokenStore;
  readonly trust: SqliteTrustStore;
  readonly fileTrust: SqliteFileTrustStore;
  readonly approvals: SqliteApprovalStore;
  readonly cron: SqliteCronStore;
  readonly pipelines: SqlitePipelineStore;
  readonly batch: SqliteBatchStore;
  readonly baselines: SqliteBaselineStore;
  readonly driftMarks: SqliteDriftMarkStore;
  readonly retention: SqliteRetentionStore;
  readonly tasks: SqliteTaskStore;
  readonly agents: SqliteAgentStore;
  readonly mail: SqliteMailStore;

  constructor(file: string) {
    this.url = `sqlite:${resolve(file)}`;
    this.#file = new SqliteFile(file);
    this.#sql = this.#file.statements(recordStatements);
    this.#search = new RunEventSearch(this.#file);
    this.tokens = new SqliteTokenStore(this.#file);
    this.trust = new SqliteTrustStore(this.#file);
    this.fileTrust = new SqliteFileTrustStore(this.#file);
    this.plugins = new SqlitePluginStore(this.#file);
    this.approvals = new SqliteApprovalStore(this.#file);
    this.outbox = new SqliteOutbox(this.#file);
    this.inbound = new SqliteInbound(this.#file);
    this.flags = new SqliteFlagStore(this.#file);
    this.cron = new SqliteCronStore(this.#file);
    this.pipelines = new SqlitePipelineStore(this.#file);
    this.baselines = new SqliteBaselineStore(this.#file);
    this.driftMarks = new SqliteDriftMarkStore(this.#file);
    this.batch = new SqliteBatchStore(this.#file, this.driftMarks);
    this.retention = new SqliteRetentionStore(this.#file, this.driftMarks);
    this.tasks = new SqliteTaskStore(this.#file);
    this.agents = new SqliteAgentStore(this.#file);
    this.mail = new SqliteMailStore(this.#file);
    this.#changes = {
      hook_switch: ({ row }) => this.#sql.setHookSwitch.run(row),
      ...this.tokens.changes,
      ...this.trust.changes,
      ...this.fileTrust.changes,
      ...this.plugins.changes,
      ...this.approvals.changes,
      ...this.outbox.changes,
      ...this.inbound.changes,
      ...this.flags.changes,
      ...this.cron.changes,
      ...this.pipelines.changes,
      ...this.batch.changes,
      ...this.baselines.changes,
      ...this.driftMarks.changes,
      ...this.retention.changes,
      ...this.tasks.changes,
      ...this.agents.changes,
      ...this.mail.changes,
    };
  }

  async append(rows: readonly NewRow[], changes: readonly StoreChange[] = []): Promise<RunEvent[]> {
    const made: RunEvent[] = [];
    this.#file.transaction(() => {
      let head = this.#head();
      for (const { entry, seal } of rows) {
        const { row, payload } = chainRow(head, entry);
        this.#insert(row, seal?.(row) ?? null);
        if (payload !== null) this.#sql.insertPayload.run({ seq: row.seq, ...payload });
        made.push(row);
        head = row;
      }
      for (const session of sumUpSessions(made)) this.#sql.addToSession.run(session);
      for (const change of changes) this.#write(change);
    });
    return made;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  async head(): Promise<Head> {
    return this.#head();
  }

  async signedHead(): Promise<SignedHead | null> {
    return this.#sql.signedHead.one<SignedHead>();
  }

  async saveSignedHead(head: SignedHead): Promise<void> {
    this.#sql.saveSignedHead.run(head);
  }

  async replaceSignedHead(head: SignedHead): Promise<void> {
    this.#sql.replaceSignedHead.run(head);
  }

  async listRunEvents(query: RunEventQuery): Promise<RunEvent[]> {
    return (await this.#search.find(query)).map(runEventOf);
  }

  async readRunEvents(afterSeq: number, limit: number): Promise<RunEvent[]> {
    return this.#sql.read.all<StoredRow>({ after_seq: afterSeq, limit }).map(runEventOf);
  }

  async isChainedAfter(row: Head): Promise<boolean> {
    for (let last = row; ; await setImmediate()) {
      const rows = await this.readRunEvents(last.seq, chainedTogether);
      for (const next of rows) {
        if (!follows(next, last)) return false;
        last = next;
      }
      if (rows.length < chainedTogether) return true;
    }
  }

  async findRunEvent(id: string): Promise<RunEvent | null> {
    const row = this.#sql.find.one<StoredRow>({ id });
    return row === null ? null : runEventOf(row);
  }

  async findSealedRow(id: string): Promise<SealedRow | null> {
    const row = this.#sql.find.one<StoredRow>({ id });
    return row === null ? null : sealedRowOf(row);
  }

  async sealedRows(ref: string): Promise<SealedRow[]> {
    return this.#sql.withRef.all<StoredRow>({ ref }).map(sealedRowOf);
  }

  async readSealedRows(afterSeq: number, limit: number): Promise<SealedRow[]> {
    return this.#sql.read.all<StoredRow>({ after_seq: afterSeq, limit }).map(sealedRowOf);
  }

  async refsOf(kind: string): Promise<string[]> {
    const rows = this.#sql.refsBetween.all<{ ref: string }>({ from: `${kind}:`, before: `${kind};` });
    return rows.map(({ ref }) => ref);
  }

  async lastChange(event: string, agent: string): Promise<RunEvent | null> {
    const row = this.#sql.lastChange.one<StoredRow>({ event, agent });
    return row === null ? null : runEventOf(row);
  }

  async approverChanges(): Promise<ApproverChangeRow[]> {
    const found = this.#sql.approverChanges.all<StoredRow & { readonly text: string | null }>();
    return found.map(({ text, ...row }) => ({ ...sealedRowOf(row), text }));
  }

  async recentDenials(since: string): Promise<number> {
    return this.#sql.recentDenials.one<{ denials: number }>({ since })?.denials ?? 0;
  }

  async openIntents(limit: number): Promise<RunEvent[]> {
    return this.#sql.openIntents.all<StoredRow>({ limit }).map(runEventOf);
  }

  async findPayload(seq: number): Promise<StoredPayload | null> {
    const found = this.#sql.findPayload.one<Omit<StoredPayload, "seq">>({ seq });
    return found === null ? null : { seq, ...found };
  }

  async readPayloads(afterSeq: number, limit: number): Promise<StoredPayload[]> {
    return this.#sql.readPayloads.all<StoredPayload>({ after_seq: afterSeq, limit });
  }

  async countExpiring(olderThan: string): Promise<number> {
    const blocks = this.#olderBlocks(olderThan);
    return this.#inTurns(
      blocks,
      (values) => this.#sql.countExpiring.one<{ count: number }>(values)?.count ?? 0,
    );
  }

  async expirePayloads(olderThan: string): Promise<number> {
    const blocks = this.#olderBlocks(olderThan);
    return this.#inTurns(blocks, (values) => {
      // Overwritten where they stood, not only unlinked. For all writes it would cost each of them.
      this.#file.pragma("secure_delete = on");
      try {
        return this.#sql.expirePayloads.run(values);
      } finally {
        this.#file.pragma("secure_delete = off");
      }
    });
  }

  async listSessions({ limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page): Promise<SessionSummary[]> {
    return this.#sql.listSessions.all<SessionSummary>({ before_seq: beforeSeq, limit });
  }

  async listHookRuns(
    hookId: string,
    { limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page,
  ): Promise<HookRun[]> {
    return this.#sql.listHookRuns.all<HookRun>({ hook_id: hookId, before_seq: beforeSeq, limit });
  }

  async hookTotals(hookId: string): Promise<HookTotals> {
    return this.#sql.hookTotals.one<HookTotals>({ hook_id: hookId }) ?? noTotals;
  }

  async listHookSwitches(): Promise<HookSwitch[]> {
    const rows = this.#sql.listHookSwitches.all<Omit<HookSwitch, "is_enabled"> & { is_enabled: number }>();
    return rows.map((row) => ({ ...row, is_enabled: row.is_enabled === 1 }));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #insert(row: RunEvent, seal: RowSeal | null): void {
    const handlers = JSON.stringify(row.handlers);
    this.#sql.insertRow.run({ ...row, handlers, seal: seal?.mac ?? null, state: seal?.state ?? null });
    for (const handler of row.handlers) {
      if (handler.hook_id === null || handler.status === "skipped" || handler.status === "scheduled")
        continue;
      this.#sql.insertHookRun.run({ ...handler, seq: row.seq });
    }
    if (row.kind === "intent") this.#sql.openIntent.run({ seq: row.seq, id: row.id });
    else if (row.kind === "outcome" && row.ref !== null) this.#sql.closeIntent.run({ id: row.ref });
  }

  #olderBlocks(older_than: string): { block: number; older_than: string }[] {
    const found = this.#sql.olderBlocks.all<{ block: number }>({ older_than });
    return found.map(({ block }) => ({ block, older_than }));
  }

  /** Adds up what each comes to; others have their turn in between. */
  async #inTurns<Values>(all: readonly Values[], work: (values: Values) => number): Promise<number> {
    let sum = 0;
    for (const values of all) {
      sum += work(values);
      await setImmediate();
    }
    return sum;
  }

  #write(change: StoreChange): void {
    const write = this.#changes[change.kind] as (change: StoreChange) => void;
    write(change);
  }

  #head(): Head {
    return this.#sql.head.one<Head>() ?? { seq: 0, hash: genesisHash };
  }
}

type StoredRow = Omit<RunEvent, "handlers"> & {
  readonly handlers: string;
  readonly seal: string | null;
  readonly state: string | null;
};

const noTotals: HookTotals = {
  calls: 0,
  failures: 0,
  denials: 0,
  last_status: null,
  last_reason: null,
  last_at: null,
};

function runEventOf({ seal: _seal, state: _state, ...row }: StoredRow): RunEvent {
  return Object.assign(row, { handlers: JSON.parse(row.handlers) as RunEvent["handlers"] });
}

function sealedRowOf(row: StoredRow): SealedRow {
  const { seal: mac, state } = row;
  return { row: runEventOf(row), seal: mac === null ? null : { mac, state } };
}
