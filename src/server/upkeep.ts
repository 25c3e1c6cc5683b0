import type { Log } from "../base/log.ts";
import type { Runtime } from "../runtime/runtime.ts";

const everyMs = 3_600_000;

/** What has to be done now and then as long as the daemon runs; returns how to stop it. */
export function startUpkeep(runtime: Runtime, log: Log): () => void {
  const expire = (): void => {
    runtime
      .expirePayloads()
      .catch((error: Error) => void log.warn(error.message, { event: "payloads.expired" }));
  };
  expire();
  const timer = setInterval(expire, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
