import { grantFaults } from "../audit/grant-faults.ts";
import { storedRecord } from "../audit/stored-record.ts";
import { maxFaults, type Verification, verifyRecord } from "../audit/verify.ts";
import type { Head } from "../ports/store.ts";
import type { Runtime } from "./runtime.ts";

/** The record of this machine, and what the store grants by it. */
export async function verifyStored(
  { store, key, grants }: Runtime,
  anchors: readonly Head[] = [],
): Promise<Verification> {
  const found = await verifyRecord(await storedRecord(store, key, anchors));
  const granted = await grantFaults(grants.store, grants, new Date().toISOString());
  const faults = [...found.faults, ...granted].slice(0, maxFaults);
  return { ...found, faults, is_intact: faults.length === 0 };
}
