import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { SwarmError } from "../../../base/errors.ts";

/** A settings file's text, read so that it can be changed without touching what is not ours. */
export interface JsonText {
  readonly text: string;
  readonly file: string;
  /** Null: there is no value in it, at most blanks and comments. */
  readonly root: Node | null;
}

export function readJsonText(text: string, file: string): JsonText {
  const errors: ParseError[] = [];
  // A byte order mark is a character of its own, so that offsets stay those of the text.
  const read = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  const root = parseTree(read, errors, { allowTrailingComma: true, allowEmptyContent: true }) ?? null;
  const [error] = errors;
  if (error !== undefined) throw invalid({ text, file }, error.offset, problemOf(error));
  if (root !== null && root.type !== "object")
    throw invalid({ text, file }, root.offset, "expected an object");
  return { text, file, root };
}

export function invalid({ text, file }: Pick<JsonText, "text" | "file">, offset: number, problem: string) {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  return new SwarmError("SWARM_SETTINGS_INVALID", { file, line, column, problem });
}

/** `PropertyNameExpected` in words. */
function problemOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

/** The value under a key; the last one, where a key is there twice, as every parser reads it. */
export function valueAt(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** The keys and values of an object, as `valueAt` has them. */
export function entriesOf(object: Node): [string, Node][] {
  const entries = new Map<string, Node>();
  for (const { children = [] } of object.children ?? []) {
    const [key, value] = children;
    if (key !== undefined && value !== undefined) entries.set(String(key.value), value);
  }
  return [...entries];
}

export function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Where the comma after a place is, past blanks and comments; -1 when something else comes first. */
export function commaAfter(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : -1;
}

/** Whether a place is in a comment that ends with its line; from `from` on there are only blanks, commas and comments. */
export function isInComment(text: string, from: number, at: number): boolean {
  const between = text.slice(from, at);
  const comments = [...between.matchAll(/\/\/[^\r\n]*|\/\*.*?\*\//gs)];
  return comments.some(
    ({ 0: comment, index }) => comment.startsWith("//") && index + comment.length === between.length,
  );
}

/** The end of the last thing before a place that is no blank, be it a comment; not before `from`. */
export function endOfThingsBefore(text: string, from: number, offset: number): number {
  return from + text.slice(from, offset).trimEnd().length;
}
