import { getNodeValue, type Node } from "jsonc-parser";
import type { WantedHook } from "../../port/adapter.ts";
import { isObject } from "../paths.ts";
import { type Hook, type HookForm, hookNodes, ourHook } from "./hook-form.ts";
import { endOf, readJsonText, valueAt } from "./json-text.ts";
import { type Style, styleOf } from "./style.ts";

/** Changes our hooks where they stand: their group, its matcher and keys somebody added to them stay. */
export function amendHooks(
  form: HookForm,
  text: string,
  change: (hook: WantedHook) => WantedHook,
  file: string,
): string {
  const json = readJsonText(text, file);
  const hooks = json.root === null ? undefined : valueAt(json.root, "hooks");
  if (hooks?.type !== "object") return text;
  const style = styleOf(json);
  let result = "";
  let done = 0;
  const inOrder = hookNodes(form, hooks).toSorted((a, b) => a.node.offset - b.node.offset);
  for (const { place, node } of inOrder) {
    const hook: unknown = structuredClone(getNodeValue(node));
    const ours = isObject(hook) ? ourHook(form, place.native, hook) : null;
    if (!isObject(hook) || ours === null) continue;
    const amended = changedHook(form, hook, ours, change(ours));
    if (amended === null) continue;
    result += text.slice(done, node.offset) + printAt(text, node, amended, style);
    done = endOf(node);
  }
  return result + text.slice(done);
}

/** Null when nothing changes. */
function changedHook(form: HookForm, hook: Hook, before: WantedHook, after: WantedHook): Hook | null {
  const [was, is] = [form.print(before), form.print(after)];
  if (JSON.stringify(was) === JSON.stringify(is)) return null;
  const kept = Object.entries(hook).filter(([key]) => Object.hasOwn(is, key) || !Object.hasOwn(was, key));
  return { ...Object.fromEntries(kept), ...is };
}

/** In the file's style, as deep as it stands; on one line if it was. */
function printAt(text: string, node: Node, hook: Hook, { eol, indent }: Style): string {
  if (!text.slice(node.offset, endOf(node)).includes("\n")) return JSON.stringify(hook);
  const line = text.slice(text.lastIndexOf("\n", node.offset) + 1, node.offset);
  const [depth = ""] = /^[ \t]*/.exec(line) ?? [];
  return JSON.stringify(hook, null, indent).replaceAll("\n", eol + depth);
}
