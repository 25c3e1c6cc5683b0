import type { Verdict } from "../../engine/events/decision.ts";
import type { OriginFields } from "../../engine/events/envelope.ts";
import type { HandlerRecord } from "../../engine/events/outcome.ts";

/**
 * What a row tells of. `emit`: an event was decided. `observed`: an observer of an emit is done. `intent` and
 * `outcome`: around an effect outside. `change`: somebody changed a setting. `login`: somebody came in or left.
 */
export const runEventKinds = ["emit", "observed", "intent", "outcome", "change", "login"] as const;
export type RunEventKind = (typeof runEventKinds)[number];

/** What a row tells of that is no event of the catalogue. */
export const recordedChanges = [
  "hook.enabled",
  "hook.disabled",
  "payloads.expired",
  "entries.rejected",
  "audit.accepted",
  "runs.forgotten",
  "audit.pdf",
  "agent.installed",
  "agent.reinstalled",
  "agent.migrated",
  "agent.uninstalled",
  "guard.verified",
  "policy.excepted",
  "token.added",
  "token.revoked",
  "trust.approved",
  "trust.ignored",
  "trust.revoked",
  "trust.file_approved",
  "trust.file_revoked",
  "plugin.added",
  "plugin.removed",
  "plugin.enabled",
  "plugin.disabled",
  "webhook.delivery",
  "webhook.replayed",
  "flag.set",
  "flag.unset",
  "job.created",
  "job.changed",
  "job.paused",
  "job.resumed",
  "job.deleted",
  "job.run",
  "jobs.imported",
  "jobs.declared",
  "pipeline.run",
  "pipeline.step",
  "pipeline.data",
  "model.promoted",
  "batch.cancelled",
  "batch.purged",
  "task.changed",
  "agent.changed",
  "mail.sent",
  "baseline.set",
  "drift.checked",
  "login",
  "logout",
  "approval.used",
  "approval.refused",
  "approver.added",
  "approver.removed",
  "approver.required",
] as const;
export type RecordedChange = (typeof recordedChanges)[number];

/** How what the row tells of ended; an intent is `open` for ever, its outcome is a row of its own. */
export const runOutcomes = ["completed", "denied", "failed", "open"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** One handler's part, with the hook it belongs to and the digest of what that hook was then. */
export interface RecordedHandler extends HandlerRecord {
  readonly hook_id: string | null;
  readonly digest: string | null;
}

/** What is to be recorded. Texts are final: secrets are replaced before an entry is made. */
export interface RunEntry extends OriginFields {
  readonly id: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  readonly kind: RunEventKind;
  /** Canonical name of the event, or of the change: `hook.disabled`. */
  readonly event: string;
  /** Id of the row this one belongs to (an outcome's intent, an observation's emit), or what a decision is about (`token:ci`). */
  readonly ref: string | null;
  /** `human:NAME`, `agent:NAME` or `swarm`. */
  readonly actor: string;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly hook: string | null;
  readonly hook_digest: string | null;
  readonly ms: number;
  readonly outcome: RunOutcome;
  readonly handlers: readonly RecordedHandler[];
  /** The payload as JSON text, and as it was after rewrites where there were any. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A row of the record. */
export interface RunEvent extends Omit<RunEntry, "before" | "after"> {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  /** SHA-256 in hex of the payload texts. The payloads themselves may have expired. */
  readonly before_hash: string | null;
  readonly after_hash: string | null;
  /** Hash of the row before; the first has `genesisHash`. */
  readonly prev_hash: string;
  readonly hash: string;
}

export const genesisHash = "0".repeat(64);
