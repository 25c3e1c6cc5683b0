import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { isPassed } from "../../base/passed-variables.ts";

/** Of what is passed on to programs: these say something of the terminal or the run at hand, not of the user. */
const momentary: ReadonlySet<string> = new Set(["TERM", "SWARM_RUN"]);

/**
 * The environment hooks are evaluated in when there is no daemon, recorded from the terminal of who installs the client.
 * The one of the agent does not count: a project's files can set it, and each of PATH, HOME and NODE_OPTIONS decides what
 * a guard sees.
 */
export function recordedEnvironment(
  env: NodeJS.ProcessEnv,
  swarmHome: string,
): Readonly<Record<string, string>> {
  const recorded: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isPassed(name) && !momentary.has(name)) recorded[name] = value;
  }
  const { homedir, username } = userInfo();
  return {
    USER: username,
    LOGNAME: username,
    ...recorded,
    HOME: env.HOME !== undefined && isAbsolute(env.HOME) ? env.HOME : homedir,
    PATH: steadyFolders(env.PATH ?? "").join(":") || "/usr/local/bin:/usr/bin:/bin",
    SWARM_HOME: swarmHome,
  };
}

/** Without those that depend on where a program is started, and those npm adds for the project it runs in. */
function steadyFolders(path: string): string[] {
  return path
    .split(":")
    .filter((folder) => isAbsolute(folder) && !/\/node_modules\/(?:\.bin$|.*\/node-gyp-bin$)/.test(folder));
}
