import { SwarmError } from "../../base/errors.ts";
import { show } from "../../base/show.ts";
import { textDiff } from "../../base/text-diff.ts";
import { showCommandLine } from "../../config/command-line.ts";
import type { HookConfig, ShellSettings, Skipped } from "../../config/hook-config.ts";
import type { InstalledPlugin } from "./port/plugin-store.ts";
import { type PluginDefinition, readDefinition } from "./definition.ts";
import { pluginLimits } from "./limits.ts";
import { type PluginFiles, readFolder } from "./read-folder.ts";
import { readSnapshot, snapshotRoot } from "./snapshot.ts";
import { commandLineOf, refusalOf } from "./vet-command.ts";

/** What a folder would become as a plugin: read once, shown to the user, and written as it was read. */
export interface AddPlan {
  readonly files: PluginFiles;
  readonly definition: PluginDefinition;
  /** The folder, without links in it. */
  readonly source: string;
}

export function planAdd(home: string, folder: string): AddPlan {
  const files = readFolder(folder);
  const definition = readDefinition(files, folder, (name) => snapshotRoot(home, name, files.digest));
  return { files, definition, source: folder };
}

/** The same as data, for whoever is asked: what would run, what would not and why, what has changed. */
export function describePlan(
  { files, definition, source }: AddPlan,
  settings: ShellSettings,
  installed: InstalledPlugin | null,
  home: string,
) {
  const { name, version, description, digest, module, commands, skipped } = definition;
  return {
    name,
    version,
    description,
    source,
    digest,
    files: [...files.files].map(([path, { bytes, isExecutable }]) => ({
      path,
      bytes: bytes.length,
      is_executable: isExecutable,
    })),
    hooks: definition.hooks.map((hook) => describeHook(hook, settings, files)),
    function_hooks: module,
    allowed_shell_commands: commands.map(showCommandLine),
    skipped: skipped.map(({ source: at, nativeEvent, reason }: Skipped) => ({
      source: `${at.file}:${at.line}:${at.column}`,
      native_event: nativeEvent,
      reason,
    })),
    installed: installed === null ? null : { version: installed.version, digest: installed.digest },
    changes: installed === null ? [] : changesSince(home, installed, files),
  };
}

function describeHook(hook: HookConfig, settings: ShellSettings, { files }: PluginFiles) {
  const { name, event, match, when, mode, priority, timeoutMs, onFailure, action } = hook;
  return {
    name,
    event,
    match,
    when,
    kind: action.kind,
    mode,
    priority,
    timeout_s: timeoutMs / 1_000,
    on_failure: onFailure,
    does: doingOf(hook),
    // There is no copy yet; it will have these bytes.
    refused_why: refusalOf(hook, settings, (path, isProgram) => {
      const file = files.get(path);
      if (file === undefined) return `the plugin has no file ${show(path)}`;
      return isProgram && !file.isExecutable ? `${show(path)} cannot be executed` : null;
    }),
  };
}

/** What a hook does, whole: a program's command line, an address, a tool. */
function doingOf({ action, plugin }: HookConfig): string {
  switch (action.kind) {
    case "command":
    case "script":
    case "blocking_script": {
      const line = commandLineOf(plugin ?? "", action);
      if (typeof line !== "string") return `runs ${showCommandLine(line)}`;
      return `would run ${action.argv === null ? action.line : JSON.stringify(action.argv)}`;
    }
    case "http":
    case "webhook":
      return `sends events to ${action.url}`;
    case "mcp_tool":
      return `calls the tool ${action.tool}${action.server === null ? "" : ` of ${action.server}`}`;
    case "function":
      return `calls a function of ${action.module}`;
    case "redact":
      return "masks secrets in the output of tools";
  }
}

export interface FileChange {
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  /** The lines that differ; none for a file that is no text. */
  readonly lines: readonly string[];
}

function changesSince(home: string, installed: InstalledPlugin, now: PluginFiles): FileChange[] {
  const before = approvedFiles(home, installed);
  const paths = [...new Set([...before.keys(), ...now.files.keys()])].sort();
  return paths.flatMap((path): FileChange[] => {
    const [old, fresh] = [before.get(path), now.files.get(path)];
    if (old?.sha256 === fresh?.sha256 && old?.isExecutable === fresh?.isExecutable) return [];
    const change = old === undefined ? "added" : fresh === undefined ? "removed" : "changed";
    return [{ path, change, lines: linesOf(old?.bytes, fresh?.bytes) }];
  });
}

/** None when the copy is damaged: then all of it is new. */
function approvedFiles(home: string, { name, digest }: InstalledPlugin): PluginFiles["files"] {
  try {
    return readSnapshot(name, snapshotRoot(home, name, digest), digest).files;
  } catch (error) {
    if (error instanceof SwarmError) return new Map();
    throw error;
  }
}

function linesOf(before: Buffer = Buffer.alloc(0), after: Buffer = Buffer.alloc(0)): string[] {
  if (before.includes(0) || after.includes(0)) return [];
  const lines = textDiff(before.toString("utf8"), after.toString("utf8"));
  const { diffLines } = pluginLimits;
  return lines.length <= diffLines
    ? lines
    : [...lines.slice(0, diffLines), `… and ${lines.length - diffLines} more lines`];
}
