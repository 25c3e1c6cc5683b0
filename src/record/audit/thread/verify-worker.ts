// Verifies the record in a thread of its own: a million rows take seconds, and nothing that is decided meanwhile waits for it.
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../../base/clock.ts";
import type { Log } from "../../../base/log.ts";
import { maskMessages } from "../../../base/mask-messages.ts";
import { openStore } from "../../../store/open-store.ts";
import type { Head } from "../../../store/port/store.ts";
import { GrantCheck } from "../grant-check.ts";
import { HeadMark } from "../head-mark.ts";
import { Recorder } from "../recorder.ts";
import { SigningKey } from "../signing-key.ts";
import type { Verification } from "../verify.ts";
import { verifyStored } from "../verify-stored.ts";
import { type Settled, sentError } from "./messages.ts";

/** What one is started with. */
export interface VerifyWork {
  readonly home: string;
  readonly url: string;
  readonly anchors: readonly Head[];
}

export type VerifyMessage =
  | { readonly settled: Settled<Verification> }
  | { readonly warning: string; readonly fields: Readonly<Record<string, unknown>> };

const send = (message: VerifyMessage): void => parentPort?.postMessage(message);

async function verify({ home, url, anchors }: VerifyWork): Promise<Verification> {
  maskMessages();
  const log: Log = { warn: (warning, fields) => send({ warning, fields }) };
  const store = await openStore(url);
  try {
    const key = new SigningKey(join(home, "audit-key.pem"));
    const headMark = new HeadMark(join(home, "audit-head"), key, log);
    // It records nothing: it is asked whether the record is the one that was signed.
    const recorder = new Recorder({
      store,
      key,
      clock: systemClock,
      mark: headMark,
      durability: "process",
      log,
    });
    const grants = new GrantCheck({ store, key, fault: () => recorder.currentFault() });
    return await verifyStored({ store, key, grants, headMark }, anchors);
  } finally {
    await store.close();
  }
}

try {
  send({ settled: { value: await verify(workerData as VerifyWork) } });
} catch (error) {
  send({ settled: { error: sentError(error) } });
}
