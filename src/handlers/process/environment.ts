import { isPassed } from "../../base/passed-variables.ts";

/**
 * The environment of a program we start: an allow-list of ours, then `extra`. A list of what to leave out would
 * always be one name short: LD_PRELOAD, NODE_OPTIONS, BASH_ENV, ENV, PYTHONSTARTUP and GIT_* each run code of whoever
 * set them, and any other name may hold a secret.
 */
export function hookEnvironment(
  source: NodeJS.ProcessEnv,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && isPassed(name)) environment[name] = value;
  }
  return Object.assign(environment, extra);
}
