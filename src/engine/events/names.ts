import { SwarmError } from "../../base/swarm-error.ts";
import { suggest } from "../../base/suggest.ts";
import { catalog } from "./catalog.ts";
import type { EventRow } from "./row.ts";
import type { Given, PayloadOf } from "./schema.ts";

export type Catalog = typeof catalog;

/** The canonical name of an event. */
export type EventName = keyof Catalog;

type NameByAlias = { [N in EventName as Catalog[N]["aliases"][number]]: N };

export type EventAlias = keyof NameByAlias;

/** Any name an event may be written with. */
export type AnyEventName = EventName | EventAlias;

/** The canonical name behind any name. */
export type Canonical<E extends AnyEventName> = E extends EventName
  ? E
  : E extends EventAlias
    ? NameByAlias[E]
    : never;

export type Payload<E extends AnyEventName = EventName> = PayloadOf<Catalog[Canonical<E>]["payload"]>;

/** A payload as a caller may give it. */
export type PayloadInput<E extends AnyEventName = EventName> = Given<Payload<E>>;

export const eventNames = Object.keys(catalog) as EventName[];

export function rowOf(name: EventName): EventRow {
  // Where any row will do, its literal names are only in the way.
  return catalog[name] as unknown as EventRow;
}

/** Canonical names and aliases, each with the canonical name it stands for. */
export const canonicalByName: ReadonlyMap<string, EventName> = new Map(
  eventNames.flatMap((name) => [name, ...rowOf(name).aliases].map((written) => [written, name] as const)),
);

export function canonicalName(written: string): EventName {
  const name = canonicalByName.get(written);
  if (name === undefined) throw unknownEvent(written);
  return name;
}

/** Events that tell what this system itself did: nobody else may say so. */
export function isOwnEvent(event: EventName): boolean {
  return /^(approval|cron|batch|hook|config)\./.test(event);
}

export function unknownEvent(written: unknown): SwarmError {
  const suggestion = typeof written === "string" ? suggest(written, canonicalByName.keys()) : undefined;
  return new SwarmError("SWARM_EVENT_UNKNOWN", { event: written, suggestion });
}

/** What a handler may rewrite: the row's own fields, and the conversation every event may carry. */
export function rewritableFields(row: EventRow): string[] {
  return [...row.rewrites, "messages", "context"];
}
