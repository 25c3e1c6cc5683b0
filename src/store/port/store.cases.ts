import { suite } from "node:test";
import { approvalStoreCases } from "../../policy/approvals/port/approval-store.cases.ts";
import { baselineStoreCases } from "../../operations/drift/port/baseline-store.cases.ts";
import { driftMarkStoreCases } from "../../operations/drift/port/drift-mark-store.cases.ts";
import { fileTrustCases } from "../../policy/trust/port/file-trust-store.cases.ts";
import { flagStoreCases } from "../../daemon/flags/port/flag-store.cases.ts";
import { inboundCases } from "../../operations/webhooks/port/inbound-store.cases.ts";
import { outboxCases } from "../../operations/webhooks/port/outbox-store.cases.ts";
import { pluginCases } from "../../policy/plugins/port/plugin-store.cases.ts";
import { retentionStoreCases } from "./retention-store.cases.ts";
import { appendCases } from "./store-append.cases.ts";
import type { PrepareStore } from "./store-harness.cases.ts";
import { hookCases } from "./store-hooks.cases.ts";
import { listCases } from "./store-list.cases.ts";
import { payloadCases } from "./store-payloads.cases.ts";
import { textCases } from "./store-text.cases.ts";
import { tokenStoreCases } from "../../daemon/access/port/token-store.cases.ts";
import { trustCases } from "../../policy/trust/port/trust-store.cases.ts";

/** What every driver of the store runs in full. `skipSeals`: why rows cannot be sealed by whoever asks this one. */
export function storeCases(driver: string, prepare: PrepareStore, skipSeals: string | false = false): void {
  suite(`the store on ${driver}`, () => {
    appendCases(prepare, skipSeals);
    listCases(prepare);
    payloadCases(prepare);
    hookCases(prepare);
    textCases(prepare);
    tokenStoreCases(prepare);
    trustCases(prepare);
    fileTrustCases(prepare);
    pluginCases(prepare);
    approvalStoreCases(prepare);
    outboxCases(prepare);
    inboundCases(prepare);
    flagStoreCases(prepare);
    baselineStoreCases(prepare);
    driftMarkStoreCases(prepare);
    retentionStoreCases(prepare);
  });
}
