import { Worker } from "node:worker_threads";
import type { ErrorCode } from "../../base/error-catalog.ts";
import { SwarmError } from "../../base/errors.ts";
import type { CheckDone, CheckOrder, Order, SummaryDone, SummaryOrder } from "./work.ts";

/** Of a thread's heap; sketches of 256 features on both sides, which are not in it, take as much again at most. */
const maxHeapMib = 1_024;

type Message<Done> =
  | { readonly done: Done }
  | { readonly failed: { readonly code: ErrorCode; readonly message: string } };

export function inThread(order: CheckOrder, signal: AbortSignal): Promise<CheckDone>;
export function inThread(order: SummaryOrder, signal: AbortSignal): Promise<SummaryDone>;
/** Does it in a thread of its own, which is ended when the signal is aborted. */
export function inThread(order: Order, signal: AbortSignal): Promise<CheckDone | SummaryDone> {
  return new Promise((resolve, reject) => {
    const ended = (problem: string) => reject(new SwarmError("SWARM_DRIFT_ENDED", { problem }));
    if (signal.aborted) {
      ended("it was not to begin");
      return;
    }
    const worker = new Worker(new URL(`./worker${extension}`, import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
      execArgv: [],
      env: {},
    });
    const onAbort = (): void => void worker.terminate();
    signal.addEventListener("abort", onAbort);
    worker.once("message", (message: Message<CheckDone | SummaryDone>) => {
      if ("done" in message) resolve(message.done);
      else reject(new SwarmError(message.failed.code, {} as never, { message: message.failed.message }));
    });
    worker.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") ended("it ran out of memory");
      else reject(error);
    });
    // Last of all: whatever was said before counts.
    worker.once("exit", () => {
      signal.removeEventListener("abort", onAbort);
      ended("it was told to let go");
    });
  });
}

/** Of the sources while they are run as they are, of what is built from them otherwise. */
const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
