import { genesisHash } from "../port/run-event.ts";
import type { Head, SignedHead, Store } from "../../store/port/store.ts";
import { isSealed, isUnkept } from "./row-seal.ts";
import { PublicKey, type SigningKey } from "./signing-key.ts";
import type { VerifiableRecord, VerifiableRow } from "./verify.ts";

const batch = 1_000;

/** The record in a store, to be verified or exported while others go on writing it. */
export async function storedRecord(
  store: Store,
  key: PublicKey | SigningKey,
  anchors: readonly Head[] = [],
): Promise<VerifiableRecord> {
  const signedHead: SignedHead | null = await store.signedHead();
  const start = { seq: 0, hash: genesisHash };
  const rows = storedRows(store, 0);
  const common = { start, rows, signedHead: () => signedHead, mayHaveUnsignedRows: true, anchors };
  if (key instanceof PublicKey) return { ...common, key };
  return {
    ...common,
    key: key.publicKey,
    isWrittenHere: (row) => isSealed(key, row),
    isUnkept: (row) => isUnkept(key, row),
  };
}

/** Every row after `afterSeq` with its payload, oldest first, a thousand at a time. */
export async function* storedRows(store: Store, afterSeq: number): AsyncGenerator<VerifiableRow> {
  for (let after = afterSeq; ; ) {
    const rows = await store.readSealedRows(after, batch);
    const last = rows.at(-1)?.row;
    if (last === undefined) return;
    const payloads = new Map((await store.readPayloads(after, batch)).map((kept) => [kept.seq, kept]));
    for (const { row, seal } of rows) {
      const kept = payloads.get(row.seq);
      yield { row, seal, payload: kept === undefined ? null : { before: kept.before, after: kept.after } };
    }
    after = last.seq;
  }
}
