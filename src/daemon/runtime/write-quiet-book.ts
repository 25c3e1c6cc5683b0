import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readBoundedFile } from "../../base/bounded-file.ts";
import { newId } from "../../base/ids.ts";
import type { Config } from "../../config/hook-config.ts";
import { configLimits } from "../../config/limits.ts";
import { type EventName, eventNames } from "../../engine/events/names.ts";
import type { Matched } from "../../engine/events/tool-names.ts";
import { namesOf } from "../../policy/rules/files/path-names.ts";
import { isGuardedEvent, policyHook } from "../../policy/rules/judge.ts";
import type { DecodedCall } from "../../agents/port/adapter.ts";
import { hasGuard } from "./has-guard.ts";
import type { Project } from "./project.ts";
import {
  callValue,
  type KnownCalls,
  matchedBy,
  placeStamp,
  type QuietBook,
  quietFile,
  readQuietBook,
  sealed,
  storeStamp,
} from "./quiet-book.ts";
import type { Runtime } from "./runtime.ts";

/** Tool names come from models: so many are kept of one event, and no longer ones. */
const maxValues = 256;
const maxValueChars = 400;
const maxBooks = 64;
/** The starter policy is 17 kB. What takes longer to read than it saves is left to the long way. */
const maxRulesChars = 256 * 1024;
/**
 * The kernel's clock for files stands still for up to 10 ms, and a second change in that time looks like the first: what has
 * changed so shortly before the files were read is not taken for what was read.
 */
const settledMs = 100;

/** Keeps what this call has shown for the next one from its folder; does nothing where that would not be safe to go by. */
export function writeQuietBook(
  runtime: Runtime,
  call: DecodedCall,
  program: string,
  beganAtMs: number,
): void {
  const { home, decidedMark: mark } = runtime;
  const project = runtime.project(call.origin.cwd);
  const { cwd, inForce } = project;
  const { flags, config } = inForce;
  const isSilent = !flags.traces && config.logHooks === "off" && config.audit.durability === "process";
  const files = stampsOf(project, program, beganAtMs - settledMs);
  if (mark === null || files === null || !isSilent || process.getuid === undefined) return;
  const names = namesOf(home, process.env);
  const nowMs = Date.now();
  const before = readQuietBook({ home, cwd, program, names }, nowMs);
  const known = knownCalls(runtime, project, call, before);
  if (before !== null && isDeepStrictEqual(known, { quiet: before.quiet, ruled: before.ruled })) return;
  const policy = Object.keys(known.ruled).length === 0 ? null : config.policy.policy;
  const book: QuietBook = {
    cwd,
    made_at_ms: nowMs,
    program,
    files,
    store: storeStamp(home),
    mark,
    names,
    ...known,
    rules: policy?.rules ?? [],
    digest: policy?.digest ?? "",
    guarded: eventNames.filter((event) => hasGuard(inForce, event)),
  };
  keep(quietFile(home, cwd), sealed(home, JSON.stringify(book)));
}

function knownCalls(runtime: Runtime, project: Project, call: DecodedCall, before: QuietBook | null) {
  const { isQuiet, config } = project.inForce;
  const uncertain = uncertainEvents(runtime, project);
  const isCertain = (event: EventName): boolean => !uncertain.includes(event);
  const areRulesKept = mayKeepRules(config);
  return {
    quiet: withCall(call, before?.quiet, (event, matched) => isCertain(event) && isQuiet(event, matched)),
    ruled: withCall(call, before?.ruled, (event, matched) => {
      const isJudged = areRulesKept && isGuardedEvent(event) && isCertain(event);
      return isJudged && isQuiet(event, matched, policyHook);
    }),
  };
}

/** With what is one of them whatever its value is, and with this call if it is one. */
function withCall(
  { event, data, origin }: DecodedCall,
  before: KnownCalls | undefined,
  isOne: (event: EventName, matched?: Matched) => boolean,
): KnownCalls {
  const calls: Partial<Record<EventName, true | readonly string[]>> = { ...before };
  for (const each of eventNames) if (isOne(each)) calls[each] = true;
  const matched = matchedBy(event, data, origin);
  const known = calls[event] ?? [];
  if (known === true || matched === undefined || !isOne(event, matched)) return calls;
  const value = callValue(matched);
  const isKept = !known.includes(value) && known.length < maxValues && value.length <= maxValueChars;
  return isKept ? { ...calls, [event]: [...known, value] } : calls;
}

/**
 * Whether rules come out of a book as they went in, and under no other name: a hook of somebody's that is called like a
 * rule makes names move aside.
 */
function mayKeepRules({ policy: { policy }, hooks }: Config): boolean {
  if (policy === null || hooks.some(({ name }) => name.startsWith(policyHook))) return false;
  const text = JSON.stringify(policy.rules);
  return text.length <= maxRulesChars && isDeepStrictEqual(JSON.parse(text), policy.rules);
}

/**
 * A project's guards deny every tool when they are not approved, or no longer what was, and so does a plugin with guards
 * that cannot be loaded: that takes a look at their files.
 */
function uncertainEvents(runtime: Runtime, { inForce: { judgement } }: Project): string[] {
  const plugins = runtime.plugins.set.loaded.filter(({ row }) => row.is_enabled);
  const ofPlugins = plugins.flatMap(({ row }) => row.guarded_events);
  const isProjects = judgement.hooks.some(({ hook, state }) => state !== "own" && hook.onFailure === "deny");
  const isDoubtful = isProjects || judgement.denial !== null;
  return [...ofPlugins, ...(isDoubtful ? ["tool.before"] : [])];
}

/** Null when what is there now may not be what was read, or means something else in another environment. */
function stampsOf(
  { files, problem, config: { files: configFiles, policy } }: Project,
  program: string,
  lastChangeMs: number,
): Record<string, string> | null {
  if (problem !== null) return null;
  const stamps: Record<string, string> = {};
  for (const file of [...files, ...policy.shippedFiles, program]) {
    stamps[file] = placeStamp(file);
    const isThere = stamps[file] !== "-";
    if (isThere && statSync(file).ctimeMs > lastChangeMs) return null;
    if (!files.includes(file)) continue; // what comes with the package means the same everywhere
    const isRead = configFiles.includes(file) || policy.files.includes(file);
    if (isThere !== isRead || (isThere && mayHaveVariables(file))) return null;
  }
  return stamps;
}

/** What has become of the file since it was read is nothing to wait for. */
function mayHaveVariables(file: string): boolean {
  try {
    return readBoundedFile(file, configLimits.fileBytes).bytes.includes("${");
  } catch {
    return true;
  }
}

function keep(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  // Whichever is still needed is written again by the next call.
  if (names.length >= maxBooks) for (const name of names) rmSync(join(folder, name), { force: true });
  const made = join(folder, newId("new"));
  writeFileSync(made, text, { mode: 0o600, flag: "wx" });
  renameSync(made, file);
}
