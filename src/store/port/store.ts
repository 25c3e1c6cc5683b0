import type { AgentChange, AgentStore } from "../../swarm/agents/port/agent.ts";
import type { ApprovalChange, ApprovalStore } from "../../policy/approvals/port/approval-store.ts";
import type { BaselineSet, BaselineStore } from "../../operations/drift/port/baseline-store.ts";
import type { BatchChange, BatchStore } from "../../operations/batch/port/batch-store.ts";
import type { CronChange, CronStore } from "../../operations/cron/port/cron-store.ts";
import type { DriftMarkStore, RunsChecked } from "../../operations/drift/port/drift-mark-store.ts";
import type { FileTrustChange, FileTrustStore } from "../../policy/trust/port/file-trust-store.ts";
import type { FlagChange, FlagStore } from "../../daemon/flags/port/flag-store.ts";
import type { InboundChange, InboundStore } from "../../operations/webhooks/port/inbound-store.ts";
import type { OutboxChange, OutboxStore } from "../../operations/webhooks/port/outbox-store.ts";
import type { PipelineChange, PipelineStore } from "../../operations/pipelines/port/pipeline-store.ts";
import type { PluginChange, PluginStore } from "../../policy/plugins/port/plugin-store.ts";
import type { RetentionChange, RetentionStore } from "./retention-store.ts";
import type { RunEntry, RunEvent } from "../../record/port/run-event.ts";
import type { MailStore, MessageSent } from "../../swarm/mail/port/mail-store.ts";
import type { TaskChange, TaskStore } from "../../swarm/tasks/port/task-store.ts";
import type { TokenAdded, TokenRevoked, TokenStore } from "../../daemon/access/port/token-store.ts";
import type { TrustChange, TrustStore } from "../../policy/trust/port/trust-store.ts";

/** The newest row; seq 0 and `genesisHash` before the first. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface SignedHead extends Head {
  readonly time: string;
  /** First 16 hex digits of the SHA-256 of the public key. */
  readonly key_id: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

/** Shows who has written a row. */
export interface RowSeal {
  readonly mac: string;
  /** Digest of what was granted with the row, `over` when something was taken back; null when neither. */
  readonly state: string | null;
}

export interface SealedRow {
  readonly row: RunEvent;
  /** Null where the row has none. */
  readonly seal: RowSeal | null;
}

/** What becomes a row. */
export interface NewRow {
  readonly entry: RunEntry;
  /**
   * Makes the seal that is kept beside the row, once its hash is known. Nothing but the row decides what it is: a driver that
   * found the head moved by others calls it again.
   */
  readonly seal?: (row: RunEvent) => RowSeal;
}

export interface RunEventQuery {
  readonly limit: number;
  /** Only rows older than this one. */
  readonly beforeSeq?: number | undefined;
  readonly event?: string | undefined;
  readonly kind?: string | undefined;
  readonly session?: string | undefined;
  readonly verdict?: string | undefined;
  /** ISO 8601 in UTC. */
  readonly since?: string | undefined;
  readonly hookId?: string | undefined;
}

export interface Page {
  readonly limit: number;
  readonly beforeSeq?: number | undefined;
}

