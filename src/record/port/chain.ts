import { hash } from "node:crypto";
import type { RunEntry, RunEvent } from "./run-event.ts";
import type { Head } from "../../store/port/store.ts";

/** A longer payload is not kept, only its hash: an agent's largest file writes are near 2 MB. */
const maxKeptChars = 256 * 1024;

/** A row with the payloads that are kept beside it. */
export interface ChainedRow {
  readonly row: RunEvent;
  readonly payload: Pick<RunEntry, "before" | "after"> | null;
}

/** The row that follows the head. Every driver chains by this, whoever does the sum. */
export function chainRow(head: Head, entry: RunEntry): ChainedRow {
  const { before, after, ...rest } = entry;
  const unsealed = {
    ...rest,
    seq: head.seq + 1, // after the rest: an entry does not choose its place
    before_hash: before === null ? null : sha256(before),
    after_hash: after === null ? null : sha256(after),
    prev_hash: head.hash,
  };
  const hasPayload = before !== null || after !== null;
  return {
    row: { ...unsealed, hash: rowHash(unsealed) },
    payload: hasPayload && isPayloadKept(entry) ? { before, after } : null,
  };
}

/** Whether nothing of its payload is left out. */
export function isPayloadKept({ before, after }: Pick<RunEntry, "before" | "after">): boolean {
  return (before?.length ?? 0) + (after?.length ?? 0) <= maxKeptChars;
}

/**
 * The hash of a row over everything in it but the hash itself; payloads count by their hashes. A list in a fixed
 * order, not an object: the order of an object's keys is nobody's promise.
 */
export function rowHash(row: Omit<RunEvent, "hash">): string {
  const { seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source } = row;
  const { verdict, reason, hook, hook_digest, before_hash, after_hash, ms, outcome, handlers } = row;
  const what = [seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source];
  const decided = [verdict, reason, hook, hook_digest, before_hash, after_hash, ms, outcome, handlers];
  return sha256(JSON.stringify([...what, ...decided, row.prev_hash]));
}

/** Whether a row is what was written after another. */
export function follows(row: RunEvent, last: Head): boolean {
  return row.seq === last.seq + 1 && row.prev_hash === last.hash && rowHash(row) === row.hash;
}

/** Those that are hashed and the hash. A field more than these would be vouched for by nothing. */
export const rowFieldCount = 23;

export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
