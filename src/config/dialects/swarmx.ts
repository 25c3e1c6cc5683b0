import { show } from "../../base/show.ts";
import { suggest } from "../../base/suggest.ts";
import { canonicalName } from "../../events/names.ts";
import { isLabel } from "../../hooks/definition.ts";
import { hookObjectKeys } from "../../hooks/hook-object.ts";
import { kinds } from "../kinds.ts";
import {
  type ConfigNode,
  didYouMean,
  hasKey,
  invalid,
  type MapEntry,
  type MapNode,
  showNode,
} from "../node.ts";
import type { Draft, Reading } from "../reading.ts";
import { timeoutMsOf } from "../timeout.ts";

/** Seed 002's hook object: nothing but tool names under the names of its events. */
export function readHookObject(reading: Reading, node: MapNode): Draft[] {
  return node.entries.flatMap((entry) => readToolEntry(reading, entry));
}

export function isHookObject(node: ConfigNode): node is MapNode {
  return hasKey(node, hookObjectKeys);
}

/** One event of a hook object; null is the same as absent. */
export function readToolEntry(reading: Reading, { key, at, value }: MapEntry): Draft[] {
  if (!hookObjectKeys.some((known) => known === key)) {
    const near = didYouMean(suggest(key, hookObjectKeys));
    throw invalid(reading.file, at, `unknown key ${show(key)} in the hook object${near}`);
  }
  if (value.kind === "scalar" && value.value === null) return [];
  if (value.kind !== "scalar" || !isLabel(value.value)) {
    throw invalid(reading.file, value.at, `${key} is ${showNode(value)}, expected the name of a tool`);
  }
  const { modes, onFailure } = kinds.mcp_tool;
  return [
    {
      at,
      dialect: "swarmx",
      event: canonicalName(key),
      nativeEvent: key,
      name: null,
      match: "*",
      when: null,
      priority: 0,
      mode: modes[0],
      onFailure,
      onDenied: false,
      timeoutMs: timeoutMsOf(reading, "mcp_tool", "swarmx", undefined),
      action: { kind: "mcp_tool", server: null, tool: value.value },
    },
  ];
}
