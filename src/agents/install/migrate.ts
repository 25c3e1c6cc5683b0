import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { textDiff } from "../../base/text-diff.ts";
import { hookDigest } from "../../config/digest.ts";
import type { Config, HookConfig } from "../../config/hook-config.ts";
import { existingFolder } from "../../config/load.ts";
import { parseConfigText } from "../../config/parse.ts";
import type { Adapter, OtherHook, Scope } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import { addAsText, addToDocument, type HookGroup } from "./config-text.ts";
import { type FileEdit, readText } from "./edit-files.ts";
import { portableGroup } from "./portable-group.ts";

/** One of the user's own hooks, and the agent in whose settings it is. */
export interface FoundHook {
  readonly agent: AgentName;
  readonly hook: OtherHook;
}

export interface KeptHook extends FoundHook {
  /** Why it stays in the agent's settings. */
  readonly reason: string;
}

/** The user's own hooks on their way into our configuration. */
export interface Migration {
  readonly config: FileEdit & { readonly diff: readonly string[] };
  readonly moved: readonly FoundHook[];
  readonly kept: readonly KeptHook[];
  /** What will be in force in this folder. */
  readonly hooks: readonly HookConfig[];
}

export interface SettingsText {
  readonly adapter: Adapter;
  readonly file: string;
  readonly before: string | null;
}

export interface MigrationOptions {
  readonly home: string;
  readonly scope: Scope;
  readonly folders: { readonly project: string; readonly env: NodeJS.ProcessEnv };
  readonly config: Config;
}

/**
 * Moves every hook that does the same here as in its agent. It keeps its agent's shape on stdin and in its answer, and
 * is called for that agent alone; the others stay where they are.
 */
export function planMigration(files: readonly SettingsText[], options: MigrationOptions): Migration {
  const { scope, folders, config } = options;
  const file = configFile(options);
  const before = readText(file);
  const parse = (text: string): readonly HookConfig[] => {
    const { env } = folders;
    return parseConfigText(file, text, { owner: scope, env, allowedVariables: config.allowedVariables })
      .hooks;
  };
  const old = parse(before ?? "");
  const judged = files.flatMap((settings) => judge(settings, scope, folders.env));
  const known = new Set(old.map(signature));
  const groups: HookGroup[] = [];
  for (const { group } of judged) {
    if (group === null) continue;
    // There already, when a crash came between the two files, or when it stands twice in the settings.
    const [hook] = parse(JSON.stringify({ hooks: { [group.native]: [group.body] } }));
    if (hook === undefined || known.has(signature(hook))) continue;
    known.add(signature(hook));
    groups.push(group);
  }
  const after = groups.length === 0 ? before : withGroups(file, before ?? "", joined(groups), old, parse);
  const hooks = [...config.hooks.filter(({ source }) => source.file !== file), ...parse(after ?? "")];
  return {
    config: { file, before, after, diff: textDiff(before ?? "", after ?? ""), ...modeOf(scope) },
    moved: judged.filter(({ group }) => group !== null).map(({ agent, hook }) => ({ agent, hook })),
    kept: judged.flatMap(({ agent, hook, reason }) => (reason === null ? [] : [{ agent, hook, reason }])),
    hooks,
  };
}

export function movedFrom(migration: Migration | null, agent: AgentName): OtherHook[] {
  return (migration?.moved ?? []).filter((found) => found.agent === agent).map(({ hook }) => hook);
}

/**
 * The file that counts where the settings do. A `swarm.yaml` further up holds for more than this folder, and one made
 * here would end what that one says here: neither is what the settings say.
 */
function configFile({ home, scope, folders }: MigrationOptions): string {
  if (scope === "user") return join(home, "config.yaml");
  const project = existingFolder(folders.project);
  for (let folder = project; ; folder = dirname(folder)) {
    const file = join(folder, "swarm.yaml");
    if (existsSync(file) && folder !== project) throw elsewhere(file);
    if (existsSync(file) || folder === dirname(folder)) return join(project, "swarm.yaml");
  }
}

