import { homedir } from "node:os";
import { dirname, relative } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { redact } from "../../base/redact.ts";
import { textDiff } from "../../base/text-diff.ts";
import type { Config, HookConfig } from "../../config/hook-config.ts";
import { existingFolder, projectFiles } from "../../config/load.ts";
import { type PathNames, ProjectFiles } from "../../config/project-files.ts";
import type { TrustedHook } from "./port/trust-store.ts";
import type { CoveredFile } from "./covered-files.ts";
import { type ExaminedHook, examineHook, projectDigest } from "./examine.ts";
import { jobHook } from "./job-hook.ts";
import { goneGuards, type Judge, type JudgedHook, type TrustState } from "./judge.ts";
import { pipelineHooks } from "./pipeline-hooks.ts";
import { isKept, readKept } from "./snapshot.ts";

/** A project as it is shown to whoever decides about it. Texts are as they are: whoever prints them makes them visible. */
export interface DescribedProject {
  readonly file: string;
  readonly folder: string;
  /** Of everything that is shown; whoever approves names it. */
  readonly digest: string;
  readonly state: Exclude<TrustState, "own">;
  readonly hooks: readonly DescribedHook[];
  /** Hooks that were approved and are not in the file any more; approving accepts that. */
  readonly removed: readonly RemovedHook[];
  readonly notes: readonly string[];
  readonly decided_at: string | null;
  readonly decided_by: string | null;
}

export interface RemovedHook {
  readonly name: string;
  /** Then every tool is denied until a person has accepted that it is gone. */
  readonly is_guard: boolean;
}

export interface DescribedHook {
  readonly id: string;
  readonly name: string;
  readonly event: string;
  readonly is_guard: boolean;
  readonly state: Exclude<TrustState, "own">;
  readonly digest: string;
  readonly definition: readonly string[];
  /** The definition against what was approved: lines with `+ `, `- ` or two spaces before them. */
  readonly changes: readonly string[];
  readonly files: readonly DescribedFile[];
  readonly notes: readonly string[];
}

export interface DescribedFile {
  /** From the project's folder on. */
  readonly path: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly is_executable: boolean;
  readonly leads_to: string | null;
  readonly problem: string | null;
  /** What it holds against what was approved; of a file that is new, all it holds. */
  readonly changes: readonly string[];
}

const importsNote =
  "what these programs load or start without it standing here (imports, packages, other scripts) is not covered: list it under files";

type DescribedConfig = Pick<Config, "files" | "hooks" | "servers" | "cron" | "pipelines">;

/** Everything a decision is about, and what it came from: both are of one look at the files. */
export function describeProject(
  { files, hooks, servers, cron, pipelines }: DescribedConfig,
  cwd: string,
  judge: Judge,
): { readonly described: DescribedProject; readonly examined: readonly ExaminedHook[] } {
  const { book, fingerprint } = judge;
  // Masking secrets is nothing to decide about.
  const approvable = hooks.filter(({ action }) => action.kind !== "redact");
  const all = [...approvable, ...cron.map(jobHook), ...pipelines.flatMap(pipelineHooks)];
  const file = fileToDecide(hooks, all, { files, cwd }, judge);
  if (file === undefined) throw new SwarmError("SWARM_TRUST_NOTHING", { folder: cwd });
  const own = all.filter(({ source }) => source.file === file);
  const examined = own.map((hook) => examineHook(hook, servers, fingerprint));
  const described = examined.map((each) => describeHook(each, file, judge));
  const ignorance = book.ignoranceOf(file);
  const approved = book.approvedIn(file);
  const last = ignorance ?? approved.toSorted((a, b) => b.time.localeCompare(a.time))[0];
  const ids = new Set(own.map(({ id }) => id));
  const removed = approved.filter(({ hook_id }) => !ids.has(hook_id));
  return {
    examined,
    described: {
      file,
      folder: dirname(file),
      digest: projectDigest(examined, removed),
      state: book.isDoubted(file) ? "untrusted" : stateOf(described, removed),
      hooks: described,
      removed: removed.map(({ name, is_guard }) => ({ name, is_guard })),
      notes: examined.some(isProgram) ? [importsNote] : [],
      decided_at: last?.time ?? null,
      decided_by: last?.actor ?? null,
    },
  };
}

/**
 * The nearest file with something to decide about: hooks, or guards that it should have. A file above the nearest one has
 * only its guards in this configuration, and is decided about in its own folder.
 */
function fileToDecide(
  hooks: readonly HookConfig[],
  all: readonly HookConfig[],
  { files, cwd }: { readonly files: readonly string[]; readonly cwd: string },
  judge: Judge,
): string | undefined {
  const places = projectFiles(cwd);
  const nearest = places.findIndex((place) => files.includes(place));
  const candidates = nearest === -1 ? places : places.slice(0, nearest + 1);
  const known = hooks.map((hook) => ({ hook }));
  return candidates.find(
    (file) =>
      all.some(({ source }) => source.file === file) ||
      goneGuards(file, known, judge).length > 0 ||
      judge.book.isDoubted(file),
  );
}

