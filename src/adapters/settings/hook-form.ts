import { getNodeValue } from "jsonc-parser";
import type { HookPlace, InstalledHook, OtherHook, WantedHook } from "../../ports/adapter.ts";
import { isObject } from "../fields.ts";
import { type JsonText, readJsonText } from "./json-text.ts";

export type Hook = Readonly<Record<string, unknown>>;

/** How an agent writes one of its hooks. All that write `hooks` → event → groups of hooks share the rest. */
export interface HookForm {
  print(wanted: WantedHook): Hook;
  /** Program and arguments, if they can be told. */
  argv(hook: Hook): readonly string[] | null;
  /** Events a group of which says what tools it is for. */
  readonly toolEvents: readonly string[];
}

export function installedHooks(form: HookForm, text: string, file: string): InstalledHook[] {
  return hooksOf(readJsonText(text, file)).flatMap(({ place, hook }) => {
    const ours = ourHook(form, place.native, hook);
    return ours === null ? [] : [{ ...ours, place }];
  });
}

/** Null for anybody else's. */
export function ourHook(form: HookForm, native: string, hook: Hook): WantedHook | null {
  const argv = ourArgv(form, hook);
  if (argv === null) return null;
  return { native, argv, timeoutS: typeof hook.timeout === "number" ? hook.timeout : 0 };
}

export function otherHooks(form: HookForm, text: string, file: string): OtherHook[] {
  return hooksOf(readJsonText(text, file)).filter(({ hook }) => ourArgv(form, hook) === null);
}

/** Whether a hook stands where one of these does. */
export function isPlace(hooks: readonly OtherHook[]): (place: HookPlace) => boolean {
  const keyOf = ({ native, groupIndex, hookIndex }: HookPlace) => `${groupIndex} ${hookIndex} ${native}`;
  const places = new Set(hooks.map(({ place }) => keyOf(place)));
  return (place) => places.has(keyOf(place));
}

/** Program and arguments of a hook of ours; null for anybody else's. */
export function ourArgv(form: HookForm, hook: Hook): WantedHook["argv"] | null {
  const [program, ...args] = (hook.type === "command" ? form.argv(hook) : null) ?? [];
  if (program === undefined) return null;
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);
  const isOurs = name === "swarm-hook" || (name === "swarm" && args[0] === "hook");
  return isOurs ? [program, ...args] : null;
}

/** All hooks of the file that have the shape of one. */
function hooksOf({ root }: JsonText): OtherHook[] {
  // Copied, because values read from a tree have no prototype.
  const hooks = root === null ? undefined : structuredClone(getNodeValue(root)).hooks;
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([native, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, groupIndex) => {
      const { hooks: items, ...rest } = isObject(group) ? group : {};
      return (Array.isArray(items) ? items : []).flatMap((hook: unknown, hookIndex) =>
        isObject(hook) ? [{ place: { native, groupIndex, hookIndex }, group: rest, hook }] : [],
      );
    }),
  );
}
