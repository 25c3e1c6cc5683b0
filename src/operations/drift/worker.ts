import { parentPort, workerData } from "node:worker_threads";
import { SwarmError } from "../../base/errors.ts";
import { check, type Order, summariseData } from "./work.ts";

// The thread a check runs in: ten million rows must not keep the daemon from answering an agent's hook.
const order = workerData as Order;
try {
  const done = order.kind === "check" ? await check(order) : await summariseData(order);
  parentPort?.postMessage({ done });
} catch (error) {
  if (!(error instanceof SwarmError)) throw error;
  parentPort?.postMessage({ failed: { code: error.code, message: error.message } });
}
