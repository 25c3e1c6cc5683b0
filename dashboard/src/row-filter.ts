import type { RunEvent } from "../../src/record/port/run-event.ts";

/** The fields rows can be narrowed by, wherever rows are shown; the daemon knows them under the same names. */
export const filterFields = ["event", "kind", "verdict", "session"] as const;
export type RowFilter = Readonly<Partial<Record<(typeof filterFields)[number], string>>>;

export function filterOf(query: Readonly<Record<string, string>>): RowFilter {
  return Object.fromEntries(filterFields.flatMap((field) => (query[field] ? [[field, query[field]]] : [])));
}

export function matches(filter: RowFilter, row: RunEvent): boolean {
  return filterFields.every((field) => filter[field] === undefined || row[field] === filter[field]);
}
