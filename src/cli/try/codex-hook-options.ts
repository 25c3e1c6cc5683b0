import { SwarmError } from "../../base/errors.ts";
import { listHooks } from "../../agents/verify/agents/codex-trust.ts";
import type { Trial } from "./hook-options.ts";

/**
 * Codex takes hooks by `-c`, as it takes any setting, and skips those it is not told to trust. So it is asked first what
 * it calls each of them and which hash it compares. Trust is given to ours alone: the project's own hooks stay untrusted.
 */
export async function codexHookOptions({ program, settings, cwd, env }: Trial): Promise<readonly string[]> {
  const { hooks } = JSON.parse(settings) as { hooks: Readonly<Record<string, unknown>> };
  const options = Object.entries(hooks).flatMap(([event, groups]) => [
    "-c",
    `hooks.${event}=${toml(groups)}`,
  ]);
  const found = await listHooks([program, "app-server", ...options], cwd, env);
  const ours = (found ?? []).filter(({ source }) => source === "sessionFlags");
  if (ours.length < Object.keys(hooks).length) {
    throw new SwarmError("SWARM_TRIAL_REFUSED", {
      agent: "codex",
      problem: "it does not list the hooks it was given by -c, as 0.169.0 does",
    });
  }
  const trusted = Object.fromEntries(
    ours.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
  );
  return [...options, "-c", `hooks.state=${toml(trusted)}`];
}

/** A value as TOML on one line; its strings are JSON's. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, its]) => `${JSON.stringify(key)}=${toml(its)}`)
    .join(",")}}`;
}
