import type { Approval, NewApproval } from "../../policy/approvals/port/approval-store.ts";
import type { ApprovedFile } from "../../policy/trust/port/file-trust-store.ts";
import type { FlagOverride } from "../../daemon/flags/port/flag-store.ts";
import type { ModelStage } from "../../operations/pipelines/port/pipeline-store.ts";
import type { InstalledPlugin } from "../../policy/plugins/port/plugin-store.ts";
import type { HookSwitch, StoreChange } from "../../store/port/store.ts";
import type { NamedToken } from "../../daemon/access/port/token-store.ts";
import type { IgnoredProject, TrustedHook } from "../../policy/trust/port/trust-store.ts";
import { sha256 } from "../port/chain.ts";

/**
 * What lets something through, or switches something off, and what the store has to say of it. The row of the record that
 * was written with it is found by `ref` and holds the digest of the state, under a seal.
 */
export interface Grant {
  readonly ref: string;
  readonly state: string;
}

/** The state of what was taken back, used up or refused. */
export const overState = "over";

export const grants = {
  token: ({ name, role, token_hash, created_at, created_by }: NamedToken): Grant =>
    grant(`token:${name}`, [role, token_hash, created_at, created_by]),
  /** All that is approved in one file. */
  project: (file: string, hooks: readonly TrustedHook[]): Grant =>
    grant(
      `trust:${file}`,
      hooks
        .map(({ hook_id, name, is_guard, digest, definition, files, time, actor }) => {
          const places = files.map(({ place, sha256 }) => [place, sha256]);
          return [hook_id, name, is_guard, digest, definition, places, time, actor] as const;
        })
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ignored: ({ file, time, actor }: IgnoredProject): Grant => grant(`trust:${file}`, ["ignored", time, actor]),
  file: ({ sha256, path, bytes, time, actor }: ApprovedFile): Grant =>
    grant(`file:${sha256}`, [path, bytes, time, actor]),
  plugin: (row: InstalledPlugin): Grant => {
    const { name, version, digest, source, guarded_events, is_enabled, time, actor } = row;
    return grant(`plugin:${name}`, [version, digest, source, guarded_events, is_enabled, time, actor]);
  },
  flag: ({ name, is_on, time, actor }: FlagOverride): Grant => grant(`flag:${name}`, [is_on, time, actor]),
  hookSwitch: ({ hook_id, is_enabled, time, actor }: HookSwitch): Grant =>
    grant(`hook:${hook_id}`, [is_enabled, time, actor]),
  stage: (row: ModelStage): Grant => {
    const { model, stage, version, promoted_at, promoted_by, approved_by, approval_id } = row;
    return grant(`model:${model}:${stage}`, [version, promoted_at, promoted_by, approved_by, approval_id]);
  },
  /** What a person is shown, and which call their answer is for. */
  question: (row: NewApproval): Grant => {
    const { id, digest, event, kind, name, rule, reason, subject, session, agent, task, cwd, source } = row;
    const what = [id, digest, event, kind, name, rule, reason, subject, session, agent, task, cwd, source];
    return grant(row.intent_id, [...what, row.requested_by, row.requested_at]);
  },
  /** Their answer, and until when it holds. */
  decision: (approval: Approval): Grant => {
    const { intent_id, decided_at: time, decided_by: by } = approval;
    return grant(intent_id, decisionOf({ ...approval, time, by }));
  },
};

/** What the row that a change is written with has to hold; null where the change grants nothing. */
export function grantOf(change: StoreChange): { readonly ref: string | null; readonly state: string } | null {
  switch (change.kind) {
    case "token_added":
      return grants.token(change.row);
    case "token_revoked":
      return over(`token:${change.name}`);
    case "trust_approved":
      return change.hooks.length === 0
        ? over(`trust:${change.file}`)
        : grants.project(change.file, change.hooks);
    case "trust_ignored":
      return grants.ignored(change.row);
    case "trust_revoked":
      return over(`trust:${change.file}`);
    case "file_approved":
      return grants.file(change.row);
    case "file_revoked":
      return over(`file:${change.sha256}`);
    case "plugin_added":
    case "plugin_switched":
      return grants.plugin(change.row);
    case "plugin_removed":
      return over(`plugin:${change.name}`);
    case "flag_set":
      return grants.flag(change.row);
    case "flag_unset":
      return over(`flag:${change.name}`);
    case "hook_switch":
      return grants.hookSwitch(change.row);
    case "model_promoted":
      return grants.stage(change.row);
    case "approval_asked":
      return { ref: null, state: grants.question(change.row).state };
    // The rows of these two name the question's row already.
    case "approval_decided":
      return { ref: null, state: change.status === "approved" ? digestOf(decisionOf(change)) : overState };
    case "approval_used":
      return { ref: null, state: overState };
    default:
      return null;
  }
}

type Decision = Pick<Approval, "id" | "comment" | "expires_at" | "signature"> & {
  readonly time: string | null;
  readonly by: string | null;
};

function decisionOf({ id, time, by, comment, expires_at, signature }: Decision): readonly unknown[] {
  return ["approved", id, time, by, comment, expires_at, signature];
}

function over(ref: string): Grant {
  return { ref, state: overState };
}

function grant(ref: string, values: readonly unknown[]): Grant {
  return { ref, state: digestOf(values) };
}

function digestOf(values: readonly unknown[]): string {
  return sha256(JSON.stringify(values));
}
