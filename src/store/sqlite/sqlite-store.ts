import type { SQLInputValue } from "node:sqlite";
import { genesisHash, type RunEvent } from "../../record/port/run-event.ts";
import type {
  ApproverChangeRow,
  Head,
  HookRun,
  HookSwitch,
  HookTotals,
  NewRunEvent,
  Page,
  RunEventQuery,
  SealedRow,
  SessionSummary,
  SignedHead,
  Store,
  StoreChange,
  StoredPayload,
} from "../port/store.ts";
import { SqliteApprovalStore } from "./approval-store.ts";
import { SqliteBaselineStore } from "./baseline-store.ts";
import { SqliteBatchStore } from "./batch-store.ts";
import { SqliteCronStore } from "./cron-store.ts";
import { SqliteDriftMarkStore } from "./drift-mark-store.ts";
import { SqliteFileTrustStore } from "./file-trust-store.ts";
import { SqliteFlagStore } from "./flag-store.ts";
import { SqliteInbound } from "./inbound-store.ts";
import { SqliteOutbox } from "./outbox-store.ts";
import { SqlitePipelineStore } from "./pipeline-store.ts";
import { SqlitePluginStore } from "./plugin-store.ts";
import { SqliteRetentionStore } from "./retention-store.ts";
import { SqliteFile } from "./sqlite-file.ts";
import { SqliteTokenStore } from "./token-store.ts";
import { SqliteTrustStore } from "./trust-store.ts";

/** The store in one SQLite file. Other processes may have it open as well. */
export function openSqliteStore(file: string): Store {
  return new SqliteStore(file);
}

class SqliteStore implements Store {
  readonly plugins: SqlitePluginStore;
  readonly outbox: SqliteOutbox;
  readonly inbound: SqliteInbound;
  readonly flags: SqliteFlagStore;
  readonly #file: SqliteFile;
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

