import type { RunEvent } from "../port/run-event.ts";
import type { Head, RowSeal, SealedRow, SignedHead } from "../../store/port/store.ts";
import { rowFieldCount, rowHash, sha256 } from "../port/chain.ts";
import { SignatureCheck } from "./check-signatures.ts";
import { PayloadCheck } from "./payload-check.ts";
import type { PublicKey } from "./signing-key.ts";

/** A row as a verifier gets it: `payload` is null when it has expired or was never kept. */
export interface VerifiableRow {
  readonly row: RunEvent;
  readonly payload: { readonly before: string | null; readonly after: string | null } | null;
  readonly seal?: RowSeal | null;
}

export interface VerifiableRecord {
  /** The row before the first one: `{seq: 0, hash: genesisHash}` for a whole record. */
  readonly start: Head;
  readonly rows: AsyncIterable<VerifiableRow>;
  /** Asked for after the last row. One that is read from where others write must be read before the first. */
  signedHead(): SignedHead | null;
  /** Where others write there may be rows that nobody has signed yet; an export ends with its signed head. */
  readonly mayHaveUnsignedRows: boolean;
  readonly key: PublicKey;
  /** Whether a row was written by a process with the private key; where that is not known, nobody is asked. */
  readonly isWrittenHere?: (row: SealedRow) => boolean;
  /** Whether a row's payload was never kept, being too large; payloads that are gone are looked for where that is known. */
  readonly isUnkept?: (row: SealedRow) => boolean;
  /** Heads that were kept elsewhere: the record must contain them. */
  readonly anchors: readonly Head[];
}

export const faultKinds = [
  "edited",
  "missing",
  "reordered",
  "rewritten",
  "truncated",
  "unsigned",
  "payload",
  "signature",
  "forged",
  "grant",
] as const;

export interface Fault {
  readonly kind: (typeof faultKinds)[number];
  readonly seq: number;
  readonly problem: string;
}

export type Acceptance = Pick<RunEvent, "seq" | "time" | "actor" | "reason">;

export interface Verification {
  readonly is_intact: boolean;
  readonly rows: number;
  readonly last_seq: number;
  /** Up to where the signature vouches for the record. */
  readonly signed_seq: number;
  /** Rows written after the last signature: a crash leaves those of its last 100 ms. */
  readonly unsigned_rows: number;
  readonly key_id: string;
  /** Intents without an outcome: a crash came between. */
  readonly open_intents: readonly string[];
  readonly payloads_checked: number;
  /** Where a person has gone on from a record with faults; the first hundred. */
  readonly acceptances: readonly Acceptance[];
  /** The first hundred. */
  readonly faults: readonly Fault[];
}

export const maxFaults = 100;

/** Reads the record once, from the first row to the last, in constant memory but for the open intents. */
export async function verifyRecord(record: VerifiableRecord): Promise<Verification> {
  const faults: Fault[] = [];
  const blame: Blame = (kind, seq, problem) => {
    if (faults.length < maxFaults) faults.push({ kind, seq, problem });
  };
  const intents = new Set<string>();
  const acceptances: Acceptance[] = [];
  const kept = new PayloadCheck();
  const anchors = new Anchors(record.anchors);
  // Who the approvers were is known to whoever has read from the first row on.
  const signatures = record.start.seq === 0 ? new SignatureCheck() : null;
  const earlySigned = record.signedHead();
  let signedHash: string | null = null; // of the row the signature names
  let last: Head = record.start;
  let rows = 0;
  let payloads = 0;
  let forged: number | null = null; // the first of them
  for await (const { row, payload, seal = null } of record.rows) {
    rows++;
    checkRow(row, last, blame);
    // The signature vouches for those before; they were looked at before they were signed.
    if (record.isUnkept !== undefined) kept.add({ row, payload }, () => !record.isUnkept?.({ row, seal }));
    const isUnsigned = row.seq > (earlySigned?.seq ?? 0);
    if (isUnsigned && record.isWrittenHere?.({ row, seal }) === false) forged ??= row.seq;
    if (payload !== null) {
      payloads++;
      checkPayload(row, payload, blame);
    }
    anchors.check(row, blame);
    const checking = signatures?.problemOf(row, payload) ?? null;
    const unsigned = checking === null ? null : await checking;
    if (unsigned !== null) blame("signature", row.seq, unsigned);
    if (row.event === "audit.accepted" && acceptances.length < maxFaults)
      acceptances.push({ seq: row.seq, time: row.time, actor: row.actor, reason: row.reason });
    if (row.kind === "intent") intents.add(row.id);
    if (row.kind === "outcome" && row.ref !== null) intents.delete(row.ref);
    if (row.seq === earlySigned?.seq) signedHash = row.hash;
    last = row;
  }
  const signed = record.signedHead();
  if (signed?.seq === last.seq) signedHash = last.hash;
  const signedSeq = checkHead(record, signed, signedHash, last, blame);
  if (forged !== null) blame("forged", forged, `row ${forged} was not written by a process with the key`);
  anchors.checkEnd(last, blame);
  for (const seq of kept.missing())
    blame("payload", seq, `the payload of row ${seq} is gone, and no row says that it was forgotten`);
  return {
    is_intact: faults.length === 0,
    rows,
    last_seq: last.seq,
    signed_seq: signedSeq,
    unsigned_rows: Math.max(0, last.seq - signedSeq),
    key_id: record.key.id,
    open_intents: [...intents],
    payloads_checked: payloads,
    acceptances,
    faults,
  };
}

