import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { SwarmError } from "../base/errors.ts";
import type { PathNames } from "../permissions/files/path-globs.ts";
import { namesOf } from "../permissions/files/path-names.ts";
import type { Config } from "./hook-config.ts";
import { mergeHooks } from "./merge.ts";
import { type ParsedFile, type ParseOptions, parseConfigText } from "./parse.ts";
import { mergePipelines } from "./pipelines-section.ts";
import { type DeclaredPolicy, loadPolicy } from "./policy/load-policy.ts";
import { boundsOf, type OwnFolders, type ProjectBounds } from "./project-bounds.ts";
import { isThere, readConfigFile } from "./read-file.ts";
import { mergeServers, withServers } from "./servers.ts";

export interface LoadOptions {
  /** `SWARM_HOME`. */
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `~` and `$SWARM_HOME` in rules stand for; default the user's own. */
  readonly names?: PathNames;
}

/** The user's file, then the nearest project's: what holds for an event from `cwd`. Either may be missing. */
export function loadConfig({ home, cwd, env, names = namesOf(home, env) }: LoadOptions): Config {
  const { file: userFile, text: userText, ...user } = loadUserConfig({ home, env });
  const { allowedVariables } = user;
  const own = { swarmHome: home, userHome: names.home };
  const project = loadProject(cwd, own, { owner: "project", env, allowedVariables });
  const servers = mergeServers([user.servers, project?.servers ?? []]);
  const { hooks, skipped } = withServers(mergeHooks([user.hooks, project?.hooks ?? []]), servers);
  const declared: DeclaredPolicy[] = [];
  if (user.policy !== null) declared.push({ file: userFile, bounds: null, node: user.policy });
  if (project !== null && project.policy !== null) {
    declared.push({ file: project.file, bounds: project.bounds, node: project.policy });
  }
  return {
    files: [userText === null ? [] : userFile, project?.file ?? []].flat(),
    hooks,
    servers,
    skipped: [...user.skipped, ...(project?.skipped ?? []), ...skipped],
    logHooks: logHooksFrom(env) ?? user.logHooks,
    flags: user.flags,
    sandbox: user.sandbox,
    audit: user.audit,
    approvals: user.approvals,
    batch: user.batch,
    retention: user.retention,
    cron: [...user.cron, ...(project?.cron ?? [])],
    pipelines: mergePipelines(user.pipelines, project?.pipelines ?? []),
    policy: loadPolicy(declared, names),
    inbound: user.inbound,
    allowedVariables,
    plugins: user.plugins,
  };
}

/** The user's own file, which alone sets what holds for every project. */
export function loadUserConfig({ home, env }: Omit<LoadOptions, "cwd">): UserConfig {
  const file = join(home, "config.yaml");
  const text = readConfigFile(file);
  const known = parsedLast.get(env);
  if (known !== undefined && known.file === file && known.text === text) return known;
  const parsed = { file, text, ...parseConfigText(file, text ?? "", { owner: "user", env }) };
  parsedLast.set(env, parsed);
  return parsed;
}

/** Several ask for it within one start: without a daemon an agent waits for each time it is parsed, 10 ms. */
const parsedLast = new WeakMap<LoadOptions["env"], UserConfig>();

type UserConfig = ParsedFile & { readonly file: string; readonly text: string | null };

type ProjectFile = ParsedFile & { readonly file: string; readonly bounds: ProjectBounds };

/** The nearest `swarm.yaml` in `cwd` or above it. Links are resolved first, or one could lead around a project's guards. */
function loadProject(cwd: string, own: OwnFolders, options: ParseOptions): ProjectFile | null {
  for (let folder = existingFolder(cwd); ; folder = dirname(folder)) {
    const file = join(folder, "swarm.yaml");
    if (isThere(file)) {
      const bounds = boundsOf(folder, own);
      const text = readConfigFile(file, bounds);
      if (text !== null) return { file, bounds, ...parseConfigText(file, text, options) };
    }
    if (folder === dirname(folder)) return null;
  }
}

/** A session outlives its folder when a worktree is removed; the project around it still counts. */
export function existingFolder(path: string): string {
  try {
    return realpathSync.native(path); // one call of the system's; the other looks at every folder above
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if ((code === "ENOENT" || code === "ENOTDIR") && path !== dirname(path))
      return existingFolder(dirname(path));
    throw new SwarmError("SWARM_CONFIG_UNREADABLE", { file: path, problem: message }, { cause: error });
  }
}

function logHooksFrom({ SWARM_LOG_HOOKS: value }: LoadOptions["env"]): Config["logHooks"] | null {
  if (value === undefined || value === "") return null;
  if (value === "off" || value === "debug") return value;
  throw new SwarmError("SWARM_OPTION_INVALID", {
    where: "environment",
    option: "SWARM_LOG_HOOKS",
    expected: "off or debug",
    value,
  });
}
