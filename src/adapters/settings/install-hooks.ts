import type { Node } from "jsonc-parser";
import type { WantedHook } from "../../ports/adapter.ts";
import type { HookForm } from "./hook-form.ts";
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
  const groups = groupsByEvent(form, wanted);
  if (json.root === null) {
    return newRoot(text, print(style, { hooks: Object.fromEntries(groups) }, 0), style);
  }
  const hooks = containerAt(json, json.root, "hooks", "object");
  const insertions =
    hooks === undefined
      ? insertItems(text, json.root, [property("hooks", Object.fromEntries(groups), style, 1)], style, 0)
      : insertGroups(json, hooks, groups, style);
  return applyInsertions(text, insertions);
}

/** Our groups, never inside one of the user's: theirs stay as they are. */
function groupsByEvent(form: HookForm, wanted: readonly WantedHook[]): Map<string, object[]> {
  const groups = new Map<string, object[]>();
  for (const hook of wanted) {
    const matcher = form.toolEvents.includes(hook.native) ? { matcher: "*" } : {};
    const its = groups.get(hook.native) ?? [];
    groups.set(hook.native, [...its, { ...matcher, hooks: [form.print(hook)] }]);
  }
  return groups;
}

function insertGroups(
  json: JsonText,
  hooks: Node,
  groups: ReadonlyMap<string, readonly object[]>,
  style: Style,
): Insertion[] {
  const newEvents: string[] = [];
  const insertions = [...groups].flatMap(([native, its]) => {
    const list = containerAt(json, hooks, native, "array");
    if (list !== undefined) {
      const items = its.map((group) => print(style, group, 3));
      return insertItems(json.text, list, items, style, 2);
    }
    newEvents.push(property(native, its, style, 2));
    return [];
  });
  const inHooks = newEvents.length === 0 ? [] : insertItems(json.text, hooks, newEvents, style, 1);
  return [...insertions, ...inHooks];
}

function property(name: string, value: unknown, style: Style, depth: number): string {
  return `${JSON.stringify(name)}:${style.isCompact ? "" : " "}${print(style, value, depth)}`;
}

function containerAt(json: JsonText, object: Node, name: string, type: "object" | "array"): Node | undefined {
  const value = valueAt(object, name);
  if (value === undefined || value.type === type) return value;
  throw invalid(json, value.offset, `${name} is no ${type === "array" ? "list" : "object"}`);
}

/** After a comment without an end of line, the line break that has to follow it is put before the object. */
function newRoot(text: string, printed: string, { eol }: Style): string {
  const isOpen = text.trim() !== "" && !text.endsWith("\n");
  return isOpen ? `${text}${eol}${printed}` : `${text}${printed}${eol}`;
}
