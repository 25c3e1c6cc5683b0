import { getNodeValue, type Node } from "jsonc-parser";
import { isObject } from "../fields.ts";
import { type HookForm, ourArgv } from "./hook-form.ts";
import { endOf, entriesOf, readJsonText, valueAt } from "./json-text.ts";
import { applyCuts, type Cut, removeItems } from "./remove.ts";

/** The text without our hooks, and without the groups, lists and keys that are there because of them only. */
export function uninstallHooks(form: HookForm, text: string, file: string): string {
  const { root } = readJsonText(text, file);
  const hooks = root === null ? undefined : valueAt(root, "hooks");
  if (root === null || hooks?.type !== "object") return text;
  const cuts: Cut[] = [];
  const goneEvents: Node[] = [];
  for (const [, list] of entriesOf(hooks)) {
    const inList = list.type === "array" ? removeOurs(form, text, list) : [];
    if (inList === null) goneEvents.push(propertyOf(list));
    else cuts.push(...inList);
  }
  if (goneEvents.length === 0) return applyCuts(text, cuts);
  const inHooks = removeItems(text, hooks, goneEvents);
  if (inHooks !== null) return applyCuts(text, [...cuts, ...inHooks]);
  const inRoot = removeItems(text, root, [propertyOf(hooks)]);
  return inRoot === null ? withoutRoot(text, root) : applyCuts(text, inRoot);
}

/** Cuts our hooks out of one event's list. Null when the list itself has to go. */
function removeOurs(form: HookForm, text: string, list: Node): Cut[] | null {
  const gone: Node[] = [];
  const cuts: Cut[] = [];
  for (const group of list.children ?? []) {
    const hooks = group.type === "object" ? valueAt(group, "hooks") : undefined;
    const items = hooks?.type === "array" ? (hooks.children ?? []) : [];
    const ours = items.filter((item) => isOurs(form, getNodeValue(item)));
    if (hooks === undefined || ours.length === 0) continue;
    // Somebody has put a hook of their own into our group: it stays, with its group.
    if (ours.length < items.length) cuts.push(...(removeItems(text, hooks, ours) ?? []));
    else gone.push(group);
  }
  const inList = removeItems(text, list, gone);
  return inList === null ? null : [...cuts, ...inList];
}

function isOurs(form: HookForm, hook: unknown): boolean {
  return isObject(hook) && ourArgv(form, hook) !== null;
}

function withoutRoot(text: string, root: Node): string {
  const [before, after] = [text.slice(0, root.offset), text.slice(endOf(root))];
  return after === "" ? before.replace(/\r?\n$/, "") : before + after.replace(/^\r?\n/, "");
}

/** The key and value a value belongs to. */
function propertyOf(value: Node): Node {
  if (value.parent === undefined) throw new Error("a value of an object has a property");
  return value.parent;
}
