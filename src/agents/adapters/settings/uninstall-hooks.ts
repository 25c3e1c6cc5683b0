import { isDeepStrictEqual } from "node:util";
import { getNodeValue, type Node } from "jsonc-parser";
import type { HookPlace } from "../../port/adapter.ts";
import { isObject } from "../paths.ts";
import { type HookForm, ourArgv } from "./hook-form.ts";
import { endOf, entriesOf, readJsonText, valueAt } from "./json-text.ts";
import { applyCuts, type Cut, removeItems } from "./remove.ts";

/** Whether the hook at this place has to go. */
type IsGone = (place: HookPlace, hook: unknown) => boolean;

export function uninstallHooks(form: HookForm, text: string, file: string): string {
  return removeHooks(form, text, file, (_, hook) => isObject(hook) && ourArgv(form, hook) !== null);
}

/** The text without some hooks, and without the groups, lists and keys that are there because of them only. */
export function removeHooks(form: HookForm, text: string, file: string, isGone: IsGone): string {
  const { root } = readJsonText(text, file);
  const hooks = root === null ? undefined : valueAt(root, "hooks");
  if (root === null || hooks?.type !== "object") return text;
  const cuts: Cut[] = [];
  const goneEvents: Node[] = [];
  for (const [native, list] of entriesOf(hooks)) {
    const inList = list.type === "array" ? removeFrom(form, text, native, list, isGone) : [];
    if (inList === null) goneEvents.push(propertyOf(list));
    else cuts.push(...inList);
  }
  if (goneEvents.length === 0) return applyCuts(text, cuts);
  const inHooks = removeItems(text, hooks, goneEvents);
  if (inHooks !== null) return applyCuts(text, [...cuts, ...inHooks]);
  const inRoot = removeItems(text, root, isOurRoot(form, root) ? (root.children ?? []) : [propertyOf(hooks)]);
  return inRoot === null ? withoutRoot(text, root) : applyCuts(text, inRoot);
}

/** Whether the root has nothing but what a file of ours begins with, in the order we write it. */
function isOurRoot({ root: ours }: HookForm, root: Node): boolean {
  const entries = entriesOf(root).map(([key, value]) => [key, key === "hooks" || getNodeValue(value)]);
  return isDeepStrictEqual(entries, [["hooks", true], ...Object.entries(ours)]);
}

/** Cuts hooks out of one event's list. Null when the list itself has to go. */
function removeFrom(
  { lists }: HookForm,
  text: string,
  native: string,
  list: Node,
  isGone: IsGone,
): Cut[] | null {
  const gone: Node[] = [];
  const cuts: Cut[] = [];
  (list.children ?? []).forEach((group, groupIndex) => {
    if (lists === "hooks") {
      if (isGone({ native, groupIndex, hookIndex: 0 }, getNodeValue(group))) gone.push(group);
      return;
    }
    const hooks = group.type === "object" ? valueAt(group, "hooks") : undefined;
    const items = hooks?.type === "array" ? (hooks.children ?? []) : [];
    const goneItems = items.filter((item, hookIndex) =>
      isGone({ native, groupIndex, hookIndex }, getNodeValue(item)),
    );
    if (hooks === undefined || goneItems.length === 0) return;
    // Somebody else's hook in the same group stays, with the group.
    if (goneItems.length < items.length) cuts.push(...(removeItems(text, hooks, goneItems) ?? []));
    else gone.push(group);
  });
  const inList = removeItems(text, list, gone);
  return inList === null ? null : [...cuts, ...inList];
}

export function withoutRoot(text: string, root: Node): string {
  const [before, after] = [text.slice(0, root.offset), text.slice(endOf(root))];
  return after === "" ? before.replace(/\r?\n$/, "") : before + after.replace(/^\r?\n/, "");
}

/** The key and value a value belongs to. */
export function propertyOf(value: Node): Node {
  if (value.parent === undefined) throw new Error("a value of an object has a property");
  return value.parent;
}