function elsewhere(file: string): SwarmError {
  const problem = `the configuration of this folder is ${file}, which holds for more than its settings do`;
  return new SwarmError("SWARM_USAGE", { problem, hint: "run it there, or move the hooks by hand" });
}

/** A project's file is for everybody who works on it. */
function modeOf(scope: Scope): { readonly mode?: number } {
  return scope === "project" ? { mode: 0o644 } : {};
}

interface Judged extends FoundHook {
  /** Null when it has to stay, and then there is a reason. */
  readonly group: HookGroup | null;
  readonly reason: string | null;
}

function judge({ adapter, file, before }: SettingsText, scope: Scope, env: NodeJS.ProcessEnv): Judged[] {
  const { agent, settings } = adapter;
  const others = settings.others(before ?? "", file);
  return others.map((hook) => {
    const ported = isTwice(adapter, hook, others)
      ? "it stands under several matchers, and runs once there where it would run several times here"
      : portableGroup(adapter, hook, scope, env);
    return typeof ported === "string"
      ? { agent, hook, group: null, reason: ported }
      : { agent, hook, group: ported, reason: null };
  });
}

/** Whether the agent would run it once where two of its matchers fit. */
function isTwice({ settings }: Adapter, hook: OtherHook, others: readonly OtherHook[]): boolean {
  const what = ({ place, hook: { command, args, url } }: OtherHook) =>
    JSON.stringify([place.native, command, args, url]);
  const matcherOf = ({ group }: OtherHook) => JSON.stringify(group.matcher ?? "*");
  return (
    settings.runsSameOnce &&
    others.some((other) => what(other) === what(hook) && matcherOf(other) !== matcherOf(hook))
  );
}

/** Hooks that stood in one group next to each other do so again. */
function joined(groups: readonly HookGroup[]): HookGroup[] {
  const result: HookGroup[] = [];
  for (const group of groups) {
    const last = result.at(-1);
    const { hooks, ...rest } = group.body;
    const { hooks: before, ...restBefore } = last?.body ?? {};
    const isSame = last?.native === group.native && JSON.stringify(rest) === JSON.stringify(restBefore);
    if (!isSame) result.push(group);
    else result.splice(-1, 1, { ...group, body: { ...rest, hooks: [before, hooks].flat() } });
  }
  return result;
}

/** The configuration with these groups: added as lines, or else printed anew. Either way it is read again and compared. */
function withGroups(
  file: string,
  before: string,
  groups: readonly HookGroup[],
  old: readonly HookConfig[],
  parse: (text: string) => readonly HookConfig[],
): string {
  const wanted = groups.flatMap(({ native, body }) => parse(JSON.stringify({ hooks: { [native]: [body] } })));
  const isRight = (text: string): boolean => {
    const now = parse(text);
    const kept = new Set(old.map((hook) => `${hook.id} ${hookDigest(hook)}`));
    const added = now.filter((hook) => !kept.delete(`${hook.id} ${hookDigest(hook)}`));
    const sorted = (hooks: readonly HookConfig[]) => hooks.map(signature).sort().join("\n");
    return kept.size === 0 && sorted(added) === sorted(wanted);
  };
  const remark = "moved here by swarm install --migrate";
  for (const write of [() => addAsText(before, groups, remark), () => addToDocument(before, groups)]) {
    try {
      const text = write();
      if (text !== null && isRight(text)) return text;
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error; // what was written cannot be read: the next way, or none
    }
  }
  const problem = "hooks cannot be added to it without changing what it says: move them by hand";
  throw new SwarmError("SWARM_SETTINGS_UNUSABLE", { file, problem });
}

/** All that a hook does, whatever it is called and wherever it stands. */
function signature({ event, match, when, mode, onFailure, timeoutMs, dialect, action }: HookConfig): string {
  return JSON.stringify([event, match, when, mode, onFailure, timeoutMs, dialect, action]);
}
