import { hash } from "node:crypto";
import { proofProblem } from "./check-proof.ts";
import { type ApproverAction, type ApproverKey, changeText, type Proof } from "./message.ts";

/** One change as its row of the record has it: the payload of the row, which the row's hash covers. */
export interface RecordedApproverChange {
  readonly revision: number;
  readonly change: ApproverAction;
  readonly decided_at: string;
  /** Null where none is asked for: the first key, and what only makes it stricter. */
  readonly proof: Proof | null;
}

/** Who may approve, and whether a person has to. */
export interface ApproverState {
  readonly keys: readonly ApproverKey[];
  /** Asked for once while there was a key: it stays so until an approver says otherwise. */
  readonly isPersonRequired: boolean;
  readonly revision: number;
}

export const noApprovers: ApproverState = { keys: [], isPersonRequired: false, revision: 0 };

/** The state after a change, or why the change does not count. */
export async function followChange(
  state: ApproverState,
  { revision, change, decided_at, proof }: RecordedApproverChange,
): Promise<ApproverState | string> {
  if (revision !== state.revision) return `it is for revision ${revision}, not ${state.revision}`;
  if (!isFree(state, change)) {
    if (proof === null) return "no approver has signed it";
    const key = state.keys.find(({ id }) => id === proof.key_id);
    if (key === undefined) return "whoever signed it is no approver";
    const text = changeText({ revision, change, decided_at, key_id: key.id });
    const problem = await proofProblem(key, text, proof);
    if (problem !== null) return problem;
  }
  return apply({ ...state, revision: revision + 1 }, change);
}

/** What anybody may do: be the first, while there is none, and make it stricter. */
export function isFree({ keys }: ApproverState, change: ApproverAction): boolean {
  return (
    (change.action === "add" && keys.length === 0) ||
    (change.action === "require" && change.require === "person")
  );
}

function apply(state: ApproverState, change: ApproverAction): ApproverState | string {
  const { keys } = state;
  switch (change.action) {
    case "add":
      if (keys.some(({ id, name }) => id === change.key.id || name === change.key.name))
        return `there is a key ${change.key.name} already`;
      return { ...state, keys: [...keys, change.key] };
    case "remove": {
      const left = keys.filter(({ id }) => id !== change.key_id);
      if (left.length === keys.length) return "there is no such key";
      // Whoever comes next would be the first approver again.
      if (left.length === 0 && state.isPersonRequired) return "it is the last key, and a person is required";
      return { ...state, keys: left };
    }
    case "require":
      if (change.require === "person" && keys.length === 0) return "there is no key to require";
      return { ...state, isPersonRequired: change.require === "person" };
  }
}

/** A row of the record that tells of a change, with its payload where that is still there. */
export interface ChangeRow {
  readonly seq: number;
  readonly before_hash: string | null;
  readonly text: string | null;
}

export interface History extends ApproverState {
  /** Rows that do not count, and why: none of them was written by this program. */
  readonly refused: readonly { readonly seq: number; readonly problem: string }[];
}

/** All changes in their order; each has to be allowed by what held before it. */
export async function readHistory(rows: Iterable<ChangeRow>): Promise<History> {
  let state = noApprovers;
  const refused: { seq: number; problem: string }[] = [];
  for (const row of rows) {
    const change = readChange(row);
    const next = typeof change === "string" ? change : await followChange(state, change);
    if (typeof next === "string") refused.push({ seq: row.seq, problem: next });
    else state = next;
  }
  return { ...state, refused };
}

function readChange({ before_hash, text }: ChangeRow): RecordedApproverChange | string {
  if (text === null || hash("sha256", text, "hex") !== before_hash)
    return "its payload is not the one recorded";
  try {
    return JSON.parse(text) as RecordedApproverChange;
  } catch {
    return "its payload is not JSON";
  }
}
