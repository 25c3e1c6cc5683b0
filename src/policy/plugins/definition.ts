import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { show } from "../../base/show.ts";
import { type CommandLine, readCommandLine } from "../../config/command-line.ts";
import { readDocument } from "../../config/document.ts";
import { type PlacedFields, readFields } from "../../config/fields.ts";
import type { ApprovedPlugin, HookConfig, Skipped } from "../../config/hook-config.ts";
import { readHooksSection } from "../../config/hooks-section.ts";
import { identify } from "../../config/identity.ts";
import { configLimits } from "../../config/limits.ts";
import { mergeHooks } from "../../config/merge.ts";
import { type ConfigNode, invalid } from "../../config/node.ts";
import { parseConfigText } from "../../config/parse.ts";
import { expectConfiguration } from "../../config/unquoted.ts";
import { claudeManifestKeys, manifestKeys } from "./manifest-keys.ts";
import type { PluginFiles } from "./read-folder.ts";

/** What a plugin's files say it is. */
export interface PluginDefinition {
  readonly name: string;
  readonly version: string | null;
  readonly description: string | null;
  /** The folder its hooks run from: `CLAUDE_PLUGIN_ROOT`. */
  readonly root: string;
  readonly digest: string;
  /** Without those its module registers. */
  readonly hooks: readonly HookConfig[];
  readonly skipped: readonly Skipped[];
  readonly commands: readonly CommandLine[];
  /** Path of the module that registers functions. */
  readonly module: string | null;
}

type ManifestFields = PlacedFields<typeof claudeManifestKeys>;

const manifests = [
  { path: "swarm-plugin.json", isClaudes: false },
  { path: ".claude-plugin/plugin.json", isClaudes: true },
] as const;
const hooksFile = "hooks/hooks.json";

/**
 * The one reading of a plugin: what it would do is shown from this, and what it does is done from this. `shownIn` is
 * the folder that messages and sources name; `rootOf` the private copy's.
 */
export function readDefinition(
  files: PluginFiles,
  shownIn: string,
  rootOf: (name: string) => string,
): PluginDefinition {
  const { path, isClaudes } = manifests.find(({ path }) => files.files.has(path)) ?? noManifest(shownIn);
  const file = join(shownIn, path);
  const node = readDocument(file, textOf(files, path, shownIn));
  if (node === null) throw invalid(file, { line: 1, column: 1 }, "the manifest is empty");
  expectConfiguration(file, node, isClaudes ? claudeManifestKeys : manifestKeys, "name");
  const skipped: Skipped[] = [];
  const fields: ManifestFields = isClaudes
    ? readFields(file, node, "the manifest", claudeManifestKeys, ({ key, at }) => {
        const reason = `${show(key)} of the manifest is not used here`;
        skipped.push({ source: { file, ...at }, nativeEvent: path, reason });
      })
    : readFields(file, node, "the manifest", manifestKeys);

  const name = fields.name.value;
  const root = rootOf(name);
  const commands = readCommands(file, name, fields);
  const read = readHooks(files, shownIn, file, { plugin: name, root }, fields.hooks?.value);
  const hashes = new Map([...files.files].map(([key, { sha256 }]) => [key, sha256]));
  const approved = { digest: files.digest, commands, files: hashes };
  return {
    name,
    version: fields.version?.value ?? null,
    description: fields.description?.value ?? null,
    root,
    digest: files.digest,
    hooks: read.hooks.map((hook) => withApproval(hook, approved)),
    skipped: [...skipped, ...read.skipped],
    commands,
    module: readModule(files, file, fields),
  };
}

function noManifest(folder: string): never {
  const problem = `it has neither ${manifests.map(({ path }) => path).join(" nor ")}`;
  throw new SwarmError("SWARM_PLUGIN_INVALID", { plugin: folder, problem });
}

function readCommands(file: string, plugin: string, fields: ManifestFields): CommandLine[] {
  const { allowed_shell_commands: declared } = fields;
  return (declared?.value ?? []).map((text) => {
    const line = readCommandLine(text, (variable) => (variable === "CLAUDE_PLUGIN_ROOT" ? plugin : null));
    if (typeof line !== "string") return line;
    const problem = `allowed_shell_commands has ${show(text)}, expected a program with its arguments: ${line}`;
    throw invalid(file, declared?.at ?? { line: 1, column: 1 }, problem);
  });
}

/** Hooks stand in one place: in two, those without a name would be counted twice. */
function readHooks(
  files: PluginFiles,
  shownIn: string,
  file: string,
  owner: { readonly plugin: string; readonly root: string },
  node: ConfigNode | undefined,
): { hooks: readonly HookConfig[]; skipped: readonly Skipped[] } {
  // Nothing of the environment: a plugin may name no variable.
  const env = {};
  const parseFile = (path: string) =>
    parseConfigText(join(shownIn, path), textOf(files, path, shownIn), { owner, env });
  if (node?.kind === "scalar" && typeof node.value === "string") {
    const path = node.value.replace(/^\.\//, "");
    if (!files.files.has(path)) throw invalid(file, node.at, `the plugin has no file ${show(node.value)}`);
    if (path !== hooksFile && files.files.has(hooksFile)) throw twice(file, node);
    return parseFile(path);
  }
  if (node === undefined)
    return files.files.has(hooksFile) ? parseFile(hooksFile) : { hooks: [], skipped: [] };
  if (files.files.has(hooksFile)) throw twice(file, node);
  const reading = { file, owner, env, allowedVariables: [], skipped: [] };
  return {
    hooks: mergeHooks([identify(reading, readHooksSection(reading, node))]),
    skipped: reading.skipped,
  };
}

function twice(file: string, node: ConfigNode): SwarmError {
  return invalid(file, node.at, `hooks are given here and in ${hooksFile}, expected one of them`);
}

function readModule(files: PluginFiles, file: string, { function_hooks }: ManifestFields): string | null {
  if (function_hooks === undefined) return null;
  const path = function_hooks.value.replace(/^\.\//, "");
  if (files.files.has(path)) return path;
  throw invalid(file, function_hooks.at, `the plugin has no file ${show(function_hooks.value)}`);
}

function withApproval(hook: HookConfig, approved: ApprovedPlugin): HookConfig {
  return "argv" in hook.action ? { ...hook, action: { ...hook.action, approved } } : hook;
}

function textOf({ files }: PluginFiles, path: string, shownIn: string): string {
  const bytes = files.get(path)?.bytes ?? Buffer.alloc(0);
  const unreadable = (problem: string) =>
    new SwarmError("SWARM_CONFIG_UNREADABLE", { file: join(shownIn, path), problem });
  if (bytes.length > configLimits.fileBytes)
    throw unreadable(`larger than ${configLimits.fileBytes} bytes, expected fewer`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable("not UTF-8 text, expected that");
  }
}
