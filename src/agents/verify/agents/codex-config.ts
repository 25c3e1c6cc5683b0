/** A folder that is somewhere else in the workplace. */
export type Moved = readonly [from: string, to: string];

/**
 * What a `config.toml` says of hooks: its `hooks` tables (with the trust the user has given each hook), the switch
 * `features.hooks`, and the trust in a project that moved. The rest stays out: MCP servers, programs to notify,
 * exporters, providers.
 *
 * Codex keeps its trust by file, event and place in it: `[hooks.state."/home/u/.codex/hooks.json:pre_tool_use:0:0"]`.
 * The name of the file changes with the copy; the hash, which is over the hook itself, is copied as it is, and Codex
 * compares it with what it finds.
 */
export function hookConfig(text: string, moved: readonly Moved[]): string {
  const kept: string[] = [];
  let table = "";
  let isKept = false;
  for (const { line, kind } of linesOf(text)) {
    if (kind === "header") table = line.replaceAll(/^[\s[]+|\s*\]+\s*(#.*)?$/g, "");
    if (kind === "header") isKept = isAboutHooks(table, moved);
    if (kind === "key") isKept = isAboutHooks(`${table === "" ? "" : `${table}.`}${line.trimStart()}`, moved);
    if (isKept) kept.push(kind === "header" || table === "" ? move(line, moved) : line);
  }
  return kept.length === 0 ? "" : `${kept.join("\n")}\n`;
}

function isAboutHooks(key: string, moved: readonly Moved[]): boolean {
  if (/^"?hooks"?\s*(\.|=|$)/.test(key)) return true;
  if (/^features(\s*\.\s*(codex_)?hooks\s*=|$)/.test(key)) return true;
  return moved.some(([from]) => key.startsWith(`projects.${JSON.stringify(from)}`));
}

/** Only where names of files are keys: a command that names such a folder is part of what was trusted. */
function move(line: string, moved: readonly Moved[]): string {
  return moved.reduce((text, [from, to]) => {
    return text.replaceAll(`"${from}/`, `"${to}/`).replaceAll(`"${from}"`, `"${to}"`);
  }, line);
}

export interface Line {
  readonly line: string;
  /** `rest`: of a value that began on a line before. */
  readonly kind: "header" | "key" | "rest";
}

/** Enough of TOML to tell where a value ends: a line within one may look like a header. */
export function linesOf(text: string): Line[] {
  let quote: string | null = null;
  let depth = 0;
  return text.split(/\r?\n/).map((line) => {
    const isRest = quote !== null || depth > 0;
    const isHeader = !isRest && /^\s*\[/.test(line);
    for (const [found] of line.matchAll(/"""|'''/g)) {
      if (quote === null) quote = found;
      else if (quote === found) quote = null;
    }
    if (!isHeader) depth = Math.max(0, depth + openedIn(line));
    return { line, kind: isHeader ? "header" : isRest ? "rest" : "key" };
  });
}

/** Brackets it opens less those it closes, outside of strings and comments. */
function openedIn(line: string): number {
  const bare = line.replaceAll(/"(\\.|[^"\\])*"|'[^']*'/g, "").replace(/#.*/, "");
  return (bare.match(/[[{]/g) ?? []).length - (bare.match(/[\]}]/g) ?? []).length;
}
