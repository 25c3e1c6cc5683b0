import { SwarmError } from "../../base/errors.ts";
import type { Head, Store } from "../../store/port/store.ts";
import type { GrantCheck } from "./grant-check.ts";
import { grantFaults } from "./grant-faults.ts";
import { type HeadMark, markFault } from "./head-mark.ts";
import type { RowWriter } from "./row-writer.ts";
import type { SigningKey } from "./signing-key.ts";
import { storedRecord } from "./stored-record.ts";
import { maxFaults, type Verification, verifyRecord } from "./verify.ts";

/** Where the record of this machine is, and what its parts are checked by. */
export interface StoredRecord {
  readonly store: Store;
  readonly key: SigningKey;
  readonly grants: GrantCheck;
  readonly headMark: HeadMark;
}

/** Verifies the record; the signal ends it where nobody waits for the answer any more. */
export type VerifyRecord = (anchors?: readonly Head[], signal?: AbortSignal | null) => Promise<Verification>;

/** The record of this machine, and what the store grants by it. */
export async function verifyStored(
  { store, key, grants, headMark }: StoredRecord,
  anchors: readonly Head[] = [],
): Promise<Verification> {
  const marked = headMark.read(); // before the record: others go on writing it
  const found = await verifyRecord(await storedRecord(store, key, anchors));
  const granted = await grantFaults(grants.store, grants, new Date().toISOString());
  const lost = await markFault(store, marked, await store.head());
  const faults = [...(lost === null ? [] : [lost]), ...found.faults, ...granted].slice(0, maxFaults);
  return { ...found, faults, is_intact: faults.length === 0 };
}

/** Signs the record as it is, on a person's word; what it was not then is in the row that says so. Tells what it is now. */
export async function acceptRecord(
  { audit, verify }: { readonly audit: Pick<RowWriter, "accept">; readonly verify: VerifyRecord },
  actor: string,
): Promise<Verification> {
  const { faults, is_intact } = await verify();
  if (is_intact) throw new SwarmError("SWARM_AUDIT_INTACT", {});
  const [first] = faults;
  const more = faults.length === 1 ? "" : `, and ${faults.length - 1} faults more`;
  await audit.accept(actor, `${first?.problem}${more}`);
  return verify();
}
