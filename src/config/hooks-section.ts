import { canonicalName } from "../engine/events/names.ts";
import { isClaudeGroup, readClaudeGroup, readListedGroup, skipClaudeEvent } from "./dialects/claude.ts";
import { readListedHook, readMappedHook } from "./dialects/swarm.ts";
import { isHookObject, readHookObject, readToolEntry } from "./dialects/swarmx.ts";
import { type ConfigNode, checkAt, hasKey, invalid, type MapEntry, showNode } from "./node.ts";
import type { Draft, Reading } from "./reading.ts";

/**
 * What stands under `hooks:`. A list is ours, or holds hook objects, or groups of Claude Code's. A map goes from event to hooks, and what an
 * entry looks like says whose it is: groups with `hooks:` are Claude Code's, a tool's name belongs to a hook
 * object, all else is seed 003's.
 */
export function readHooksSection(reading: Reading, node: ConfigNode): Draft[] {
  if (node.kind === "list") {
    return node.items.flatMap((item) => readItem(reading, item));
  }
  if (node.kind === "map") return node.entries.flatMap((entry) => readEventEntry(reading, entry));
  if (node.value === null) return []; // every hook below it is commented out
  throw invalid(reading.file, node.at, `hooks is ${showNode(node)}, expected a list or a map`);
}

function readItem(reading: Reading, item: ConfigNode): Draft | Draft[] {
  if (isHookObject(item)) return readHookObject(reading, item);
  return hasKey(item, ["hooks"]) ? readListedGroup(reading, item) : readListedHook(reading, item);
}

function readEventEntry(reading: Reading, entry: MapEntry): Draft[] {
  const { key, at, value } = entry;
  if (skipClaudeEvent(reading, entry)) return [];
  const event = checkAt(reading.file, at, () => canonicalName(key));
  if (value.kind === "scalar") return readToolEntry(reading, entry);
  if (value.kind === "map") {
    throw invalid(reading.file, value.at, `${key} is a map, expected a list of hooks`);
  }
  return value.items.flatMap((item) =>
    isClaudeGroup(item)
      ? readClaudeGroup(reading, item, event, key)
      : readMappedHook(reading, item, event, key),
  );
}
