import type { RunEvent } from "../ports/run-event.ts";
import type { RowSeal, SealedRow } from "../ports/store.ts";
import { rowHash } from "./chain.ts";
import type { SigningKey } from "./signing-key.ts";

/**
 * Shows that a process with the record's key has written the row, and what it was written with. The chain of hashes shows
 * only that rows follow one another: anybody can add one to its end.
 */
export function sealRow(key: SigningKey, { hash }: Pick<RunEvent, "hash">, state: string | null): RowSeal {
  return { state, mac: key.seal("row", `${hash}\n${state ?? ""}`) };
}

/** Whether the row is what it was when it was written, and was written here. */
export function isSealed(key: SigningKey, { row, seal }: SealedRow): boolean {
  if (seal === null || rowHash(row) !== row.hash) return false;
  return sealRow(key, row, seal.state).mac === seal.mac;
}
