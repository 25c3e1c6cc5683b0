import type { RunEvent } from "../port/run-event.ts";
import type { RowSeal, SealedRow } from "../../store/port/store.ts";
import { rowHash } from "../port/chain.ts";
import type { SigningKey } from "./signing-key.ts";

/**
 * Shows that a process with the record's key has written the row, and what it was written with. The chain of hashes shows
 * only that rows follow one another: anybody can add one to its end.
 */
export function sealRow(
  key: SigningKey,
  { hash }: Pick<RunEvent, "hash">,
  state: string | null,
  isPayloadKept: boolean,
): RowSeal {
  return { state, mac: key.seal(isPayloadKept ? "row" : "row without payload", `${hash}\n${state ?? ""}`) };
}

/** Whether the row is what it was when it was written, and was written here. */
export function isSealed(key: SigningKey, { row, seal }: SealedRow): boolean {
  if (seal === null || rowHash(row) !== row.hash) return false;
  return sealRow(key, row, seal.state, true).mac === seal.mac || isUnkept(key, { row, seal });
}

/** Whether the payload was too large to be kept when the row was written. */
export function isUnkept(key: SigningKey, { row, seal }: SealedRow): boolean {
  return seal !== null && sealRow(key, row, seal.state, false).mac === seal.mac;
}
