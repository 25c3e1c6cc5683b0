import { suggest } from "../base/suggest.ts";
import { writtenMisfit } from "../engine/events/check-fields.ts";
import { expectation, type FieldType } from "../engine/events/schema.ts";
import type { ConfigField, ConfigFields, ReadValueOf } from "./config-field.ts";
import { type ConfigNode, didYouMean, invalid, type MapEntry, type Position, showNode } from "./node.ts";
import { showKey } from "./unquoted.ts";

/** A value and where it stands. */
export interface Placed<V> {
  readonly value: V;
  readonly at: Position;
  readonly keyAt: Position;
}

/** What a map holds, by the table of its keys. */
export type PlacedFields<T extends ConfigFields> = {
  readonly [K in keyof T]: T[K] extends { readonly isRequired: true }
    ? Placed<ReadValueOf<T[K]>>
    : Placed<ReadValueOf<T[K]>> | undefined;
};

/**
 * Checks a map against the table of its keys. A misspelt key that is ignored is a guard that is off, so every
 * unknown one is an error, unless `onUnknown` takes it.
 */
export function readFields<T extends ConfigFields>(
  file: string,
  node: ConfigNode,
  what: string,
  table: T,
  onUnknown?: (entry: MapEntry) => void,
): PlacedFields<T> {
  if (node.kind !== "map") {
    throw invalid(file, node.at, `${what} is ${showNode(node)}, expected a map`);
  }
  const fields: Record<string, Placed<unknown>> = Object.create(null);
  for (const entry of node.entries) {
    const { key, at, value } = entry;
    const known = Object.hasOwn(table, key) ? table[key] : undefined;
    if (known === undefined) {
      const near = suggest(key, Object.keys(table));
      if (near !== undefined || onUnknown === undefined) {
        throw invalid(file, at, `unknown key${showKey(key)} in ${what}${didYouMean(near)}`);
      }
      onUnknown(entry);
      continue;
    }
    fields[key] = { value: readValue(file, key, known, value), at: value.at, keyAt: at };
  }
  for (const [key, field] of Object.entries(table)) {
    if (field.isRequired === true && fields[key] === undefined)
      throw invalid(file, node.at, `${what} has no ${key}, expected ${expectationOf(field)}`);
  }
  // Built key by key from the table the type is derived from.
  return fields as PlacedFields<T>;
}

/** A scalar is checked as any value; of what has parts only the kind is, and each text in it, where it stands. */
function readValue(file: string, name: string, field: ConfigField, node: ConfigNode): unknown {
  const refuse = (part: ConfigNode) => {
    const shown = field.isSecret === true ? "not usable" : showNode(part);
    const near =
      part.kind === "scalar" && typeof part.value === "string" && field.values !== undefined
        ? suggest(part.value, field.values)
        : undefined;
    return invalid(file, part.at, `${name} is ${shown}, expected ${expectationOf(field)}${didYouMean(near)}`);
  };
  const scalar = (part: ConfigNode, type = field.type): unknown => {
    if (part.kind !== "scalar" || writtenMisfit({ ...field, type }, part.value) !== null) throw refuse(part);
    return part.value;
  };
  const text = (part: ConfigNode) => scalar(part, "string");
  switch (field.type) {
    case "any":
      return node;
    case "array":
      if (node.kind !== "list") throw refuse(node);
      return node;
    case "object":
      if (node.kind !== "map") throw refuse(node);
      if (field.isOfTexts !== true) return node;
      return Object.fromEntries(node.entries.map((entry) => [entry.key, text(entry.value)]));
    case "strings":
      if (field.mayBeAlone === true && node.kind !== "list") return [text(node)];
      if (node.kind !== "list" || node.items.length < (field.min ?? (field.mayBeAlone ? 1 : 0)))
        throw refuse(node);
      return node.items.map(text);
    default:
      return scalar(node);
  }
}

function expectationOf(field: ConfigField): string {
  const strings = field.mayBeAlone === true ? "text or a list of texts" : words.strings;
  const object = field.isOfTexts === true ? "a map of texts" : words.object;
  return expectation(field, { ...words, strings, object });
}

/** What a file has for each type. */
const words: Readonly<Record<FieldType, string>> = {
  string: "text",
  strings: "a list of texts",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "a map",
  array: "a list",
  any: "a value",
};
