import { homedir } from "node:os";
import { resolve } from "node:path";
import type { PathNames } from "./path-globs.ts";
import { realPath } from "./real-path.ts";

/** What `~` and `$SWARM_HOME` in rules stand for. Links in them are resolved, as in the paths they are compared with. */
export function namesOf(home: string, env: Readonly<Record<string, string | undefined>>): PathNames {
  return { home: realPath(resolve(env.HOME || homedir())), swarmHome: realPath(resolve(home)) };
}