  constructor(file: string) {
    this.#file = new SqliteFile(file);
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
    this.batch = new SqliteBatchStore(this.#file);
    this.baselines = new SqliteBaselineStore(this.#file);
    this.driftMarks = new SqliteDriftMarkStore(this.#file);
    this.retention = new SqliteRetentionStore(this.#file, this.driftMarks);
  }

  async append(
    follow: (head: Head) => readonly NewRunEvent[],
    changes: readonly StoreChange[] = [],
  ): Promise<void> {
    this.#file.transaction(() => {
      for (const { row, payload, seal } of follow(this.#head())) {
        this.#file.run("insert-run-event", ...valuesOf(row), seal?.mac ?? null, seal?.state ?? null);
        if (payload !== null) this.#file.run("insert-payload", row.seq, payload.before, payload.after);
        for (const { hook_id, status, verdict, ms, reason } of row.handlers) {
          if (hook_id === null || status === "skipped" || status === "scheduled") continue;
          this.#file.run("insert-hook-run", hook_id, row.seq, status, verdict, ms, reason);
        }
      }
      for (const change of changes) this.#apply(change);
    });
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  async head(): Promise<Head> {
    return this.#head();
  }

  async signedHead(): Promise<SignedHead | null> {
    return this.#file.one<SignedHead>("signed-head");
  }

  async saveSignedHead({ seq, hash, time, key_id, signature }: SignedHead): Promise<void> {
    this.#file.run("save-signed-head", seq, hash, time, key_id, signature);
  }

  async replaceSignedHead({ seq, hash, time, key_id, signature }: SignedHead): Promise<void> {
    this.#file.run("replace-signed-head", seq, hash, time, key_id, signature);
  }

  async listRunEvents(query: RunEventQuery): Promise<RunEvent[]> {
    const { limit, event, kind, session, verdict, since, hookId } = query;
    const rows = this.#file.all<StoredRow>("list-run-events", {
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
    return this.#file.all<StoredRow>("read-run-events", afterSeq, limit).map(runEventOf);
  }

  async findRunEvent(id: string): Promise<RunEvent | null> {
    const row = this.#file.one<StoredRow>("find-run-event", id);
    return row === null ? null : runEventOf(row);
  }

  async findSealedRow(id: string): Promise<SealedRow | null> {
    const row = this.#file.one<StoredRow>("find-run-event", id);
    return row === null ? null : sealedRowOf(row);
  }

  async sealedRows(ref: string): Promise<SealedRow[]> {
    return this.#file.all<StoredRow>("sealed-rows", ref).map(sealedRowOf);
  }

  async readSealedRows(afterSeq: number, limit: number): Promise<SealedRow[]> {
    return this.#file.all<StoredRow>("read-run-events", afterSeq, limit).map(sealedRowOf);
  }

  async refsOf(kind: string): Promise<string[]> {
    return this.#file.all<{ ref: string }>("record-refs", `${kind}:`, `${kind};`).map(({ ref }) => ref);
  }

  async lastChange(event: string, agent: string): Promise<RunEvent | null> {
    const row = this.#file.one<StoredRow>("last-change", event, agent);
    return row === null ? null : runEventOf(row);
  }

  async approverChanges(): Promise<ApproverChangeRow[]> {
    const found = this.#file.all<StoredRow & { readonly text: string | null }>("approver-changes");
    return found.map(({ text, ...row }) => ({ ...sealedRowOf(row), text }));
  }

  async recentDenials(since: string): Promise<number> {
    return this.#file.one<{ denials: number }>("recent-denials", since)?.denials ?? 0;
  }

  async openIntents(limit: number): Promise<RunEvent[]> {
    return this.#file.all<StoredRow>("open-intents", limit).map(runEventOf);
  }

  async findPayload(seq: number): Promise<StoredPayload | null> {
    const found = this.#file.one<Omit<StoredPayload, "seq">>("find-payload", seq);
    return found === null ? null : { seq, ...found };
  }

  async readPayloads(afterSeq: number, limit: number): Promise<StoredPayload[]> {
    return this.#file.all<StoredPayload>("read-payloads", afterSeq, limit);
  }

  async countExpiring(olderThan: string): Promise<number> {
    return this.#file.one<{ count: number }>("count-expiring-payloads", olderThan)?.count ?? 0;
  }

  async expirePayloads(olderThan: string): Promise<number> {
    // Overwritten where they stood, not only unlinked. For all writes it would cost each of them.
    this.#file.pragma("secure_delete = on");
    try {
      return this.#file.run("expire-payloads", olderThan);
    } finally {
      this.#file.pragma("secure_delete = off");
    }
  }

  async listSessions({ limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page): Promise<SessionSummary[]> {
    return this.#file.all<SessionSummary>("list-sessions", { before_seq: beforeSeq, limit });
  }

  async listHookRuns(
    hookId: string,
    { limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page,
  ): Promise<HookRun[]> {
    return this.#file.all<HookRun>("list-hook-runs", { hook_id: hookId, before_seq: beforeSeq, limit });
  }

  async hookTotals(hookId: string): Promise<HookTotals> {
    return this.#file.one<HookTotals>("hook-totals", hookId) ?? noTotals;
  }

  async listHookSwitches(): Promise<HookSwitch[]> {
    const rows = this.#file.all<Omit<HookSwitch, "is_enabled"> & { is_enabled: number }>(
      "list-hook-switches",
    );
    return rows.map((row) => ({ ...row, is_enabled: row.is_enabled === 1 }));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #apply(change: StoreChange): void {
    switch (change.kind) {
      case "hook_switch": {
        const { hook_id, is_enabled, time, actor } = change.row;
        this.#file.run("set-hook-switch", hook_id, Number(is_enabled), time, actor);
        return;
      }
      case "token_added":
        this.tokens.add(change);
        return;
      case "token_revoked":
        this.tokens.revoke(change);
        return;
      case "trust_approved":
      case "trust_ignored":
      case "trust_revoked":
        this.trust.apply(change);
        return;
      case "file_approved":
      case "file_revoked":
        this.fileTrust.apply(change);
        return;
      case "plugin_added":
      case "plugin_switched":
      case "plugin_removed":
        this.plugins.apply(change);
        return;
      case "approval_asked":
      case "approval_decided":
      case "approval_used":
        this.approvals.apply(change);
        return;
      case "outbox_enqueue":
      case "outbox_settle":
      case "outbox_replay":
        this.outbox.apply(change);
        return;
      case "inbound_message":
        this.inbound.apply(change);
        return;
      case "flag_set":
      case "flag_unset":
        this.flags.apply(change);
        return;
      case "cron_jobs":
      case "cron_run_started":
      case "cron_run_ended":
        this.cron.apply(change);
        return;
      case "pipeline_run_started":
      case "pipeline_run_resumed":
      case "pipeline_snapshot":
      case "pipeline_step":
      case "pipeline_run_ended":
      case "model_promoted":
        this.pipelines.apply(change);
        return;
      case "batch_run_added":
      case "batch_run_waits":
      case "batch_run_begun":
      case "batch_run_progressed":
      case "batch_run_ended":
      case "batch_run_removed":
        this.batch.apply(change);
        // Another run may have its id one day.
        if (change.kind === "batch_run_removed") this.driftMarks.forget("batch", change.run_id);
        return;
      case "baseline_set":
        this.baselines.apply(change);
        return;
      case "runs_checked":
        this.driftMarks.apply(change);
        return;
      case "runs_forgotten":
      case "files_removed":
        this.retention.apply(change);
    }
  }

  #head(): Head {
    return this.#file.one<Head>("head") ?? { seq: 0, hash: genesisHash };
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

function valuesOf(row: RunEvent): SQLInputValue[] {
  const { seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source } = row;
  const { verdict, reason, hook, hook_digest, before_hash, after_hash, ms, outcome, handlers } = row;
  const what = [seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source];
  const decided = [verdict, reason, hook, hook_digest, before_hash, after_hash, ms, outcome];
  return [...what, ...decided, JSON.stringify(handlers), row.prev_hash, row.hash];
}

function runEventOf({ seal: _seal, state: _state, ...row }: StoredRow): RunEvent {
  return { ...row, handlers: JSON.parse(row.handlers) as RunEvent["handlers"] };
}

function sealedRowOf(row: StoredRow): SealedRow {
  const { seal: mac, state } = row;
  return { row: runEventOf(row), seal: mac === null ? null : { mac, state } };
}
