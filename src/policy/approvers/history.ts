import { hash } from "node:crypto";
import { proofProblem } from "./check-proof.ts";
import { type ApproverAction, type ApproverKey, changeText, type Proof } from "./message.ts";
import { readRecordedChange } from "./read-recorded.ts";
import { keyIdOf } from "./sign.ts";

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
  /** A row of the history is damaged, so the approvers are unknown: there are no keys, and none can be added. */
  readonly isDamaged: boolean;
}

export const noApprovers: ApproverState = {
  keys: [],
  isPersonRequired: false,
  revision: 0,
  isDamaged: false,
};

/** Without this, whoever deletes the rows of the keys could add the first key again. */
export function damaged({ revision }: ApproverState): ApproverState {
  return { keys: [], isPersonRequired: true, revision, isDamaged: true };
}

/** The state after a change, or why the change does not count. */
export async function followChange(
  state: ApproverState,
  { revision, change, decided_at, proof }: RecordedApproverChange,
): Promise<ApproverState | string> {
  if (state.isDamaged) return "a row of the approvers before it is damaged";
  // Several processes may record at once that the user's file asks for a person; that changes nothing.
  if (state.isPersonRequired && change.action === "require" && change.require === "person") return state;
  if (revision !== state.revision) return `it is for revision ${revision}, not ${state.revision}`;
  if (!isFree(state, change)) {
    if (proof === null) return "no approver has signed it";
    const key = state.keys.find(({ id }) => id === proof.key_id);
    if (key === undefined) return "the key that signed it is no approver's";
    const text = changeText({ revision, change, decided_at, key_id: key.id });
    const problem = await proofProblem(key, text, proof);
    if (problem !== null) return problem;
  }
  return apply({ ...state, revision: revision + 1 }, change);
}

/**
 * What takes no signature: the first key, and what makes approving stricter. The first key is never a passkey: a browser
 * registers one without anybody at a terminal, and whatever holds the API's token can do what a browser does.
 */
export function isFree({ keys, isDamaged }: ApproverState, change: ApproverAction): boolean {
  if (isDamaged) return false;
  const isFirst = change.action === "add" && keys.length === 0 && change.key.kind === "passphrase";
  return isFirst || (change.action === "require" && change.require === "person");
}

function apply(state: ApproverState, change: ApproverAction): ApproverState | string {
  const { keys } = state;
  switch (change.action) {
    case "add": {
      const { id, name, kind, public_key } = change.key;
      if (keyIdOf(kind, public_key) !== id) return "its id is not that of its key";
      if (keys.some((key) => key.id === id || key.name === name)) return `there is a key ${name} already`;
      return { ...state, keys: [...keys, change.key] };
    }
    case "remove": {
      const left = keys.filter(({ id }) => id !== change.key_id);
      if (left.length === keys.length) return "there is no such key";
      // Otherwise the next key would be the first one again, which takes no signature.
      if (left.length === 0 && state.isPersonRequired) return "it is the last key, and a person is required";
      return { ...state, keys: left };
    }
    case "require":
      if (change.require === "person" && keys.length === 0) return "there is no key to require";
      return { ...state, isPersonRequired: change.require === "person" };
  }
}

/** A row of the record that holds a change, with its payload where that is still there. */
export interface ChangeRow {
  readonly seq: number;
  readonly before_hash: string | null;
  readonly text: string | null;
}

export interface History extends ApproverState {
  /** Rows that do not count, and why. */
  readonly refused: readonly { readonly seq: number; readonly problem: string }[];
}

/** All changes in their order; each has to be allowed by what held before it. */
export async function readHistory(rows: Iterable<ChangeRow>): Promise<History> {
  let state = noApprovers;
  const refused: { seq: number; problem: string }[] = [];
  for (const row of rows) {
    const next = await followRow(state, row);
    if (next.problem !== null) refused.push({ seq: row.seq, problem: next.problem });
    state = next.state;
  }
  return { ...state, refused };
}

/** The state after a row, and why the row does not count where it does not. */
export async function followRow(
  state: ApproverState,
  { before_hash, text }: ChangeRow,
): Promise<{ readonly state: ApproverState; readonly problem: string | null }> {
  if (text === null || hash("sha256", text, "hex") !== before_hash)
    return { state: damaged(state), problem: "its payload is not the one recorded" };
  const change = readRecordedChange(text);
  if (change === null) return { state: damaged(state), problem: "its payload is not a change of approvers" };
  const next = await followChange(state, change);
  return typeof next === "string" ? { state, problem: next } : { state: next, problem: null };
}
