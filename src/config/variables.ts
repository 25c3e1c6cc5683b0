import { SwarmError } from "../base/errors.ts";
import type { Position } from "./node.ts";
import type { Reading } from "./reading.ts";

/** Known only when the hook runs, so they stay as written. */
const filledInLater = ["CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT"];

/**
 * A text with its variables replaced. One that is not set is an error and never an empty text: with an empty
 * secret every delivery would go out unsigned.
 */
export function substitute(reading: Reading, key: string, text: string, at: Position): string {
  const { file, env, allowedVariables } = reading;
  return text.replaceAll(/\$\{([^}]*)\}/g, (written: string, variable: string) => {
    if (filledInLater.includes(variable)) return written;
    const refuse = (problem: string) =>
      new SwarmError("SWARM_CONFIG_VARIABLE", { file, ...at, key, variable, problem });
    if (!allowedVariables.includes(variable)) {
      throw refuse("which env.allow of the user's file does not list");
    }
    const value = env[variable];
    if (value === undefined || value === "") throw refuse("which is not set");
    return value;
  });
}
