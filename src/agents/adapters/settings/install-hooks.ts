import type { Node } from "jsonc-parser";
import type { WantedHook } from "../../port/adapter.ts";
import { type HookForm, printEntry } from "./hook-form.ts";
import { applyInsertions, type Insertion, insertItems } from "./insert.ts";
import { invalid, type JsonText, readJsonText, valueAt } from "./json-text.ts";
import { print, type Style, styleOf } from "./style.ts";
import { uninstallHooks } from "./uninstall-hooks.ts";

export function installHooks(
  form: HookForm,
  given: string | null,
  wanted: readonly WantedHook[],
  file: string,
): string {
  // What was installed before goes first, so that nothing is there twice and the order is always the same.
  const text = uninstallHooks(form, given ?? "", file);
  if (wanted.length === 0) return text;
  const json = readJsonText(text, file);
  const style = styleOf(json);
  const entries = entriesByEvent(form, wanted);
  if (json.root === null) {
    // In this order: it tells a root of ours from one that was there.
    return newRoot(text, print(style, { hooks: Object.fromEntries(entries), ...form.root }, 0), style);
  }
  const hooks = containerAt(json, json.root, "hooks", "object");
  const insertions =
    hooks === undefined
      ? insertItems(text, json.root, [property("hooks", Object.fromEntries(entries), style, 1)], style, 0)
      : insertEntries(json, hooks, entries, style);
  return applyInsertions(text, insertions);
}

/** Our entries, never inside one of the user's: theirs stay as they are. */
function entriesByEvent(form: HookForm, wanted: readonly WantedHook[]): Map<string, object[]> {
  const entries = new Map<string, object[]>();
  for (const hook of wanted) {
    const its = entries.get(hook.native) ?? [];
    entries.set(hook.native, [...its, printEntry(form, hook)]);
  }
  return entries;
}

function insertEntries(
  json: JsonText,
  hooks: Node,
  entries: ReadonlyMap<string, readonly object[]>,
  style: Style,
): Insertion[] {
  const newEvents: string[] = [];
  const insertions = [...entries].flatMap(([native, its]) => {
    const list = containerAt(json, hooks, native, "array");
    if (list !== undefined) {
      const items = its.map((entry) => print(style, entry, 3));
      return insertItems(json.text, list, items, style, 2);
    }
    newEvents.push(property(native, its, style, 2));
    return [];
  });
  const inHooks = newEvents.length === 0 ? [] : insertItems(json.text, hooks, newEvents, style, 1);
  return [...insertions, ...inHooks];
}

export function property(name: string, value: unknown, style: Style, depth: number): string {
  return `${JSON.stringify(name)}:${style.isCompact ? "" : " "}${print(style, value, depth)}`;
}

export function containerAt(
  json: JsonText,
  object: Node,
  name: string,
  type: "object" | "array",
): Node | undefined {
  const value = valueAt(object, name);
  if (value === undefined || value.type === type) return value;
  throw invalid(json, value.offset, `${name} is no ${type === "array" ? "list" : "object"}`);
}

/** After a comment without an end of line, the line break that has to follow it is put before the object. */
export function newRoot(text: string, printed: string, { eol }: Style): string {
  const isOpen = text.trim() !== "" && !text.endsWith("\n");
  return isOpen ? `${text}${eol}${printed}` : `${text}${printed}${eol}`;
}
