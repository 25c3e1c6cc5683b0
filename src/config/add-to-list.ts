import { SwarmError } from "../base/errors.ts";
import { readDocument } from "./document.ts";
import { type ConfigNode, type MapNode, plainOf } from "./node.ts";

/**
 * The text of a configuration file with one item more in the list under a key, after the others where the list is the last
 * thing in the file, else before them. Comments and the rest stay as they are. Null where that cannot be done by adding
 * lines: the list stands on one line, say.
 */
export function addToList(file: string, text: string, key: string, item: readonly string[]): string | null {
  const root = readDocument(file, text);
  if (root !== null && (root.kind !== "map" || root.at.column !== 1)) return null;
  const after = root === null ? withKey(text, key, item) : withItem(text, root, key, item);
  return after !== null && isAdded(file, root, after, key) ? after : null;
}

function withItem(text: string, root: MapNode, key: string, item: readonly string[]): string | null {
  const entry = root.entries.find((each) => each.key === key);
  if (entry === undefined) return withKey(text, key, item);
  const [first] = entry.value.kind === "list" ? entry.value.items : [];
  if (first === undefined || first.at.line === entry.at.line || first.at.column < 3) return null;
  const lines = indented(item, first.at.column - 3);
  const isLast = root.entries.every(({ at }) => at.line <= entry.at.line);
  if (isLast) return `${ended(text)}${lines.join("\n")}\n`;
  return text
    .split("\n")
    .toSpliced(first.at.line - 1, 0, ...lines)
    .join("\n");
}

function withKey(text: string, key: string, item: readonly string[]): string {
  return `${ended(text)}${key}:\n${indented(item, 2).join("\n")}\n`;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function indented(item: readonly string[], columns: number): string[] {
  return item.map((line, at) => `${" ".repeat(columns)}${at === 0 ? "- " : "  "}${line}`);
}

/** Whether the file now has one item more, and for the rest says what it said. */
function isAdded(file: string, root: MapNode | null, text: string, key: string): boolean {
  let after: ConfigNode | null;
  try {
    after = readDocument(file, text);
  } catch (error) {
    if (error instanceof SwarmError) return false;
    throw error;
  }
  const before = root === null ? {} : (plainOf(root) as Readonly<Record<string, unknown>>);
  const now = after === null ? {} : (plainOf(after) as Readonly<Record<string, unknown>>);
  const [known, found] = [before[key] ?? [], now[key]];
  if (!Array.isArray(known) || !Array.isArray(found)) return false;
  const rest = JSON.stringify({ ...before, [key]: null });
  const isRestSame = rest === JSON.stringify({ ...before, ...now, [key]: null });
  const others = [found.slice(1), found.slice(0, -1)].map((items) => JSON.stringify(items));
  return isRestSame && found.length === known.length + 1 && others.includes(JSON.stringify(known));
}
