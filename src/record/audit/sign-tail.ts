import type { Clock } from "../../base/clock.ts";
import { genesisHash } from "../port/run-event.ts";
import type { Head, SignedHead, Store } from "../../store/port/store.ts";
import { type HeadMark, markFault } from "./head-mark.ts";
import { isSealed } from "./row-seal.ts";
import type { SigningKey } from "./signing-key.ts";
import { storedRows } from "./stored-record.ts";
import { type Fault, type VerifiableRow, verifyRecord } from "./verify.ts";

export interface SignedTail {
  /** The newest row that was looked at; it is signed when there is no fault. */
  readonly head: Head;
  /** Rows that nobody had signed: a crash leaves those of its last 100 ms. */
  readonly unsigned_rows: number;
  /** Why nothing was signed. The signed head that was there stays: it is the evidence. */
  readonly fault: Fault | null;
}

/**
 * Signs the rows that are newer than the signed head, if they follow from it. A record without rows is signed as
 * such before its first row is written: one that has rows and no signature has lost it.
 */
export async function signTail(
  store: Store,
  key: SigningKey,
  clock: Clock,
  mark: HeadMark | null = null,
): Promise<SignedTail> {
  const save = async (head: Head): Promise<SignedHead> => {
    const made = key.sign(head, new Date(clock.now()).toISOString());
    await store.saveSignedHead(made);
    await store.sync();
    mark?.raise(made);
    return made;
  };
  const marked = mark?.read() ?? null; // before the head: it is raised after rows are written
  const end = await store.head();
  const lost = marked === null ? null : await markFault(store, marked, end);
  if (lost !== null) return { head: end, unsigned_rows: end.seq, fault: lost };
  // Read after the head: whoever wrote the first row in between had signed the empty record before.
  const signed = (await store.signedHead()) ?? (end.seq === 0 ? await save(end) : null);
  if (signed === null) {
    const fault = { kind: "unsigned", seq: end.seq, problem: "the record has no signed head" } as const;
    return { head: end, unsigned_rows: end.seq, fault };
  }
  const from = Math.min(end.seq, Math.max(0, signed.seq - 1)); // the signed row itself is looked at, too
  const upTo = Math.max(end.seq, signed.seq);
  const [first] = await store.readRunEvents(from, 1);
  const start = { seq: from, hash: first?.prev_hash ?? genesisHash };
  let head: Head = start;
  async function* rows(): AsyncGenerator<VerifiableRow> {
    for await (const found of storedRows(store, from)) {
      if (found.row.seq > upTo) return;
      head = found.row;
      yield found;
    }
  }
  const { faults, unsigned_rows } = await verifyRecord({
    start,
    rows: rows(),
    signedHead: () => signed,
    mayHaveUnsignedRows: true,
    key: key.publicKey,
    isWrittenHere: (row) => isSealed(key, row),
    anchors: [],
  });
  const [fault = null] = faults;
  if (fault === null && unsigned_rows > 0) await save(head);
  return { head: { seq: head.seq, hash: head.hash }, unsigned_rows, fault };
}
