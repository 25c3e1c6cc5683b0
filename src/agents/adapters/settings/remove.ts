import type { Node } from "jsonc-parser";
import { commaAfter, endOf, isInComment } from "./json-text.ts";

/** A part of the text that goes, from and to. */
export type Cut = readonly [number, number];

/**
 * Takes items out of an object or array, with the blanks and commas that came in with them. Null when nothing would be
 * left of a container that came in with its items too: then it is the container that has to go.
 */
export function removeItems(text: string, container: Node, items: readonly Node[]): Cut[] | null {
  const children = container.children ?? [];
  if (items.length === children.length) return emptied(text, container, items);
  const removed = new Set(items);
  return runsOf(children, removed).flatMap((run) => removeRun(text, container, children, run));
}

/** What `insertItems` puts before the first item of a container that was there and empty: a blank, then its line. */
const wasThere = / \r?\n[ \t]*$|^[^\n]* $/;
const lead = / (?:\r?\n[ \t]*)?$/;

function emptied(text: string, container: Node, items: readonly Node[]): Cut[] | null {
  const [first] = items;
  if (first === undefined) return [];
  const before = text.slice(container.offset + 1, first.offset);
  if (!wasThere.test(before)) return null;
  const [added = ""] = lead.exec(before) ?? [];
  const close = endOf(container) - 1;
  return [[safeStart(text, container.offset + 1, first.offset - added.length, first, close), close]];
}

function removeRun(text: string, container: Node, children: readonly Node[], [at, to]: Cut): Cut[] {
  const [first, last, previous] = [children[at], children[to], children[at - 1]];
  if (first === undefined || last === undefined) return [];
  const from = previous === undefined ? container.offset + 1 : endOf(previous);
  const comma = commaAfter(text, endOf(last));
  const end = comma === -1 ? endOf(last) : comma + 1;
  const start = safeStart(text, from, startOfLine(text, from, first), first, end);
  if (comma !== -1) return [[start, end]];
  // The last ones, so there is one before them: the comma after that one came in with these.
  const before = previous === undefined ? -1 : commaAfter(text, endOf(previous));
  return [
    [before, before + 1],
    [start, end],
  ];
}

/** Not the line break that ends a comment, unless another one follows: what comes next would become part of it. */
function safeStart(text: string, from: number, start: number, first: Node, end: number): number {
  const isBreakNeeded = isInComment(text, from, start) && !/^[ \t]*\r?\n/.test(text.slice(end));
  return isBreakNeeded ? first.offset : start;
}

/** The line break and indentation before an item. On one line with the item before it there is none. */
function startOfLine(text: string, from: number, item: Node): number {
  const [blanks = ""] = /\r?\n[ \t]*$/.exec(text.slice(from, item.offset)) ?? [];
  return item.offset - blanks.length;
}

/** First and last index of the removed items that stand next to each other. */
function runsOf(children: readonly Node[], removed: ReadonlySet<Node>): Cut[] {
  const runs: Cut[] = [];
  let from = -1;
  children.forEach((child, at) => {
    if (!removed.has(child)) return;
    if (from === -1) from = at;
    const next = children[at + 1];
    if (next !== undefined && removed.has(next)) return;
    runs.push([from, at]);
    from = -1;
  });
  return runs;
}

export function applyCuts(text: string, cuts: readonly Cut[]): string {
  const sorted = cuts.toSorted(([a], [b]) => a - b);
  let result = "";
  let done = 0;
  for (const [from, to] of sorted) {
    result += text.slice(done, from);
    done = to;
  }
  return result + text.slice(done);
}
