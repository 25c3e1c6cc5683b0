import { show } from "../../base/show.ts";
import { readDocument } from "../document.ts";
import { type ConfigNode, type MapEntry, plainOf } from "../node.ts";

const key = "policy_exceptions";

/**
 * The text of a configuration file with one exception more, or null where it cannot be added without changing anything
 * else: it is a list on one line, say. Comments and the rest of the file stay as they are.
 */
export function withException(
  file: string,
  text: string,
  exception: Readonly<Record<string, unknown>>,
): string | null {
  const before = exceptionsIn(file, text);
  if (before === undefined) return null;
  const after = before === null ? appended(text, exception) : inserted(text, before, exception);
  return after !== null && isAdded(file, before, after, exception) ? after : null;
}

/** As lines for somebody who writes them by hand. */
export function exceptionLines(exception: Readonly<Record<string, unknown>>, indent = "  "): string {
  const lines = Object.entries(exception).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return lines.map((line, at) => `${indent}${at === 0 ? "- " : "  "}${line}\n`).join("");
}

/** Null: there are none yet. Undefined: the file is in another form than lines of `key: value`. */
function exceptionsIn(file: string, text: string): MapEntry | null | undefined {
  const root = readDocument(file, text);
  if (root === null) return null;
  if (root.kind !== "map" || root.at.column !== 1) return undefined;
  return root.entries.find((entry) => entry.key === key) ?? null;
}

function appended(text: string, exception: Readonly<Record<string, unknown>>): string {
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${end}${key}:\n${exceptionLines(exception)}`;
}

/** Before the first of them, as far in as that one. */
function inserted(
  text: string,
  { at, value }: MapEntry,
  exception: Readonly<Record<string, unknown>>,
): string | null {
  const [first] = value.kind === "list" ? value.items : [];
  if (first === undefined || first.at.line === at.line || first.at.column < 3) return null;
  const lines = text.split("\n");
  const indent = " ".repeat(first.at.column - 3);
  const written = exceptionLines(exception, indent).trimEnd().split("\n");
  return lines.toSpliced(first.at.line - 1, 0, ...written).join("\n");
}

/** Whether the file now has this one, and for the rest says what it said. */
function isAdded(
  file: string,
  before: MapEntry | null,
  text: string,
  exception: Readonly<Record<string, unknown>>,
): boolean {
  let after: MapEntry | null | undefined;
  try {
    after = exceptionsIn(file, text);
  } catch {
    return false;
  }
  const known = before === null ? [] : plainList(before.value);
  return JSON.stringify(plainList(after?.value)) === JSON.stringify([exception, ...known]);
}

function plainList(node: ConfigNode | undefined): unknown[] {
  const plain = node === undefined ? [] : plainOf(node);
  return Array.isArray(plain) ? plain : [show(plain)];
}
