import type { Log } from "../../base/log.ts";
import { EntryUpkeep } from "../../agents/install/entry-upkeep.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { forgetSharedAnswers } from "../../agents/calls/shared-answers.ts";

const everyMs = 3_600_000;
/** A call that found no daemon may be recorded after one has started; looking takes 10 µs. */
const lateEveryMs = 1_000;

/** What has to be done now and then as long as the daemon runs, until it is drained. */
export function startUpkeep(runtime: Runtime, env: NodeJS.ProcessEnv, log: Log): { drain(): Promise<void> } {
  const expire = (): void => {
    runtime
      .expirePayloads()
      .then(() => runtime.cron.forgetRuns())
      .then(() => runtime.retention.forget())
      .catch((error: Error) => void log.warn(error.message, { event: "payloads.expired" }));
  };
  expire();
  forgetSharedAnswers(runtime.home);
  const timer = setInterval(expire, everyMs);
  timer.unref();
  const takeLate = (): void => {
    runtime.takeLate().catch((error: Error) => void log.warn(error.message, { event: "late" }));
  };
  const lateTimer = setInterval(takeLate, lateEveryMs);
  lateTimer.unref();
  const stopWatching = runtime.approvals.watch();
  const entries = new EntryUpkeep(runtime, { env, log });
  return {
    drain: () => {
      clearInterval(timer);
      clearInterval(lateTimer);
      stopWatching();
      return entries.stop();
    },
  };
}
