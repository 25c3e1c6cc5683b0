import { suggest } from "../../base/suggest.ts";
import { canonicalName } from "../../engine/events/names.ts";
import { isLabel } from "../../engine/hooks/definition.ts";
import { hookObjectKeys } from "../../engine/hooks/hook-object.ts";
import type { When } from "../../engine/hooks/when.ts";
import { readFields } from "../fields.ts";
import { hookObjectOptions } from "../keys.ts";
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
import { showKey } from "../unquoted.ts";
import { readWhen } from "../when.ts";

/** What holds for all tools of one object: an agent's own hooks are an object with `when: { agent }`. */
interface Shared {
  readonly when: When | null;
  readonly server: string | null;
}

/** Seed 002's hook object: tool names under the names of its events, and for all of them `when` and `server`. */
export function readHookObject(reading: Reading, node: MapNode): Draft[] {
  const isShared = ({ key }: MapEntry) => Object.hasOwn(hookObjectOptions, key);
  const options = { ...node, entries: node.entries.filter(isShared) };
  const { when, server } = readFields(reading.file, options, "the hook object", hookObjectOptions);
  const shared = {
    when: when === undefined ? null : readWhen(reading.file, when.value),
    server: server?.value ?? null,
  };
  return node.entries.flatMap((entry) => (isShared(entry) ? [] : readToolEntry(reading, entry, shared)));
}

export function isHookObject(node: ConfigNode): node is MapNode {
  return hasKey(node, hookObjectKeys);
}

/** One event of a hook object; null is the same as absent. */
export function readToolEntry(
  reading: Reading,
  { key, at, value }: MapEntry,
  { when, server }: Shared = { when: null, server: null },
): Draft[] {
  if (!hookObjectKeys.some((known) => known === key)) {
    const known = [...hookObjectKeys, ...Object.keys(hookObjectOptions)];
    const near = didYouMean(suggest(key, known));
    throw invalid(reading.file, at, `unknown key${showKey(key)} in the hook object${near}`);
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
      when,
      priority: 0,
      mode: modes[0],
      onFailure,
      onDenied: false,
      timeoutMs: timeoutMsOf(reading, "mcp_tool", "swarmx", undefined),
      action: { kind: "mcp_tool", server, tool: value.value },
    },
  ];
}
