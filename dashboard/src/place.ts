/** Where in the dashboard somebody is: what follows `#` in the address. */
export interface Place {
  readonly page: string;
  /** Of the one thing that is shown, where it is one. */
  readonly id: string | null;
  readonly query: Readonly<Record<string, string>>;
}

/** `#/record/evt_1?verdict=deny` */
export function placeOf(hash: string): Place {
  const [, page = "", id, search = ""] = /^#\/(?:(\w+)(?:\/([\w-]+))?)?(?:\?(.*))?$/s.exec(hash) ?? [];
  return { page, id: id ?? null, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** Options that are empty are left out. */
export function hashOf(
  page: string,
  query: Readonly<Record<string, string | undefined>> = {},
  id?: string,
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  const path = id === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(id)}`;
  return search === "" ? path : `${path}?${search}`;
}
