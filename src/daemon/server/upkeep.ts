import type { Log } from "../../base/log.ts";
import { EntryUpkeep } from "../../agents/install/entry-upkeep.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { rememberMs } from "../../agents/calls/native-calls.ts";
import { forgetSharedAnswers } from "../../agents/calls/shared-answers.ts";

const everyMs = 3_600_000;

/** What has to be done now and then as long as the daemon runs, until it is drained. */
export function startUpkeep(runtime: Runtime, env: NodeJS.ProcessEnv, log: Log): { drain(): Promise<void> } {
  const expire = (): void => {
    runtime
      .expirePayloads()
      .then(async () => (await runtime.cron.open()).forgetRuns())
      .then(() => runtime.retention.forget())
      .catch((error: Error) => void log.warn(error.message, { event: "payloads.expired" }));
  };
  expire();
  // Until then a copy of a call may come that a process has answered before there was a daemon.
  const forgetTimer = setTimeout(forgetSharedAnswers, rememberMs, runtime.home);
  forgetTimer.unref();
  const timer = setInterval(expire, everyMs);
  timer.unref();
  const stopWatching = runtime.approvals.watch();
  const entries = new EntryUpkeep(runtime, { env, log });
  return {
    drain: () => {
      clearInterval(timer);
      clearTimeout(forgetTimer);
      stopWatching();
      return entries.stop();
    },
  };
}
