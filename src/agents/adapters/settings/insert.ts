import type { Node } from "jsonc-parser";
import { commaAfter, endOf, endOfThingsBefore } from "./json-text.ts";
import { lineAt, type Style } from "./style.ts";

/** A text put in at a place; nothing of what was there goes. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/**
 * Puts items at the end of an object or array. All of it can be told again from the result: a blank before the first
 * line break says that the container was there and empty, a comma after the last item that there was one before.
 */
export function insertItems(
  text: string,
  container: Node,
  items: readonly string[],
  style: Style,
  depth: number,
): Insertion[] {
  const line = lineAt(style, depth + 1);
  const joined = items.join(`,${line}`);
  const close = endOf(container) - 1;
  const last = container.children?.at(-1);
  if (last === undefined) {
    return [{ offset: close, text: ` ${line}${joined}${lineAt(style, depth)}` }];
  }
  const comma = commaAfter(text, endOf(last));
  const isTrailing = comma !== -1;
  const offset = endOfThingsBefore(text, isTrailing ? comma + 1 : endOf(last), close);
  const put = { offset, text: `${line}${joined}${isTrailing ? "," : ""}` };
  return isTrailing ? [put] : [{ offset: endOf(last), text: "," }, put];
}

/** Insertions at one place keep their order. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  const sorted = insertions.toSorted((a, b) => a.offset - b.offset);
  let result = "";
  let done = 0;
  for (const { offset, text: added } of sorted) {
    result += text.slice(done, offset) + added;
    done = offset;
  }
  return result + text.slice(done);
}