/**
 * The folder above whose file has guards that deny every tool here until a person has decided about them; null when there
 * is none.
 */
export function undecidedFolderAbove(
  files: readonly string[],
  cwd: string,
  judged: readonly JudgedHook[],
  judge: Judge,
): string | null {
  const places = projectFiles(cwd);
  const nearest = places.findIndex((place) => files.includes(place));
  if (nearest === -1) return null;
  const isUndecided = (file: string): boolean =>
    goneGuards(file, judged, judge).length > 0 ||
    judged.some(({ hook, state }) => hook.source.file === file && state === "changed");
  const file = places.slice(nearest + 1).find(isUndecided);
  return file === undefined ? null : dirname(file);
}

function isProgram({ hook, servers }: ExaminedHook): boolean {
  return "argv" in hook.action || servers.some(({ server }) => server.transport.kind === "stdio");
}

/** As it is kept to be compared with: texts that give themselves away as secrets are not kept a second time. */
export function storedDefinition(definition: readonly string[]): string {
  return String(redact(definition.join("\n")));
}

function describeHook(examined: ExaminedHook, projectFile: string, { home, book }: Judge): DescribedHook {
  const { hook, definition, files, notes, digest } = examined;
  const approval = book.approvalOf(projectFile, hook.id);
  const isSame = approval?.digest === digest && isKept(home, examined);
  const known: TrustState = isSame ? "trusted" : approval === undefined ? "untrusted" : "changed";
  const changes = approval === undefined ? [] : textDiff(approval.definition, storedDefinition(definition));
  const folder = dirname(projectFile);
  const project = new ProjectFiles(folder, ownFolders(home), new Set());
  const isShown = (leadsTo: string | null) => leadsTo === null || project.has(leadsTo);
  const shownFiles = files.map((each) => describeFile(each, folder, approval, home, isShown));
  const isSeen = changes.length > 0 || shownFiles.some((file) => file.changes.length > 0);
  return {
    id: hook.id,
    name: hook.name,
    event: hook.event,
    is_guard: hook.onFailure === "deny",
    state: book.ignoranceOf(projectFile) === undefined ? known : "ignored",
    digest,
    definition,
    changes,
    files: shownFiles,
    notes: [...notes, ...(known === "changed" && !isSeen ? [whyUnseen(examined, approval)] : [])],
  };
}

/** What has changed when no text has. */
function whyUnseen({ digest, files }: ExaminedHook, approval: TrustedHook | undefined): string {
  if (approval?.digest === digest) return "the copy that was approved is gone or damaged: approve it again";
  const places = new Set(files.map(({ place }) => place));
  const gone = approval?.files.filter(({ place }) => !places.has(place)).map(({ place }) => place) ?? [];
  if (gone.length > 0) return `no longer among its files: ${gone.join(", ")}`;
  return "what has changed is a secret, the target of a link, or which of its files may be executed";
}

function describeFile(
  { path, place, bytes, sha256, isExecutable, leadsTo, problem }: CoveredFile,
  folder: string,
  approval: TrustedHook | undefined,
  home: string,
  isShown: (leadsTo: string | null) => boolean,
): DescribedFile {
  const before = approval?.files.find((known) => known.place === place)?.sha256 ?? null;
  const kept = before === null || approval === undefined ? null : readKept(home, approval.digest, place);
  return {
    path: relative(folder, path),
    bytes: bytes?.length ?? null,
    sha256,
    is_executable: isExecutable,
    leads_to: leadsTo,
    problem,
    changes: before === sha256 ? [] : isShown(leadsTo) ? contentDiff(kept, bytes) : [notShown(bytes)],
  };
}

/** A project names files before anybody has approved it: one that lies outside, such as a key, would be printed here. */
function notShown(bytes: Buffer | null): string {
  return `+ ${bytes?.length ?? 0} bytes from outside the project, which are not shown: look at the file itself`;
}

function ownFolders(home: string): PathNames {
  return { home: existingFolder(homedir()), swarmHome: existingFolder(home) };
}

function contentDiff(before: Buffer | null, after: Buffer | null): string[] {
  const [old, now] = [textOf(before), textOf(after)];
  if (old !== null && now !== null) return textDiff(old, now);
  return [`- ${before?.length ?? 0} bytes that are no text`, `+ ${after?.length ?? 0} bytes`];
}

/** Null when it is no text. */
function textOf(bytes: Buffer | null): string | null {
  if (bytes === null) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The one that asks for a decision wins. */
function stateOf(
  hooks: readonly DescribedHook[],
  removed: readonly RemovedHook[],
): DescribedProject["state"] {
  const states = new Set(hooks.map(({ state }) => state));
  if (removed.some(({ is_guard }) => is_guard)) states.add("changed");
  return (["ignored", "changed", "untrusted"] as const).find((state) => states.has(state)) ?? "trusted";
}
