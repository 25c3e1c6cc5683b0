import type { Placed } from "./fields.ts";
import type { Dialect } from "./hook-config.ts";
import { type Kind, kinds } from "./kinds.ts";
import { configLimits } from "./limits.ts";
import { invalid } from "./node.ts";
import { pluginOf, type Reading } from "./reading.ts";

/** Claude Code's own default; scripts written for it may count on the time. */
const claudeCommandTimeoutMs = 600_000;

/** The deadline of one call: what the hook says, else what its kind, its dialect and its owner say. */
export function timeoutMsOf(
  reading: Reading,
  kind: Kind,
  dialect: Dialect,
  seconds: Placed<number> | undefined,
): number {
  const isPlugins = pluginOf(reading) !== null;
  if (seconds === undefined) {
    const ownMs = dialect === "claude" && kind === "command" ? claudeCommandTimeoutMs : kinds[kind].timeoutMs;
    return isPlugins ? Math.min(ownMs, configLimits.pluginTimeoutMs) : ownMs;
  }
  const timeoutMs = Math.max(1, Math.round(seconds.value * 1_000));
  if (isPlugins && timeoutMs > configLimits.maxPluginTimeoutMs) {
    const max = configLimits.maxPluginTimeoutMs / 1_000;
    const problem = `a plugin's hook has ${seconds.value} seconds, expected at most ${max}`;
    throw invalid(reading.file, seconds.at, problem);
  }
  return timeoutMs;
}
