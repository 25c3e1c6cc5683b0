import { grantFaults } from "./grant-faults.ts";
import { markFault } from "./head-mark.ts";
import { storedRecord } from "./stored-record.ts";
import { maxFaults, type Verification, verifyRecord } from "./verify.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Head } from "../../store/port/store.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";

/** The record of this machine, and what the store grants by it. */
export async function verifyStored(
  { store, key, grants, headMark }: Runtime,
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
export async function acceptRecord(runtime: Runtime, actor: string): Promise<Verification> {
  const { faults, is_intact } = await verifyStored(runtime);
  if (is_intact) throw new SwarmError("SWARM_AUDIT_INTACT", {});
  const [first] = faults;
  const more = faults.length === 1 ? "" : `, and ${faults.length - 1} faults more`;
  await runtime.audit.accept(actor, `${first?.problem}${more}`);
  return verifyStored(runtime);
}
