import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { numbered, type Value } from "../sql/statement.ts";

export type Values = Readonly<Record<string, Value>>;

/** A statement that SQLite has compiled. */
export class PreparedStatement {
  readonly #statement: StatementSync;
  /** Of its values, in the order of their marks. */
  readonly #names: readonly string[];
  /** What the columns of its rows are called, which come as arrays; null where this version of Node has none but objects. */
  readonly #columns: readonly string[] | null;

  constructor(database: DatabaseSync, given: string) {
    const { text, names } = numbered(given, () => "?");
    this.#names = names;
    this.#statement = database.prepare(text);
    this.#columns = null;
    // Node 22.16 and later.
    if (!("setReturnArrays" in this.#statement)) return;
    this.#statement.setReturnArrays(true);
    this.#columns = this.#statement.columns().map(({ name }) => name);
  }

  run(values: Values): number {
    const bound = this.#bound(values);
    for (const value of bound) refuseBroken(value);
    return Number(this.#statement.run(...bound).changes);
  }

  one<Row>(values: Values): Row | null {
    const row = this.#statement.get(...this.#bound(values));
    return row === undefined ? null : plain<Row>(row, this.#columns);
  }

  all<Row>(values: Values): Row[] {
    return this.#statement.all(...this.#bound(values)).map((row) => plain<Row>(row, this.#columns));
  }

  #bound(values: Values): SQLInputValue[] {
    return this.#names.map((name) => {
      const value = values[name];
      return typeof value === "boolean" ? Number(value) : (value as SQLInputValue); // what is missing, SQLite refuses
    });
  }
}

/** What would not be read as it was written: the row's hash would not fit any more. */
function refuseBroken(value: SQLInputValue): void {
  if (typeof value !== "string") return;
  // SQLite would put another character in its place.
  if (!value.isWellFormed()) throw new Error("half a surrogate pair is not a text");
  if (value.includes("\0") && cutsAtNul())
    throw new Error("this version of Node would cut off a text at its NUL");
}

/** Node 22.13 does. */
function cutsAtNul(): boolean {
  const database = new DatabaseSync(":memory:");
  const { text } = database.prepare("select 'a' || char(0) || 'b' as text").get() ?? {};
  database.close();
  return text !== "a\0b";
}

/**
 * Node's own objects have no prototype, which assertions elsewhere trip over, and each has a shape of its own: a row of
 * fourteen columns took 3.3 µs to be read and looked at once. As an array of which an object is made it takes 1.3.
 */
function plain<Row>(row: object, columns: readonly string[] | null): Row {
  if (columns === null) return Object.setPrototypeOf(row, Object.prototype) as Row;
  const values = row as readonly unknown[];
  const made: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at++) made[columns[at] as string] = values[at];
  return made as Row;
}
