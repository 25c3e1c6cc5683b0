import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Words nobody else uses: what they show up in, this verification has put there. */
export interface Sentinel {
  readonly token: string;
  /** What the model must hear of a denied command. */
  readonly reason: string;
}

export function newSentinel(): Sentinel {
  const token = randomBytes(6).toString("hex");
  return { token, reason: `swarm verify ${token}: this command is denied on purpose` };
}

/** What becomes of a command is told by the file it would make. */
export type Fate = "denied" | "allowed" | "original" | "rewritten";

export function markerOf({ token }: Sentinel, fate: Fate, run: string): string {
  return `${fate}-${token}-${run}`;
}

/** As harmless as a command can be that leaves a trace. */
export function commandOf(marker: string): string {
  return `printf ran > ${marker}`;
}

/**
 * The hooks that decide about these commands, as any project declares hooks. They answer by what stands in the event,
 * wherever in it: which field it is in is the adapter's business, and part of what is verified.
 */
export function writeSentinelHooks(project: string, sentinel: Sentinel): void {
  const { token, reason } = sentinel;
  const rewritten = JSON.stringify({
    rewrite: { tool_input: { command: commandOf(markerOf(sentinel, "rewritten", "headless")) } },
  });
  const scripts = {
    "deny.sh": `case "$(cat)" in\n  *denied-${token}*) echo '${reason}' >&2; exit 2 ;;\nesac\n`,
    "rewrite.sh": `case "$(cat)" in\n  *original-${token}*) echo '${rewritten}' ;;\nesac\n`,
  };
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(project, name), text);
  const hook = { event: "tool.before", timeout_s: 5 };
  // It denies, but not when it fails: that would ask for other entries in the settings that are verified here.
  const deny = { name: "verify-deny", mode: "guard", args: ["/bin/sh", "./deny.sh"] };
  const guard = { ...hook, type: "command", ...deny };
  const transform = { ...hook, type: "command", name: "verify-rewrite", args: ["/bin/sh", "./rewrite.sh"] };
  writeFileSync(join(project, "swarm.yaml"), JSON.stringify({ hooks: [guard, transform] }, null, 2));
}
