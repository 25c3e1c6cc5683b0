import { forgottenReason } from "./payload-check.ts";
import type { Audit } from "../port/audit.ts";
import type { RecordedChange } from "../port/run-event.ts";
import type { Store } from "../../store/port/store.ts";
import type { Webhooks } from "../../operations/webhooks/service.ts";

interface Kept {
  readonly store: Store;
  readonly webhooks: Webhooks;
  readonly audit: Audit;
}

/** Forgets payloads and deliveries from before this many days, and says so in the record. Tells how many payloads. */
export async function expirePayloads(
  { store, webhooks, audit }: Kept,
  nowMs: number,
  days: number,
): Promise<number> {
  const beforeMs = nowMs - days * 86_400_000;
  const olderThan = new Date(beforeMs).toISOString();
  const count = await store.countExpiring(olderThan);
  const deliveries = await webhooks.expire(beforeMs);
  if (count + deliveries === 0) return 0;
  const event: RecordedChange = "payloads.expired";
  const what = deliveries === 0 ? `${count} payloads` : `${count} payloads and ${deliveries} deliveries`;
  const reason = forgottenReason(what, olderThan, days);
  // The row first: payloads that are gone without one look as if somebody else had taken them.
  await audit.record({ kind: "change", event, actor: "swarm", reason });
  return store.expirePayloads(olderThan);
}
