import { basename, dirname } from "node:path";
import { oneLine } from "../base/show.ts";
import type { HookConfig, ServerConfig } from "./hook-config.ts";
import { type ParseOptions, parseConfigText } from "./parse.ts";
import type { FilesOf } from "./project-files.ts";
import { isThere } from "./read-file.ts";

/** The ids of the hooks that a person approved in this file and that deny when they fail. */
export type ApprovedGuards = (file: string) => ReadonlySet<string>;

/** What a file farther up still decides below a nearer one. */
export interface InheritedGuards {
  readonly file: string;
  readonly hooks: readonly HookConfig[];
  readonly servers: readonly ServerConfig[];
}

/**
 * Guards that were approved in files above the nearest one. They hold there too: otherwise an empty file in a folder
 * would switch them off for that folder. Files without such guards are not read.
 */
export function inheritGuards(
  files: readonly string[],
  approvedGuards: ApprovedGuards,
  filesOf: FilesOf,
  options: ParseOptions,
): InheritedGuards[] {
  return files.flatMap((file) => {
    const approved = approvedGuards(file);
    const text = approved.size === 0 || !isThere(file) ? null : filesOf(file).read(file);
    if (text === null) return [];
    const parsed = parseConfigText(file, text, options);
    const hooks = parsed.hooks.filter(({ id }) => approved.has(id));
    const needsServers = hooks.some(({ action }) => action.kind === "mcp_tool");
    return [{ file, hooks, servers: needsServers ? parsed.servers : [] }];
  });
}

/**
 * Gives an inherited guard another name where a nearer hook has the same: names are unique, and nearly every file has an
 * unnamed first hook. The name in its own file stays what was approved.
 */
export function withFreeNames(guards: readonly HookConfig[], taken: readonly HookConfig[]): HookConfig[] {
  const names = new Set(taken.map(({ name }) => name));
  return guards.map((hook) => {
    const folder = oneLine(basename(dirname(hook.source.file)), 40);
    let name = hook.name;
    for (let count = 1; names.has(name); count++)
      name = `${hook.name.slice(0, 70)} (${folder}${count === 1 ? "" : ` ${count}`})`;
    names.add(name);
    return name === hook.name ? hook : { ...hook, name, declaredName: hook.name };
  });
}
