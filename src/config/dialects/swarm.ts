import { show } from "../../base/show.ts";
import { canonicalName, type EventName, rowOf } from "../../engine/events/names.ts";
import type { Mode } from "../../engine/events/outcome.ts";
import { compileMatcher } from "../../engine/hooks/matcher.ts";
import { httpAction, programAction, webhookAction } from "../action.ts";
import { type PlacedFields, readFields } from "../fields.ts";
import type { Action } from "../hook-config.ts";
import { hookKeys, listedHookKeys } from "../keys.ts";
import { type Kind, kinds, kindsOfKey } from "../kinds.ts";
import { type ConfigNode, checkAt, invalid, type Position } from "../node.ts";
import type { Draft, Place, Reading } from "../reading.ts";
import { timeoutMsOf } from "../timeout.ts";
import { readWhen } from "../when.ts";

type HookFields = PlacedFields<typeof hookKeys>;

/** A hook of our own list: it names its event itself. */
export function readListedHook(reading: Reading, node: ConfigNode): Draft {
  const fields = readFields(reading.file, node, "the hook", listedHookKeys);
  const nativeEvent = fields.event.value;
  const event = checkAt(reading.file, fields.event.at, () => canonicalName(nativeEvent));
  return readHook(reading, fields, { at: node.at, event, nativeEvent, dialect: "swarm" });
}

/** A hook under its event's name, as seed 003 writes them. It may say whatever a listed one may. */
export function readMappedHook(
  reading: Reading,
  node: ConfigNode,
  event: EventName,
  nativeEvent: string,
): Draft {
  const fields = readFields(reading.file, node, "the hook", hookKeys);
  return readHook(reading, fields, { at: node.at, event, nativeEvent, dialect: "bernstein" });
}

function readHook(reading: Reading, fields: HookFields, place: Place): Draft {
  const { file } = reading;
  const kind = fields.type.value;
  checkKeysOfKind(file, fields, kind, place.at);
  const mode = readMode(file, fields, kind);
  const when = fields.when === undefined ? null : readWhen(file, fields.when.value);
  if (when?.verdict !== undefined && mode !== "observe" && fields.when !== undefined)
    throw invalid(file, fields.when.at, `when has verdict, expected it in mode observe, not ${mode}`);
  return {
    ...place,
    name: fields.name?.value ?? null,
    match: readMatch(file, fields, place.event),
    when,
    priority: fields.priority?.value ?? 0,
    mode,
    onFailure: readOnFailure(file, fields, kind, mode),
    // Whoever asks for denials is called for them.
    onDenied: readOnDenied(file, fields, mode) || [when?.verdict].flat().includes("deny"),
    timeoutMs: timeoutMsOf(reading, kind, place.dialect, fields.timeout_s),
    action: readAction(reading, fields, place.at),
  };
}

function checkKeysOfKind(file: string, fields: HookFields, kind: Kind, at: Position): void {
  const { needs } = kinds[kind];
  for (const [key, field] of Object.entries(fields)) {
    const owners = kindsOfKey(key);
    if (field !== undefined && owners.length > 0 && !owners.includes(kind)) {
      const problem = `${key} has no meaning for type ${kind}, only for ${owners.join(", ")}`;
      throw invalid(file, field.keyAt, problem);
    }
  }
  const given = needs.flatMap((key) => fields[key as keyof HookFields] ?? []);
  if (given.length === 0) {
    throw invalid(file, at, `the hook of type ${kind} has no ${needs.join(" and no ")}, expected one`);
  }
  const second = given[1];
  if (second !== undefined) {
    throw invalid(file, second.keyAt, `${needs.join(" and ")} are both given, expected one of them`);
  }
}

function readMode(file: string, { mode }: HookFields, kind: Kind): Mode {
  const { modes, otherModes } = kinds[kind];
  if (mode === undefined) return modes[0];
  if (modes.includes(mode.value)) return mode.value;
  throw invalid(
    file,
    mode.at,
    `mode is ${show(mode.value)}, expected ${modes.join(" or ")} for type ${kind}: ${otherModes}`,
  );
}

function readOnFailure(file: string, { on_failure }: HookFields, kind: Kind, mode: Mode): "allow" | "deny" {
  if (on_failure === undefined) return kinds[kind].onFailure;
  if (mode === "observe" && on_failure.value === "deny") {
    const problem = 'on_failure is "deny", expected allow, because an observer runs after the decision';
    throw invalid(file, on_failure.at, problem);
  }
  return on_failure.value;
}

function readOnDenied(file: string, { on_denied }: HookFields, mode: Mode): boolean {
  if (on_denied === undefined) return false;
  if (mode !== "observe" && on_denied.value) {
    throw invalid(file, on_denied.at, `on_denied is true, expected mode observe with it, not ${mode}`);
  }
  return on_denied.value;
}

function readMatch(file: string, { match }: HookFields, event: EventName): string {
  if (match === undefined || match.value === "*") return "*";
  if (rowOf(event).matches === null) {
    const problem = `match is ${show(match.value)}, expected none: ${event} has no field to compare it with`;
    throw invalid(file, match.at, problem);
  }
  checkAt(file, match.at, () => compileMatcher("match", match.value));
  return match.value;
}

function readAction(reading: Reading, fields: HookFields, at: Position): Action {
  const { command, args, files, url, secret, headers, server, tool } = fields;
  const kind = fields.type.value;
  switch (kind) {
    case "command":
    case "script":
    case "blocking_script":
      return programAction(reading, kind, command?.value ?? null, args, files);
    case "http":
    case "webhook": {
      if (url === undefined) throw invalid(reading.file, at, "the hook has no url");
      const { allow_private: allowPrivate, previous_secret: previousSecret } = fields;
      const request = { url, secret, previousSecret, headers, allowPrivate };
      if (kind === "http") return httpAction(reading, request);
      const { unsigned, retry, max_age_s: maxAge, legacy_headers: legacyHeaders } = fields;
      const { format, body, routing_key: routingKey } = fields;
      const delivery = { unsigned, retry, maxAge, legacyHeaders, format, body, routingKey };
      return webhookAction(reading, { ...request, ...delivery });
    }
    case "mcp_tool":
      if (tool === undefined) throw invalid(reading.file, at, "the hook has no tool");
      return { kind, server: server?.value ?? null, tool: tool.value };
  }
}
