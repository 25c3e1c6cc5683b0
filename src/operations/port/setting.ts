import type { Field, JsonObject, ValueOf } from "../../engine/events/schema.ts";

/**
 * What can be said of a job or a batch run. Its row is all there is to say of it: configuration files, REST, the command
 * line, the documentation and what a job is unless it says otherwise follow from it.
 */
interface Row extends Omit<Field, "doc"> {
  /** What it is, in a sentence or two. */
  readonly about: string;
  /** What it is unless it is said; null: nothing. Without one it has to be said, or depends on where it is said. */
  readonly default?: unknown;
  /** That in words, where the value does not say it. */
  readonly otherwise?: string;
  /** What stands for its value on the command line, where the type does not say it; null: it is no option there. */
  readonly placeholder?: string | null;
  /** A path: on the command line it starts in the current folder. */
  readonly isPath?: true;
}

export type Setting = Row & Field;
export type Settings = Readonly<Record<string, Setting>>;

/** A table of settings, with what their documentation says. */
export function settings<const T extends Readonly<Record<string, Row>>>(
  table: T,
): { readonly [N in keyof T]: T[N] & { readonly doc: string } } {
  const rows = Object.entries(table).map(([name, row]) => [name, { ...row, doc: docOf(name, row) }]);
  return Object.fromEntries(rows) as never;
}

/** What is said with every setting, and every default filled in. */
export type SettingsOf<T extends Settings> = {
  readonly [N in keyof T]: ValueOf<T[N]> | (T[N] extends { readonly default: null } ? null : never);
};

/** What everything is that nobody has said. */
export function defaultsOf(table: Settings): JsonObject {
  const rows = Object.entries(table).filter(([, row]) => row.default !== undefined);
  return Object.fromEntries(rows.map(([name, row]) => [name, row.default]));
}

/** What something says, in the order of the table and without what became of it. */
export function settingsIn<T extends Settings>(table: T, from: SettingsOf<T>): SettingsOf<T> {
  return Object.fromEntries(Object.keys(table).map((name) => [name, from[name]])) as SettingsOf<T>;
}

/** What it is unless it is said, in words; null: nothing is to be said of it. */
export function defaultWords(row: Row): string | null {
  if (row.otherwise !== undefined) return row.otherwise;
  return row.default === undefined || typeof row.default === "object" ? null : String(row.default);
}

export function isInSeconds(name: string): boolean {
  return name.endsWith("_s");
}

function docOf(name: string, row: Row): string {
  const words = defaultWords(row);
  const seconds = isInSeconds(name) ? "Seconds, d" : "D";
  return words === null
    ? row.about
    : `${row.about} ${seconds}efault${row.otherwise === undefined ? "" : ":"} ${words}.`;
}
