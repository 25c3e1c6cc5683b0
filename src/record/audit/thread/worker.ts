// The thread that keeps the record: the one writer, on a store that only it has open.
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../../base/clock.ts";
import type { Log } from "../../../base/log.ts";
import { maskMessages } from "../../../base/mask-messages.ts";
import { openStore } from "../../../store/open-store.ts";
import type { Store } from "../../../store/port/store.ts";
import { HeadMark } from "../head-mark.ts";
import { Recorder } from "../recorder.ts";
import { SigningKey } from "../signing-key.ts";
import type { RunEvent } from "../../port/run-event.ts";
import {
  type Addition,
  type ChainedFields,
  type Message,
  partsOf,
  type Request,
  type Settled,
  sentError,
  type ThreadOptions,
  type Work,
} from "./messages.ts";
import { callStore, methodsOf } from "./remote-store.ts";

const port = parentPort;
if (port === null) throw new Error("this is a thread's program");
const send = (message: Message): void => port.postMessage(message);

try {
  await serve(workerData as ThreadOptions);
} catch (error) {
  send({ failure: sentError(error) });
  port.close();
}

async function serve({ home, url, durability }: ThreadOptions): Promise<void> {
  maskMessages();
  const log: Log = { warn: (warning, fields) => send({ warning, fields }) };
  const store = await openStore(url);
  const key = new SigningKey(join(home, "audit-key.pem"));
  const mark = new HeadMark(join(home, "audit-head"), key, log);
  const recorder = new Recorder({ store, key, clock: systemClock, mark, durability, log });
  const methods = methodsOf(store);
  port?.on("message", async ({ id, work }: Request) => {
    const whole = await settle(perform(work, store, methods, recorder));
    // What is added is acknowledged in its order, all at once.
    const isRead = work.kind === "store" && "value" in whole;
    const settled = isRead ? { value: await sendParts(id, whole.value) } : whole;
    send({ id, settled, state: { fault: recorder.fault, isDamaged: recorder.isDamaged } });
    if (work.kind === "close_store") port?.close();
  });
  send({ methods });
}

/** Others have their turn between two parts, on both sides. Tells the last one. */
async function sendParts(id: number, value: unknown): Promise<unknown> {
  const { first, last } = partsOf(value);
  for (const part of first) {
    send({ id, part });
    await setImmediate();
  }
  return last;
}

async function perform(
  work: Work,
  store: Store,
  methods: ReturnType<typeof methodsOf>,
  recorder: Recorder,
): Promise<unknown> {
  switch (work.kind) {
    case "store":
      return callStore(store, methods, work);
    case "add":
      return Promise.all(work.additions.map((addition) => settle(add(recorder, addition))));
    case "accept":
      return recorder.accept(work.actor, work.reason);
    case "current_fault":
      return recorder.currentFault();
    case "close_recorder":
      return recorder.close();
    case "close_store":
      return store.close();
  }
}

async function add(recorder: Recorder, { entry, changes }: Addition): Promise<ChainedFields> {
  const row: RunEvent = await recorder.add(entry, changes);
  const { seq, ref, before_hash, after_hash, prev_hash, hash } = row;
  return { seq, ref, before_hash, after_hash, prev_hash, hash };
}

async function settle<Value>(work: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error: sentError(error) };
  }
}
