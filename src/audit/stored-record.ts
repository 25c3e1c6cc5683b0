import { genesisHash } from "../ports/run-event.ts";
import type { Head, SignedHead, Store } from "../ports/store.ts";
import type { PublicKey } from "./signing-key.ts";
import type { VerifiableRecord, VerifiableRow } from "./verify.ts";

const batch = 1_000;

/** The record in a store, to be verified or exported while others go on writing it. */
export async function storedRecord(
  store: Store,
  key: PublicKey,
  anchors: readonly Head[] = [],
): Promise<VerifiableRecord> {
  const signedHead: SignedHead | null = await store.signedHead();
  const start = { seq: 0, hash: genesisHash };
  const rows = storedRows(store, 0);
  return { start, rows, signedHead: () => signedHead, mayHaveUnsignedRows: true, key, anchors };
}

/** Every row after `afterSeq` with its payload, oldest first, a thousand at a time. */
export async function* storedRows(store: Store, afterSeq: number): AsyncGenerator<VerifiableRow> {
  for (let after = afterSeq; ; ) {
    const rows = await store.readRunEvents(after, batch);
    const last = rows.at(-1);
    if (last === undefined) return;
    const payloads = new Map((await store.readPayloads(after, batch)).map((kept) => [kept.seq, kept]));
    for (const row of rows) {
      const kept = payloads.get(row.seq);
      yield { row, payload: kept === undefined ? null : { before: kept.before, after: kept.after } };
    }
    after = last.seq;
  }
}
