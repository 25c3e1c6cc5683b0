import { dirname, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { fileStamp } from "../../base/file-stamp.ts";
import { oneLine } from "../../base/show.ts";
import type { DeclaredJob } from "../../config/cron-section.ts";
import type { Config, HookConfig, ServerConfig } from "../../config/hook-config.ts";
import { projectFiles } from "../../config/load.ts";
import type { Pipeline } from "../../operations/pipelines/port/pipeline.ts";
import type { TrustBook } from "./book.ts";
import type { Fingerprint } from "./definition.ts";
import { type ExaminedHook, examineHook } from "./examine.ts";
import { jobHook, jobOf } from "./job-hook.ts";
import { type NamedFile, redirect, redirectArgv } from "./named-files.ts";
import { pipelineHooks, pipelineOf } from "./pipeline-hooks.ts";
import { isKept, keptPath } from "./snapshot.ts";

/**
 * - `own`: in the user's own file, or a plugin's; nobody has to be asked.
 * - `trusted`: approved as it is; its files run as they were then.
 * - `untrusted`: nobody was asked. `changed`: it, or a file of it, is not what was approved.
 * - `ignored`: somebody wants the project's hooks left out.
 */
export const trustStates = ["own", "trusted", "untrusted", "changed", "ignored"] as const;
export type TrustState = (typeof trustStates)[number];

export interface JudgedHook {
  readonly hook: HookConfig;
  readonly state: TrustState;
  /** What may be run: the hook with its files taken from where they are kept; null when nothing may. */
  readonly runnable: HookConfig | null;
}

export interface Judgement {
  /** In the order of the configuration. */
  readonly hooks: readonly JudgedHook[];
  /** Those of the configuration; what is trusted of a project's is taken from where it is kept. */
  readonly servers: readonly ServerConfig[];
  /** Why no tool may be run in this project; null when one may. */
  readonly denial: string | null;
  /** Whether a file that counted is another one by now. Looks at each, hashes none: 3 to 6 µs a file. */
  isOutdated(): boolean;
}

export interface Judge {
  readonly home: string;
  readonly book: TrustBook;
  readonly fingerprint: Fingerprint;
  readonly isEnabled: (hookId: string) => boolean;
}

/** Which hooks of the configuration of a folder may run, by what was decided about its project. */
export function judgeProject(config: Config, cwd: string, judge: Judge): Judgement {
  const stamps = new Map<string, string>();
  // Hooks that share a server were approved with the same bytes of it: the copy of any of them will do.
  const kept = new Map<string, ServerConfig>();
  const hooks = config.hooks.map((hook) => judgeHook(hook, config, judge, stamps, kept));
  const servers = config.servers.map((server) => kept.get(server.name) ?? server);
  return { hooks, servers, denial: denialOf(hooks, cwd, judge), isOutdated: () => isOutdated(stamps) };
}

/** The same of the jobs, each with the files it runs taken from where they are kept. */
export function judgeJobs(config: Config, judge: Judge) {
  const stamps = new Map<string, string>();
  const jobs = config.cron.map((job): JudgedJob => {
    const { state, runnable } = judgeHook(jobHook(job), config, judge, stamps, new Map());
    return { job, state, runnable: runnable === null ? null : jobOf(runnable, job) };
  });
  return { jobs, isOutdated: () => isOutdated(stamps) };
}

/** The same of one pipeline: it may run when all of it may. */
export function judgePipeline(pipeline: Pipeline, config: Config, judge: Judge): JudgedPipeline {
  const hooks = pipelineHooks(pipeline).map((hook) => judgeHook(hook, config, judge, new Map(), new Map()));
  const runnable = hooks.flatMap((each) => each.runnable ?? []);
  const inert = hooks.find((each) => each.runnable === null);
  const { file } = pipeline.source;
  const approvers = hooks.flatMap(({ hook, state }) =>
    state === "trusted" ? (judge.book.approvalOf(file, hook.id)?.actor ?? []) : [],
  );
  return {
    problem: inert === undefined ? null : `${inert.hook.name} is ${inertReason(inert.state)}`,
    runnable: inert === undefined ? pipelineOf(runnable, pipeline) : null,
    trustedBy: [...new Set(approvers)],
  };
}

export interface JudgedPipeline {
  /** Why it may not run; null when it may. */
  readonly problem: string | null;
  readonly runnable: Pipeline | null;
  /** Who approved it as it is; nobody has to for the user's own. */
  readonly trustedBy: readonly string[];
}

export interface JudgedJob {
  readonly job: DeclaredJob;
  readonly state: TrustState;
  readonly runnable: DeclaredJob | null;
}

function isOutdated(stamps: ReadonlyMap<string, string>): boolean {
  return [...stamps].some(([path, stamp]) => stampOf(path) !== stamp);
}

/** Masking secrets is nothing a project could do harm with: nobody has to approve it. */
export function isProjectHook({ plugin, source, action }: HookConfig, home: string): boolean {
  return plugin === null && action.kind !== "redact" && source.file !== join(home, "config.yaml");
}

function judgeHook(
  hook: HookConfig,
  { servers }: Config,
  judge: Judge,
  stamps: Map<string, string>,
  kept: Map<string, ServerConfig>,
): JudgedHook {
  const { home, book, fingerprint } = judge;
  const { file } = hook.source;
  if (!isProjectHook(hook, home)) return { hook, state: "own", runnable: hook };
  if (book.ignoranceOf(file) !== undefined) return { hook, state: "ignored", runnable: null };
  const approval = book.approvalOf(file, hook.id);
  // Nothing of a project is read that nobody has approved anything of.
  if (approval === undefined) return { hook, state: "untrusted", runnable: null };
  const examined = examineStamped(hook, servers, fingerprint, stamps);
  const isSame = examined?.digest === approval.digest && isKept(home, examined);
  if (examined === null || !isSame) return { hook, state: "changed", runnable: null };
  for (const { server, named } of examined.servers)
    if (!kept.has(server.name)) kept.set(server.name, serverFromKept(server, named, examined, home));
  return { hook, state: "trusted", runnable: fromKept(examined, home) };
}

/** Null when it cannot be looked at as a whole, and so is not what was approved. */
function examineStamped(
  hook: HookConfig,
  servers: readonly ServerConfig[],
  fingerprint: Fingerprint,
  stamps: Map<string, string>,
): ExaminedHook | null {
  try {
    // A file is stamped before it is read: if it changes in between, the next look finds out.
    return examineHook(hook, servers, fingerprint, (path) => void stamps.set(path, stampOf(path)));
  } catch (error) {
    if (error instanceof SwarmError) return null;
    throw error;
  }
}

/** The hook with every covered file in its command replaced by the copy of it. */
function fromKept(examined: ExaminedHook, home: string): HookConfig {
  const { hook, named } = examined;
  const { action } = hook;
  if (!("argv" in action)) return hook;
  return { ...hook, action: redirect(action, named, keptPaths(examined, home)) };
}

function serverFromKept(
  server: ServerConfig,
  named: readonly NamedFile[],
  examined: ExaminedHook,
  home: string,
): ServerConfig {
  const { transport } = server;
  if (transport.kind !== "stdio") return server;
  const [program = "", ...rest] = redirectArgv(transport.argv, named, keptPaths(examined, home));
  return { ...server, transport: { ...transport, argv: [program, ...rest] } };
}

function keptPaths({ digest, files }: ExaminedHook, home: string): (file: NamedFile) => string | null {
  const places = new Map(files.map(({ path, place }) => [path, keptPath(home, digest, place)]));
  return ({ path }) => places.get(path) ?? null;
}

/**
 * A guard that may not run, or that was approved and is gone, leaves everything unguarded: then no tool runs either, until
 * a person has decided. A guard stays one although its file has come to say otherwise.
 */
function denialOf(hooks: readonly JudgedHook[], cwd: string, judge: Judge): string | null {
  const { book, isEnabled } = judge;
  const inert = hooks.filter(({ hook, state }) => {
    const isUndecided = state === "untrusted" || state === "changed";
    const isGuard = hook.onFailure === "deny" || book.approvalOf(hook.source.file, hook.id)?.is_guard;
    return isUndecided && isGuard && isEnabled(hook.id);
  });
  const reasons = projectFiles(cwd).flatMap((file) => {
    const here = inert.filter(({ hook }) => hook.source.file === file);
    const gone = goneGuards(file, hooks, judge);
    return [
      ...(here.length === 0 ? [] : [inertGuards(file, here)]),
      ...(gone.length === 0 ? [] : [lostGuards(file, gone)]),
      ...(book.isDoubted(file) ? [doubtedDecision(file)] : []),
    ];
  });
  return reasons.length === 0 ? null : reasons.join("; ");
}

/** Guards that were approved in this file, are switched on, and are not in force. */
export function goneGuards(
  file: string,
  hooks: readonly Pick<JudgedHook, "hook">[],
  { book, isEnabled }: Pick<Judge, "book" | "isEnabled">,
): string[] {
  const known = new Set(hooks.filter(({ hook }) => hook.source.file === file).map(({ hook }) => hook.id));
  const gone = book.guardsIn(file).filter(({ hook_id }) => !known.has(hook_id) && isEnabled(hook_id));
  return gone.map(({ name }) => name);
}

function inertGuards(file: string, inert: readonly JudgedHook[]): string {
  const isChanged = inert.some(({ state }) => state === "changed");
  const why = isChanged ? "have changed since they were approved" : "are not approved";
  return `guards of ${oneLine(file, 300)} ${why}: ${list(inert.map(({ hook }) => hook.name))}. Have a person run \`swarm trust\` in ${oneLine(dirname(file), 300)} to look at them, or \`swarm trust --ignore\` to go on without them`;
}

function lostGuards(file: string, names: readonly string[]): string {
  const what = names.length === 1 ? `the guard ${list(names)} is gone` : `the guards ${list(names)} are gone`;
  return `${what}: approved in ${oneLine(file, 300)}, and no longer there. Bring the file back, or have a person run \`swarm trust\` in ${oneLine(dirname(file), 300)} to accept that`;
}

function doubtedDecision(file: string): string {
  return `what was decided about ${oneLine(file, 300)} is no longer what the record says. Have a person run \`swarm audit verify\`, and \`swarm trust\` or \`swarm trust --ignore\` in ${oneLine(dirname(file), 300)}`;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => oneLine(name, 60));
  return shown.join(", ") + (names.length > shown.length ? ` and ${names.length - shown.length} more` : "");
}

function stampOf(path: string): string {
  try {
    return fileStamp(path);
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code); // a file in the place of a folder, a loop of links
  }
}

/** Why a hook is not run, in the record of the event it is not run for. */
export function inertReason(state: TrustState): string {
  switch (state) {
    case "changed":
      return "changed since it was approved: look at it with swarm trust";
    case "ignored":
      return "ignored: its project's hooks are left out, see swarm trust";
    default:
      return "untrusted: look at it and approve it with swarm trust";
  }
}
