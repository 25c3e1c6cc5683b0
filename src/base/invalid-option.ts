import { SwarmError } from "./swarm-error.ts";

/** The error of a value that does not fit, whatever it was given to: "job: retries is -1, expected a whole number from 0". */
export function invalidOption(
  where: string,
  option: string,
  expected: string,
  value: unknown,
): SwarmError<"SWARM_OPTION_INVALID"> {
  return new SwarmError("SWARM_OPTION_INVALID", { where, option, expected, value });
}
