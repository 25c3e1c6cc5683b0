import { SwarmError } from "../../../base/errors.ts";
import { idPattern } from "../../../base/ids.ts";
import { usage } from "../../../cli/command.ts";

/** What a plugin can be called; anything else is none that is installed. */
export function pluginNamed(command: string, written: string | undefined): string {
  if (written === undefined) throw usage(command, "the name of a plugin is missing");
  if (idPattern.test(written)) return written;
  throw new SwarmError("SWARM_PLUGIN_UNKNOWN", { plugin: written, suggestion: undefined });
}