export interface StoredPayload {
  readonly seq: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** A row that tells of a change of the approvers, with its payload. */
export interface ApproverChangeRow extends SealedRow {
  readonly row: RunEvent;
  readonly text: string | null;
}

export interface SessionSummary {
  readonly session: string;
  readonly started_at: string;
  readonly last_at: string;
  readonly last_seq: number;
  readonly events: number;
  readonly denials: number;
  readonly agent: string | null;
  readonly source: string | null;
  readonly cwd: string | null;
}

export interface HookRun {
  readonly seq: number;
  readonly id: string;
  readonly time: string;
  readonly event: string;
  readonly session: string | null;
  readonly status: string;
  readonly verdict: string;
  readonly ms: number;
  readonly reason: string | null;
}

/** Of a hook's last thousand calls. */
export interface HookTotals {
  readonly calls: number;
  readonly failures: number;
  readonly denials: number;
  readonly last_status: string | null;
  readonly last_reason: string | null;
  readonly last_at: string | null;
}

export interface HookSwitch {
  readonly hook_id: string;
  readonly is_enabled: boolean;
  readonly time: string;
  readonly actor: string;
}

/** What a row of the record tells of, written with it. */
export type StoreChange =
  | { readonly kind: "hook_switch"; readonly row: HookSwitch }
  | TokenAdded
  | TokenRevoked
  | TrustChange
  | FileTrustChange
  | PluginChange
  | ApprovalChange
  | OutboxChange
  | InboundChange
  | FlagChange
  | CronChange
  | PipelineChange
  | BatchChange
  | BaselineSet
  | RunsChecked
  | RetentionChange
  | TaskChange
  | AgentChange
  | MessageSent;

/** How a driver writes changes, each within the transaction of its row: a kind without an entry does not compile. */
export type ChangeWriters<Change extends { readonly kind: string }> = {
  readonly [Kind in Change["kind"]]: (change: Extract<Change, { readonly kind: Kind }>) => void;
};

/**
 * Where everything is kept. One suite (`store.cases.ts`) holds for every driver. A write that cannot be made throws
 * SWARM_STORE_FULL, SWARM_STORE_BUSY or SWARM_STORE_FAILED and has left nothing behind.
 */
export interface Store {
  /** What `openStore` is given to open it again, in another thread or process. May hold a password. */
  readonly url: string;
  readonly tokens: TokenStore;
  readonly trust: TrustStore;
  readonly fileTrust: FileTrustStore;
  readonly plugins: PluginStore;
  readonly approvals: ApprovalStore;
  readonly outbox: OutboxStore;
  readonly inbound: InboundStore;
  readonly flags: FlagStore;
  /** Scheduled work. */
  readonly cron: CronStore;
  /** Runs of pipelines, and the models they made. */
  readonly pipelines: PipelineStore;
  readonly batch: BatchStore;
  /** What drift checks compare with. */
  readonly baselines: BaselineStore;
  /** What they have found of runs. */
  readonly driftMarks: DriftMarkStore;
  /** What of runs may be forgotten, and what is being removed. */
  readonly retention: RetentionStore;
  /** What agents work on. */
  readonly tasks: TaskStore;
  readonly agents: AgentStore;
  /** Messages between them. */
  readonly mail: MailStore;

  /**
   * Writes the entries as the rows that follow the head, one after the other as `chainRow` makes them, and returns those.
   * One transaction: all or nothing. When the promise resolves they survive the death of the process; `sync` makes
   * them survive the machine's. `changes` are written in the same transaction; one that cannot be made throws, and
   * nothing is written.
   */
  append(rows: readonly NewRow[], changes?: readonly StoreChange[]): Promise<RunEvent[]>;
  /** Everything appended before the call survives a power loss once the promise resolves. */
  sync(): Promise<void>;
  head(): Promise<Head>;
  signedHead(): Promise<SignedHead | null>;
  /** Keeps the newer of the two. */
  saveSignedHead(head: SignedHead): Promise<void>;
  /** Keeps this one, whatever was signed before. */
  replaceSignedHead(head: SignedHead): Promise<void>;

  /** Newest first. */
  listRunEvents(query: RunEventQuery): Promise<RunEvent[]>;
  /** Oldest first, after the row `afterSeq`. */
  readRunEvents(afterSeq: number, limit: number): Promise<RunEvent[]>;
  /** Whether every row after this one follows from it, up to the newest. It is found out where the rows are. */
  isChainedAfter(row: Head): Promise<boolean>;
  findRunEvent(id: string): Promise<RunEvent | null>;
  findSealedRow(id: string): Promise<SealedRow | null>;
  /** The rows whose `ref` this is, newest first. */
  sealedRows(ref: string): Promise<SealedRow[]>;
  /** Oldest first, after the row `afterSeq`. */
  readSealedRows(afterSeq: number, limit: number): Promise<SealedRow[]>;
  /** Every `ref` that begins with this kind and a colon. */
  refsOf(kind: string): Promise<string[]>;
  /** The newest row of kind `change` that tells of this for this agent. */
  lastChange(event: string, agent: string): Promise<RunEvent | null>;
  /** Rows that tell of changes of the approvers, oldest first; their payloads are never forgotten. */
  approverChanges(): Promise<ApproverChangeRow[]>;
  /** How many of the last thousand denials are from this ISO time on. */
  recentDenials(since: string): Promise<number>;
  /** Intents without an outcome, newest first. */
  openIntents(limit: number): Promise<RunEvent[]>;
  findPayload(seq: number): Promise<StoredPayload | null>;
  readPayloads(afterSeq: number, limit: number): Promise<StoredPayload[]>;
  /** How many `expirePayloads` would forget. */
  countExpiring(olderThan: string): Promise<number>;
  /** Forgets the payloads of rows older than this ISO time and tells how many; the rows stay. */
  expirePayloads(olderThan: string): Promise<number>;

  listSessions(page: Page): Promise<SessionSummary[]>;
  listHookRuns(hookId: string, page: Page): Promise<HookRun[]>;
  hookTotals(hookId: string): Promise<HookTotals>;
  listHookSwitches(): Promise<HookSwitch[]>;

  /** Waits for what is under way. */
  close(): Promise<void>;
}
