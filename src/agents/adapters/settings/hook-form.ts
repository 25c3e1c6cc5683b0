import { getNodeValue, type Node } from "jsonc-parser";
import type { HookPlace, InstalledHook, OtherHook, WantedHook } from "../../port/adapter.ts";
import { isObject } from "../paths.ts";
import { entriesOf, readJsonText, valueAt } from "./json-text.ts";

export type Hook = Readonly<Record<string, unknown>>;

/** How an agent writes its hooks. All that write `hooks` → event → a list share the rest. */
export interface HookForm {
  /** What the list of an event holds: groups (`{ matcher, hooks: […] }`), or the hooks themselves, each with its matcher. */
  readonly lists: "groups" | "hooks";
  print(wanted: WantedHook): Hook;
  /** Program and arguments, if they can be told. */
  argv(hook: Hook): readonly string[] | null;
  /** How long it may take; 0: it does not say. */
  timeoutS(hook: Hook): number;
  /** What our entry for an event says it is for; null where it says nothing and is for all. */
  matcher(native: string): string | null;
  /** What a file that is only ours has to say besides. */
  readonly root: Hook;
}

/** Our hook as it stands in the list of its event. */
export function printEntry(form: HookForm, wanted: WantedHook): Hook {
  const matcher = form.matcher(wanted.native);
  const matching = matcher === null ? {} : { matcher };
  const hook = form.print(wanted);
  return form.lists === "groups" ? { ...matching, hooks: [hook] } : { ...matching, ...hook };
}

export function installedHooks(form: HookForm, text: string, file: string): InstalledHook[] {
  return hooksIn(form, text, file).flatMap(({ place, hook }) => {
    const ours = ourHook(form, place.native, hook);
    return ours === null ? [] : [{ ...ours, place }];
  });
}

/** Null for anybody else's. */
export function ourHook(form: HookForm, native: string, hook: Hook): WantedHook | null {
  const argv = ourArgv(form, hook);
  return argv === null ? null : { native, argv, timeoutS: form.timeoutS(hook) };
}

export function otherHooks(form: HookForm, text: string, file: string): OtherHook[] {
  return hooksIn(form, text, file).filter(({ hook }) => ourArgv(form, hook) === null);
}

/** Whether a hook stands where one of these does. */
export function isPlace(hooks: readonly OtherHook[]): (place: HookPlace) => boolean {
  const keyOf = ({ native, groupIndex, hookIndex }: HookPlace) => `${groupIndex} ${hookIndex} ${native}`;
  const places = new Set(hooks.map(({ place }) => keyOf(place)));
  return (place) => places.has(keyOf(place));
}

/** Program and arguments of a hook of ours; null for anybody else's. */
export function ourArgv(form: HookForm, hook: Hook): WantedHook["argv"] | null {
  const isCommand = hook.type === "command" || (hook.type === undefined && form.lists === "hooks");
  const [program, ...args] = (isCommand ? form.argv(hook) : null) ?? [];
  if (program === undefined) return null;
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);
  const isOurs = name === "swarm-hook" || (name === "swarm" && args[0] === "hook");
  return isOurs ? [program, ...args] : null;
}

/** A number of seconds, whatever else may stand there. */
export function secondsIn(value: unknown, perSecond = 1): number {
  return typeof value === "number" ? value / perSecond : 0;
}

/** All hooks of the file that have the shape of one. */
export function hooksIn(form: HookForm, text: string, file: string): OtherHook[] {
  const { root } = readJsonText(text, file);
  const hooks = root === null ? undefined : valueAt(root, "hooks");
  if (hooks?.type !== "object") return [];
  return hookNodes(form, hooks).flatMap(({ place, node, group }) => {
    // Copied, because values read from a tree have no prototype.
    const hook: unknown = structuredClone(getNodeValue(node));
    return isObject(hook) ? [{ place, group, hook }] : [];
  });
}

/** A hook in the text of a file. */
export interface HookNode {
  readonly place: HookPlace;
  readonly node: Node;
  /** What its group says besides its hooks; of a hook in no group, its matcher. */
  readonly group: Hook;
}

/** Every hook of the file, event by event. A hook in no group is a group of one. */
export function hookNodes(form: HookForm, hooks: Node): HookNode[] {
  return entriesOf(hooks).flatMap(([native, list]) =>
    (list.type === "array" ? (list.children ?? []) : []).flatMap((item, groupIndex) => {
      const value: unknown = structuredClone(getNodeValue(item));
      if (form.lists === "hooks") {
        const group = isObject(value) && value.matcher !== undefined ? { matcher: value.matcher } : {};
        return [{ place: { native, groupIndex, hookIndex: 0 }, node: item, group }];
      }
      const { hooks: _, ...group } = isObject(value) ? value : {};
      const items = item.type === "object" ? valueAt(item, "hooks") : undefined;
      return (items?.type === "array" ? (items.children ?? []) : []).map((node, hookIndex) => {
        return { place: { native, groupIndex, hookIndex }, node, group };
      });
    }),
  );
}
