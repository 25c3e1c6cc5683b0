import { createHash } from "node:crypto";
import { dirname, relative } from "node:path";
import type { HookConfig, ServerConfig } from "../../config/hook-config.ts";
import { isWithin } from "../../config/project-files.ts";
import { hookWarnings } from "../../config/hook-warnings.ts";
import { serversFor } from "../../config/servers.ts";
import type { TrustedHook } from "./port/trust-store.ts";
import { type CoveredFile, coveredFiles } from "./covered-files.ts";
import { definitionOf, type Fingerprint } from "./definition.ts";
import { type NamedFile, namedFiles, namedInArgv } from "./named-files.ts";

/** A hook of a project with all that is approved with it, as it is at one moment. */
export interface ExaminedHook {
  readonly hook: HookConfig;
  readonly definition: readonly string[];
  readonly files: readonly CoveredFile[];
  readonly named: readonly NamedFile[];
  /** The project's own servers that its tool may be called on. */
  readonly servers: readonly { readonly server: ServerConfig; readonly named: readonly NamedFile[] }[];
  /** What somebody who approves it should know. */
  readonly notes: readonly string[];
  /** Of all of the above but the notes. */
  readonly digest: string;
}

/** Looks at a hook: its definition, and the bytes of its files. `onFile` is told of each before it is read. */
export function examineHook(
  hook: HookConfig,
  declared: readonly ServerConfig[],
  fingerprint: Fingerprint,
  onFile: (path: string) => void = () => undefined,
): ExaminedHook {
  const servers = serversFor(hook, declared)
    .filter(({ isUsers }) => !isUsers)
    .map((server) => ({ server, named: namedByServer(server) }));
  const definition = definitionOf(
    hook,
    servers.map(({ server }) => server),
    fingerprint,
  );
  const { action } = hook;
  const { files: named, isUnread } =
    "argv" in action ? namedFiles(hook, action) : { files: [], isUnread: false };
  const globs = "argv" in action ? (action.files ?? []) : [];
  const names = [
    { named, globs },
    ...servers.map(({ server, named }) => ({ named, globs: globsOf(server) })),
  ];
  const files = coveredFiles(hook, names, onFile);
  const all = names.flatMap((each) => each.named);
  const notes = [...hookWarnings(hook), ...(isUnread ? [unreadNote] : []), ...uncovered(hook, all, files)];
  return { hook, definition, files, named, servers, notes, digest: digestOf(definition, files) };
}

function namedByServer({ transport }: ServerConfig): NamedFile[] {
  return transport.kind === "stdio" ? namedInArgv(transport.argv, transport.cwd) : [];
}

function globsOf({ transport }: ServerConfig): readonly string[] {
  return transport.kind === "stdio" ? (transport.files ?? []) : [];
}

/** Of a project: of all its hooks, in their order, and of those whose removal is accepted with them. */
export function projectDigest(
  hooks: readonly ExaminedHook[],
  removed: readonly Pick<TrustedHook, "hook_id" | "digest">[],
): string {
  return sha256([
    hooks.map(({ hook, digest }) => [hook.id, digest]),
    removed.map(({ hook_id, digest }) => [hook_id, digest]),
  ]);
}

const unreadNote =
  "its command is more than can be taken apart: files it names there are not covered, and are whatever the project has when it runs; write it as args, or into a script";

/** Paths among the words that stand where no program does: data, or code of a program nobody here knows. */
function uncovered(hook: HookConfig, named: readonly NamedFile[], files: readonly CoveredFile[]): string[] {
  const base = dirname(hook.source.file);
  const covered = new Set(files.map(({ path }) => path));
  const others = named.filter(({ path }) => isWithin(path, base) && path !== base && !covered.has(path));
  return [...new Set(others.map(({ path }) => relative(base, path)))].map(
    (path) => `its command names ${path}, which is not covered: list it under files if it is code`,
  );
}

function digestOf(definition: readonly string[], files: readonly CoveredFile[]): string {
  const held = files.map(({ place, sha256: sum, isExecutable, leadsTo }) => [
    place,
    sum,
    isExecutable,
    leadsTo,
  ]);
  return sha256([definition, held]);
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
