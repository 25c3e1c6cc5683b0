import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { SwarmError } from "../base/errors.ts";
import { invalidOption } from "../base/invalid-option.ts";
import { maskMessages } from "../base/mask-messages.ts";
import type { PathNames } from "../policy/rules/files/path-globs.ts";
import { namesOf } from "../policy/rules/files/path-names.ts";
import type { Config } from "./hook-config.ts";
import { type ApprovedGuards, inheritGuards, withFreeNames } from "./inherit-guards.ts";
import { mergeHooks } from "./merge.ts";
import { type ParsedFile, type ParseOptions, parseConfigText } from "./parse.ts";
import { mergePipelines } from "./pipelines-section.ts";
import { type DeclaredPolicy, loadPolicy } from "./policy/load-policy.ts";
import { readPolicyExceptions } from "./policy/read-exceptions.ts";
import { type FilesOf, ProjectFiles } from "./project-files.ts";
import { isThere, readConfigFile } from "./read-file.ts";
import { redactHook } from "./redact-section.ts";
import { mergeServers, withServers } from "./servers.ts";
import { withoutQuotes, withoutReasons } from "./unquoted.ts";

export interface LoadOptions {
  /** `SWARM_HOME`. */
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `~` and `$SWARM_HOME` in rules stand for; default the user's own. */
  readonly names?: PathNames;
  /** Which guards of files above the nearest one hold, too; default none. */
  readonly approvedGuards?: ApprovedGuards;
}

/**
 * The user's file, then the nearest project's: what holds for an event from `cwd`. Either may be missing. Of projects
 * farther up their approved guards hold.
 */
export function loadConfig(options: LoadOptions): Config {
  maskMessages();
  const unquotable = new Set<string>();
  const { home, env, names = namesOf(home, env) } = options;
  const filesOf = (file: string) => new ProjectFiles(dirname(file), names, unquotable);
  try {
    const config = loadFrom({ ...options, names }, filesOf);
    if (unquotable.size === 0) return config;
    return { ...config, skipped: withoutReasons(config.skipped, unquotable) };
  } catch (error) {
    throw withoutQuotes(error, unquotable);
  }
}

function loadFrom(
  { home, cwd, env, names, approvedGuards = () => new Set() }: LoadOptions & { readonly names: PathNames },
  filesOf: FilesOf,
): Config {
  const { file: userFile, text: userText, ...user } = loadUserConfig({ home, env });
  const { allowedVariables } = user;
  const parsing = { owner: "project", env, allowedVariables } as const;
  const places = projectFiles(existingFolder(cwd));
  const project = loadNearest(places, filesOf, parsing);
  const farther = project === null ? [] : places.slice(places.indexOf(project.file) + 1);
  const inherited = inheritGuards(farther, approvedGuards, filesOf, parsing);
  const servers = mergeServers([
    user.servers,
    project?.servers ?? [],
    ...inherited.map((each) => each.servers),
  ]);
  const own = [...user.hooks, ...(project?.hooks ?? [])];
  const guards = withFreeNames(
    inherited.flatMap((each) => each.hooks),
    own,
  );
  const declaredHooks = [...own, ...guards];
  const redact = redactHook([user.redact, project?.redact ?? null], declaredHooks);
  const all = redact === null ? declaredHooks : [...declaredHooks, redact];
  const { hooks, skipped } = withServers(mergeHooks([all]), servers);
  const declared: DeclaredPolicy[] = [];
  if (user.policy !== null) declared.push({ file: userFile, project: null, node: user.policy });
  if (project !== null && project.policy !== null) {
    declared.push({ file: project.file, project: project.others, node: project.policy });
  }
  const exceptions =
    user.policyExceptions === null ? [] : readPolicyExceptions(userFile, user.policyExceptions, names);
  return {
    files: [
      userText === null ? [] : userFile,
      ...inherited.map(({ file }) => file),
      project?.file ?? [],
    ].flat(),
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
    policy: loadPolicy(declared, names, exceptions),
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

/** Where a project's file can be for this folder: from the folder itself up. Links in its path must be resolved. */
export function projectFiles(cwd: string): string[] {
  const files: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    files.push(join(folder, "swarm.yaml"));
    if (folder === dirname(folder)) return files;
  }
}

/** The first of these files that is there. */
function loadNearest(
  files: readonly string[],
  filesOf: FilesOf,
  options: ParseOptions,
): (ParsedFile & { readonly file: string; readonly others: ProjectFiles }) | null {
  for (const file of files) {
    if (!isThere(file)) continue;
    const others = filesOf(file);
    const text = others.read(file);
    if (text !== null) return { file, others, ...parseConfigText(file, text, options) };
  }
  return null;
}

/**
 * The folder with links resolved: one could otherwise lead around a project's guards. A session outlives its folder when a
 * worktree is removed; the project around it still counts.
 */
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
  throw invalidOption("environment", "SWARM_LOG_HOOKS", "off or debug", value);
}
