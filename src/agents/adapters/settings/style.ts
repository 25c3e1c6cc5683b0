import type { JsonText } from "./json-text.ts";

/** How a file is written, so that what is added looks like it. */
export interface Style {
  readonly eol: string;
  readonly indent: string;
  /** All on one line. */
  readonly isCompact: boolean;
}

/** Taken from the root's first key; a file with nothing in it gets two blanks. */
export function styleOf({ text, root }: JsonText): Style {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const first = root?.children?.[0];
  if (root === null || first === undefined) return { eol, indent: "  ", isCompact: false };
  const [, indent] = /\n([ \t]+)$/.exec(text.slice(root.offset, first.offset)) ?? [];
  const isCompact = !text.slice(root.offset, root.offset + root.length).includes("\n");
  return { eol, indent: indent ?? "  ", isCompact };
}

/** The line break and indentation before a thing that is `depth` levels deep. */
export function lineAt({ eol, indent, isCompact }: Style, depth: number): string {
  return isCompact ? "" : eol + indent.repeat(depth);
}

export function print({ eol, indent, isCompact }: Style, value: unknown, depth: number): string {
  if (isCompact) return JSON.stringify(value);
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + indent.repeat(depth));
}
