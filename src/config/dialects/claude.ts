import { show } from "../../base/show.ts";
import { canonicalName, type EventName, rowOf } from "../../engine/events/names.ts";
import { httpAction, programAction } from "../action.ts";
import { type Placed, type PlacedFields, readFields } from "../fields.ts";
import type { Action } from "../hook-config.ts";
import { type Kind, kinds } from "../kinds.ts";
import {
  type ConfigNode,
  checkAt,
  hasKey,
  invalid,
  type MapEntry,
  type Position,
  showNode,
} from "../node.ts";
import type { Draft, Reading } from "../reading.ts";
import { timeoutMsOf } from "../timeout.ts";
import { readWhen } from "../when.ts";
import {
  claudeEventsWithoutRow,
  claudeGroupKeys,
  claudeHookKeys,
  claudeListedGroupKeys,
} from "./claude-keys.ts";
import { translateMatcher } from "./claude-matcher.ts";

type HookFields = PlacedFields<typeof claudeHookKeys>;

/** One entry under an event of a file in Claude Code's shape: a matcher and the hooks it selects. */
export function readClaudeGroup(
  reading: Reading,
  node: ConfigNode,
  event: EventName,
  nativeEvent: string,
): Draft[] {
  const ignore = ignoring(reading, nativeEvent);
  return readGroup(reading, node, readFields(reading.file, node, "the group", claudeGroupKeys, ignore), {
    event,
    nativeEvent,
  });
}

/** The same in a list of ours. */
export function readListedGroup(reading: Reading, node: ConfigNode): Draft[] {
  const group = readFields(reading.file, node, "the group", claudeListedGroupKeys);
  const nativeEvent = group.event.value;
  const event = checkAt(reading.file, group.event.at, () => canonicalName(nativeEvent));
  return readGroup(reading, node, group, { event, nativeEvent });
}

function readGroup(
  reading: Reading,
  node: ConfigNode,
  group: PlacedFields<typeof claudeGroupKeys>,
  { event, nativeEvent }: Pick<Draft, "event" | "nativeEvent">,
): Draft[] {
  const { file } = reading;
  const ignore = ignoring(reading, nativeEvent);
  const when = group.when === undefined ? null : readWhen(file, group.when.value);
  // Where there is nothing to compare with, Claude Code does not look at the matcher.
  const isMatched = rowOf(event).matches !== null;
  const match = isMatched ? translateMatcher(file, group.matcher?.value, group.matcher?.at ?? node.at) : "*";
  const hooks = group.hooks.value;
  if (hooks.kind !== "list") {
    throw invalid(file, hooks.at, `hooks is ${showNode(hooks)}, expected a list of hooks`);
  }
  return hooks.items.flatMap((item) => {
    const fields = readFields(file, item, "the hook", claudeHookKeys, ignore);
    const problem = whyNotRun(fields);
    if (problem === null) return [{ ...readHook(reading, fields, item.at), event, nativeEvent, match, when }];
    if (fields.onFailure?.value === "block") {
      throw invalid(file, item.at, `${problem}, and onFailure: block asks that it is never left out`);
    }
    skip(reading, item.at, nativeEvent, problem);
    return [];
  });
}

/** A key of a newer version is passed over, and noted; a misspelt one is an error. */
function ignoring(reading: Reading, nativeEvent: string): (entry: MapEntry) => void {
  return ({ key, at }) => skip(reading, at, nativeEvent, `key ${show(key)} is unknown and was ignored`);
}

export function isClaudeGroup(node: ConfigNode): boolean {
  return hasKey(node, ["hooks", "matcher"]);
}

/** Takes note of hooks for an event that only Claude Code has. */
export function skipClaudeEvent(reading: Reading, { key, at, value }: MapEntry): boolean {
  const isSkipped =
    claudeEventsWithoutRow.includes(key) && value.kind === "list" && value.items.every(isClaudeGroup);
  if (isSkipped) skip(reading, at, key, `there is no event for ${key}`);
  return isSkipped;
}

/** A hook that would run without its filter, or in another shell, would do something nobody wrote. */
function whyNotRun({ type, if: filter, shell, input }: HookFields): string | null {
  if (type.value === "prompt" || type.value === "agent")
    return `hooks of type ${type.value} are not supported`;
  if (filter !== undefined) return `the filter if: ${show(filter.value)} is not supported`;
  if (shell?.value === "powershell") return "hooks for powershell are not supported";
  return input === undefined ? null : "a tool's own input is not supported";
}

function readHook(
  reading: Reading,
  fields: HookFields,
  at: Position,
): Omit<Draft, "event" | "nativeEvent" | "match" | "when"> {
  const action = readAction(reading, fields, at);
  const { modes } = kinds[action.kind];
  const isLater = fields.async?.value === true || fields.asyncRewake?.value === true;
  if (isLater && fields.onFailure?.value === "block") {
    const problem = 'onFailure is "block", expected continue, because an async hook runs after the decision';
    throw invalid(reading.file, fields.onFailure.at, problem);
  }
  return {
    at,
    dialect: "claude",
    name: null,
    priority: 0,
    mode: isLater ? "observe" : modes[0],
    onFailure: fields.onFailure?.value === "block" ? "deny" : "allow",
    onDenied: false,
    timeoutMs: timeoutMsOf(reading, action.kind, "claude", fields.timeout),
    action,
  };
}

function readAction(
  reading: Reading,
  fields: HookFields,
  at: Position,
): Extract<Action, { readonly kind: Kind }> {
  const { type, command, args, files, url, headers, allowedEnvVars, allowPrivate, server, tool } = fields;
  const needed = <V>(field: Placed<V> | undefined, key: string): Placed<V> => {
    if (field !== undefined) return field;
    throw invalid(reading.file, at, `the hook of type ${type.value} has no ${key}, expected one`);
  };
  if (type.value === "http") {
    const both = reading.allowedVariables.filter((name) => allowedEnvVars?.value.includes(name));
    const narrowed = { ...reading, allowedVariables: both };
    const request = { url: needed(url, "url"), headers: braced(headers), allowPrivate };
    return httpAction(narrowed, request);
  }
  if (type.value === "mcp_tool") {
    return { kind: "mcp_tool", server: server?.value ?? null, tool: needed(tool, "tool").value };
  }
  const program = needed(command, "command");
  if (args === undefined) return programAction(reading, "command", program.value, undefined, files);
  const argv = { ...args, value: [program.value, ...args.value] };
  return programAction(reading, "command", null, argv, files);
}

/** Claude Code also takes `$VAR` in a header. */
function braced<H extends Placed<Readonly<Record<string, string>>>>(headers: H | undefined): H | undefined {
  if (headers === undefined) return undefined;
  const value = Object.entries(headers.value).map(([name, text]) => [
    name,
    text.replaceAll(/\$([A-Za-z_]\w*)/g, "$${$1}"),
  ]);
  return { ...headers, value: Object.fromEntries(value) };
}

function skip({ file, skipped }: Reading, at: Position, nativeEvent: string, reason: string): void {
  skipped.push({ source: { file, ...at }, nativeEvent, reason });
}