type Blame = (kind: Fault["kind"], seq: number, problem: string) => void;

function checkRow(row: RunEvent, last: Head, blame: Blame): void {
  const expected = last.seq + 1;
  if (row.seq > expected)
    blame("missing", expected, `${rowsText(expected, row.seq - 1)} missing before row ${row.seq}`);
  else if (row.seq < expected) blame("reordered", row.seq, `row ${row.seq} stands after row ${last.seq}`);
  else if (row.prev_hash !== last.hash)
    blame("rewritten", row.seq, `row ${row.seq} does not follow the row before it`);
  if (rowHash(row) !== row.hash || Object.keys(row).length !== rowFieldCount)
    blame("edited", row.seq, `row ${row.seq} is not what was written`);
}

function checkPayload(row: RunEvent, payload: NonNullable<VerifiableRow["payload"]>, blame: Blame): void {
  // One side alone may have been forgotten; what is there has to be what was there.
  const isOther = (text: string | null, hash: string | null) => text !== null && sha256(text) !== hash;
  if (isOther(payload.before, row.before_hash) || isOther(payload.after, row.after_hash))
    blame("payload", row.seq, `the payload of row ${row.seq} is not the one that was recorded`);
}

/** Tells up to which row the signature vouches for the record. */
function checkHead(
  { key, start, mayHaveUnsignedRows }: VerifiableRecord,
  signed: SignedHead | null,
  signedHash: string | null,
  last: Head,
  blame: Blame,
): number {
  if (signed === null) {
    if (!mayHaveUnsignedRows) blame("truncated", last.seq + 1, "the signed head at the end is missing");
    else if (last.seq > start.seq) blame("unsigned", last.seq, "the record has no signed head");
    return start.seq;
  }
  if (signed.key_id !== key.id || !key.hasSigned(signed)) {
    blame("unsigned", signed.seq, `the signature of head ${signed.seq} was not made by key ${key.id}`);
    return start.seq;
  }
  if (signed.seq > last.seq)
    blame("truncated", last.seq + 1, `${rowsText(last.seq + 1, signed.seq)} missing at the end`);
  else if (signed.seq < last.seq && !mayHaveUnsignedRows)
    blame(
      "unsigned",
      signed.seq + 1,
      `${rowsText(signed.seq + 1, last.seq)} not vouched for by the signature`,
    );
  else if (signed.seq > start.seq && signedHash !== signed.hash)
    blame("rewritten", signed.seq, `row ${signed.seq} is not the one that was signed`);
  return Math.min(signed.seq, last.seq);
}

/** Heads kept elsewhere, by their rows; there may be more than one of a row. */
class Anchors {
  readonly #all: readonly Head[];
  readonly #seqs: ReadonlySet<number>;

  constructor(all: readonly Head[]) {
    this.#all = all;
    this.#seqs = new Set(all.map(({ seq }) => seq));
  }

  check(row: Head, blame: Blame): void {
    if (!this.#seqs.has(row.seq)) return;
    if (this.#all.some(({ seq, hash }) => seq === row.seq && hash !== row.hash))
      blame("rewritten", row.seq, `row ${row.seq} is not the one that was anchored`);
  }

  checkEnd(last: Head, blame: Blame): void {
    for (const seq of this.#seqs)
      if (seq > last.seq)
        blame("truncated", seq, `row ${seq} was anchored, the record ends at row ${last.seq}`);
  }
}

function rowsText(from: number, to: number): string {
  return from === to ? `row ${from} is` : `rows ${from} to ${to} are`;
}
