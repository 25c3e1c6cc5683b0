import { suite } from "node:test";
import { approvalStoreCases } from "./approval-store.cases.ts";
import { baselineStoreCases } from "./baseline-store.cases.ts";
import { driftMarkStoreCases } from "./drift-mark-store.cases.ts";
import { fileTrustCases } from "./file-trust-store.cases.ts";
import { flagStoreCases } from "./flag-store.cases.ts";
import { inboundCases } from "./inbound-store.cases.ts";
import { outboxCases } from "./outbox-store.cases.ts";
import { pluginCases } from "./plugin-store.cases.ts";
import { retentionStoreCases } from "./retention-store.cases.ts";
import { appendCases } from "./store-append.cases.ts";
import type { PrepareStore } from "./store-harness.cases.ts";
import { hookCases } from "./store-hooks.cases.ts";
import { listCases } from "./store-list.cases.ts";
import { markCases } from "./store-mark.cases.ts";
import { payloadCases } from "./store-payloads.cases.ts";
import { textCases } from "./store-text.cases.ts";
import { tokenStoreCases } from "./token-store.cases.ts";
import { trustCases } from "./trust-store.cases.ts";

/** What every driver of the store runs in full. */
export function storeCases(driver: string, prepare: PrepareStore): void {
  suite(`the store on ${driver}`, () => {
    appendCases(prepare);
    listCases(prepare);
    payloadCases(prepare);
    hookCases(prepare);
    markCases(prepare);
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
