import { suggest } from "../base/suggest.ts";
import type { Key, KeyTable, ValueOf } from "./key.ts";
import { type ConfigNode, didYouMean, invalid, type MapEntry, type Position, showNode } from "./node.ts";
import { showKey } from "./unquoted.ts";

export interface Field<V> {
  readonly value: V;
  readonly at: Position;
  readonly keyAt: Position;
}

/** What a map holds, by the table of its keys. */
export type Fields<T extends KeyTable> = {
  readonly [K in keyof T]: T[K] extends { readonly isRequired: true }
    ? Field<ValueOf<T[K]>>
    : Field<ValueOf<T[K]>> | undefined;
};

/**
 * Checks a map against the table of its keys. A misspelt key that is ignored is a guard that is off, so every
 * unknown one is an error, unless `onUnknown` takes it.
 */
export function readFields<T extends KeyTable>(
  file: string,
  node: ConfigNode,
  what: string,
  table: T,
  onUnknown?: (entry: MapEntry) => void,
): Fields<T> {
  if (node.kind !== "map") {
    throw invalid(file, node.at, `${what} is ${showNode(node)}, expected a map`);
  }
  const fields: Record<string, Field<unknown>> = Object.create(null);
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
  for (const [key, { isRequired }] of Object.entries(table)) {
    if (isRequired === true && fields[key] === undefined) {
      throw invalid(file, node.at, `${what} has no ${key}, expected ${expectation(table[key])}`);
    }
  }
  // Built key by key from the table the type is derived from.
  return fields as Fields<T>;
}

function readValue(file: string, name: string, key: Key, node: ConfigNode): unknown {
  const refuse = (part: ConfigNode) => {
    const shown = key.isSecret === true ? "not usable" : showNode(part);
    const near =
      part.kind === "scalar" && typeof part.value === "string" && key.values !== undefined
        ? suggest(part.value, key.values)
        : undefined;
    return invalid(file, part.at, `${name} is ${shown}, expected ${expectation(key)}${didYouMean(near)}`);
  };
  const text = (part: ConfigNode): string => {
    if (part.kind !== "scalar" || typeof part.value !== "string") throw refuse(part);
    const { value } = part;
    // A NUL ends a program's argument early.
    if ((value === "" && key.mayBeEmpty !== true) || value.includes("\0")) throw refuse(part);
    if (key.values?.includes(value) === false || key.pattern?.test(value) === false) throw refuse(part);
    return value;
  };
  switch (key.type) {
    case "node":
      return node;
    case "text":
      return text(node);
    case "texts":
      if (node.kind !== "list" || node.items.length < (key.min ?? 0)) throw refuse(node);
      return node.items.map(text);
    case "text_or_texts":
      if (node.kind === "list" && node.items.length === 0) throw refuse(node);
      return node.kind === "list" ? node.items.map(text) : [text(node)];
    case "text_map":
      if (node.kind !== "map") throw refuse(node);
      return Object.fromEntries(node.entries.map((entry) => [entry.key, text(entry.value)]));
    case "boolean":
      if (node.kind !== "scalar" || typeof node.value !== "boolean") throw refuse(node);
      return node.value;
    default: {
      if (node.kind !== "scalar" || typeof node.value !== "number") throw refuse(node);
      const { value } = node;
      if (key.type === "integer" && !Number.isSafeInteger(value)) throw refuse(node);
      if (value < (key.min ?? value) || value > (key.max ?? value)) throw refuse(node);
      return value;
    }
  }
}

const typeWords: Readonly<Record<Key["type"], string>> = {
  text: "text",
  texts: "a list of texts",
  text_or_texts: "text or a list of texts",
  text_map: "a map of texts",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  node: "a value",
};

function expectation(key: Key | undefined): string {
  if (key === undefined) return "a value";
  if (key.values !== undefined) return key.values.join(" or ");
  if (key.expected !== undefined) return key.expected;
  const range = key.min === undefined ? "" : ` from ${key.min} to ${key.max ?? "any"}`;
  return `${typeWords[key.type]}${range}`;
}
