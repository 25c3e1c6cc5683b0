import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../base/ids.ts";
import { type EventName, eventNames, rowOf } from "../events/names.ts";
import type { DecodedCall } from "../ports/adapter.ts";
import { hasGuard } from "./has-guard.ts";
import type { Project } from "./project.ts";
import { placeStamp, type QuietBook, quietFile, readQuietBook, storeStamp } from "./quiet-book.ts";
import type { Runtime } from "./runtime.ts";

/** Tool names come from models: so many are kept of one event, and no longer ones. */
const maxValues = 256;
const maxValueChars = 200;
const maxBooks = 64;
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
  const nowMs = Date.now();
  const before = readQuietBook(home, cwd, program, nowMs);
  const quiet = quietIn(runtime, project, call, before);
  if (before !== null && JSON.stringify(before.quiet) === JSON.stringify(quiet)) return;
  const book: QuietBook = {
    cwd,
    made_at_ms: nowMs,
    program,
    files,
    store: storeStamp(home),
    mark,
    quiet,
    guarded: eventNames.filter((event) => hasGuard(inForce, event)),
  };
  keep(quietFile(home, cwd), JSON.stringify(book));
}

function quietIn(runtime: Runtime, project: Project, call: DecodedCall, before: QuietBook | null) {
  const { isQuiet } = project.inForce;
  const uncertain = uncertainEvents(runtime, project);
  const isCertain = (event: EventName): boolean => !uncertain.includes(event);
  const quiet: Partial<Record<EventName, true | readonly string[]>> = { ...before?.quiet };
  for (const event of eventNames) if (isCertain(event) && isQuiet(event)) quiet[event] = true;
  const { event, data } = call;
  const { matches } = rowOf(event);
  const value = matches === null ? undefined : data[matches];
  const known = quiet[event] ?? [];
  if (known === true || !isCertain(event) || typeof value !== "string" || !isQuiet(event, value))
    return quiet;
  const isKept = !known.includes(value) && known.length < maxValues && value.length <= maxValueChars;
  return isKept ? { ...quiet, [event]: [...known, value] } : quiet;
}

/**
 * A project's guards deny every tool when they are not approved, or no longer what was, and so does a plugin with guards
 * that cannot be loaded: that takes a look at their files.
 */
function uncertainEvents(runtime: Runtime, { inForce: { judgement } }: Project): string[] {
  const plugins = runtime.plugins.set.loaded.filter(({ row }) => row.is_enabled);
  const ofPlugins = plugins.flatMap(({ row }) => row.guarded_events);
  const isProjects = judgement.hooks.some(({ hook, state }) => state !== "own" && hook.onFailure === "deny");
  return [...ofPlugins, ...(isProjects ? ["tool.before"] : [])];
}

/** Null when what is there now may not be what was read, or means something else in another environment. */
function stampsOf(
  { files, problem, config }: Project,
  program: string,
  lastChangeMs: number,
): Record<string, string> | null {
  if (problem !== null) return null;
  const stamps: Record<string, string> = {};
  for (const file of [...files, program]) {
    stamps[file] = placeStamp(file);
    const isThere = stamps[file] !== "-";
    const isRead = file === program || config.files.includes(file) || config.policy.files.includes(file);
    if (isThere !== isRead) return null;
    if (!isThere) continue;
    if (statSync(file).ctimeMs > lastChangeMs) return null;
    if (file !== program && readFileSync(file, "utf8").includes("${")) return null;
  }
  return stamps;
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
