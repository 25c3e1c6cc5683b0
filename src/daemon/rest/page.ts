import type { JsonSchema } from "../../engine/events/json-schema.ts";
import { integer, text } from "../../engine/events/schema.ts";

const defaultLimit = 50;
const maxLimit = 1_000;

/** What the query of every list takes. */
export const paging = {
  limit: {
    ...integer(`At most this many, 1 to ${maxLimit}; default ${defaultLimit}.`),
    min: 1,
    max: maxLimit,
  },
  cursor: {
    ...text("`next_cursor` of the page before."),
    pattern: /^\d{1,15}$/,
    expected: "the next_cursor of a page",
  },
} as const;

/** Where a page begins and how long it is. */
export interface Position {
  readonly limit: number;
  readonly beforeSeq: number | undefined;
}

export function positionOf(query: { limit?: number | undefined; cursor?: string | undefined }): Position {
  const { limit = defaultLimit, cursor } = query;
  return { limit, beforeSeq: cursor === undefined ? undefined : Number(cursor) };
}

/**
 * One page of what `list` finds. A sequence number is the cursor: rows that are added meanwhile shift nothing. One row
 * more than the page holds is asked for, to know whether there is another page.
 */
export async function page<T>(
  { limit, beforeSeq }: Position,
  list: (position: Position) => Promise<readonly T[]>,
  seqOf: (item: T) => number,
) {
  const found = await list({ limit: limit + 1, beforeSeq });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { items, next_cursor: hasMore ? String(seqOf(last)) : null };
}

export function pageSchema(item: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return pageOf(item, {
    next_cursor: { type: ["string", "null"], description: "`cursor` of the next page; null on the last." },
    ...more,
  });
}

export function pageOf(
  item: JsonSchema,
  more: Readonly<Record<string, JsonSchema>> = {},
  name = "items",
): JsonSchema {
  const properties = { [name]: { type: "array", items: item }, ...more };
  return { type: "object", properties, required: Object.keys(properties) };
}
