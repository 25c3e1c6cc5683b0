import type { HookPlace } from "../../port/adapter.ts";
import { linesOf } from "./codex-config.ts";

/** What a `config.toml` says of the trust in hooks. What Codex makes of it only Codex knows: the hash is its own. */
export interface CodexState {
  readonly areHooksOff: boolean;
  /** By `stateKey`; a hook that is not among them has never been trusted. */
  readonly hooks: ReadonlyMap<string, { readonly hasHash: boolean; readonly isOff: boolean }>;
  /** Folders whose own settings count. */
  readonly trustedProjects: ReadonlySet<string>;
}

export function readCodexState(text: string): CodexState {
  const values = valuesOf(text);
  const hooks = new Map<string, { hasHash: boolean; isOff: boolean }>();
  const trustedProjects = new Set<string>();
  let areHooksOff = false;
  for (const [path, value] of values) {
    const [first, second, third] = path;
    if (first === "features" && /^(codex_)?hooks$/.test(second ?? "") && /^false\b/.test(value))
      areHooksOff = true;
    if (first === "projects" && second !== undefined && isTrusted(third, value)) trustedProjects.add(second);
    if (first !== "hooks" || second !== "state" || third === undefined) continue;
    const known = hooks.get(third) ?? { hasHash: false, isOff: false };
    // Either a key of the hook's own table, or all of them in braces.
    const said = path.length === 3 ? value : `${path[3]} = ${value}`;
    hooks.set(third, {
      hasHash: known.hasHash || /\btrusted_hash\s*=\s*["'][^"']/.test(said),
      isOff: known.isOff || /\benabled\s*=\s*false\b/.test(said),
    });
  }
  return { areHooksOff, hooks, trustedProjects };
}

/** The name Codex keeps its trust under: `/home/u/.codex/hooks.json:pre_tool_use:0:0`. */
export function stateKey(file: string, { native, groupIndex, hookIndex }: HookPlace): string {
  const event = native.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return `${file}:${event}:${groupIndex}:${hookIndex}`;
}

function isTrusted(key: string | undefined, value: string): boolean {
  return key === "trust_level"
    ? /^["']trusted["']/.test(value)
    : /\btrust_level\s*=\s*["']trusted["']/.test(value);
}

/** Every key with its whole path, and its value as it is written, up to the end of the line. */
function valuesOf(text: string): [string[], string][] {
  let table: string[] = [];
  return linesOf(text).flatMap(({ line, kind }): [string[], string][] => {
    if (kind === "header") table = keyPath(line.replace(/^\s*\[+/, "")).path;
    if (kind !== "key") return [];
    const { path, rest } = keyPath(line);
    return rest.startsWith("=") ? [[[...table, ...path], rest.slice(1).trim()]] : [];
  });
}

/** The names of a dotted key, and what follows it. */
function keyPath(text: string): { readonly path: string[]; readonly rest: string } {
  const part = /\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.?)/y;
  const path: string[] = [];
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    const [, quoted, literal, bare, dot] = found;
    path.push(quoted === undefined ? (literal ?? bare ?? "") : unquoted(quoted));
    if (dot !== ".") return { path, rest: text.slice(part.lastIndex) };
  }
  return { path, rest: "" };
}

/** TOML's escapes are JSON's, but for some nobody uses in the name of a file. */
function unquoted(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
