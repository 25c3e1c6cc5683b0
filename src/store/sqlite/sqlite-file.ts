import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { SwarmError } from "../../base/errors.ts";
import { openDatabase, rollBack } from "./open-database.ts";
import { sql } from "./statements.ts";
import { storeError } from "./store-error.ts";
import { WalFile } from "./wal-file.ts";

/** One SQLite file with its statements by name: what the store of every feature is made on. */
export class SqliteFile {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #wal: WalFile;
  readonly #statements = new Map<string, Prepared>();
  #closing: Promise<void> | null = null;

  constructor(file: string) {
    this.#file = file;
    this.#database = openDatabase(file);
    try {
      this.#wal = new WalFile(file);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Runs a statement of `sql/sqlite/statements` and tells how many rows it changed. */
  run(name: string, ...values: SQLInputValue[]): number {
    for (const value of values) refuseBroken(this.#file, value);
    this.#refuseDamaged();
    return this.#do(() => Number(this.#prepared(name).statement.run(...values).changes));
  }

  one<T>(name: string, ...values: SQLInputValue[]): T | null {
    return this.#do(() => {
      const { statement, columns } = this.#prepared(name);
      const row = statement.get(...values);
      return row === undefined ? null : plain<T>(row, columns);
    });
  }

  all<T>(name: string, ...values: SQLInputValue[] | [Record<string, SQLInputValue>]): T[] {
    return this.#do(() => {
      const { statement, columns } = this.#prepared(name);
      return statement.all(...(values as SQLInputValue[])).map((row) => plain<T>(row, columns));
    });
  }

  pragma(text: string): void {
    this.#do(() => this.#database.exec(`pragma ${text}`));
  }

  /** `immediate`: the lock is taken before the head is read, or two processes could follow the same head. */
  transaction(work: () => void): void {
    this.#refuseDamaged();
    this.#do(() => this.#prepared("begin", "begin immediate").statement.run());
    try {
      work();
      this.#do(() => this.#prepared("commit", "commit").statement.run());
    } catch (error) {
      this.#do(() => rollBack(this.#database));
      throw error;
    }
  }

  /** Does something with a file that belongs to this one; what goes wrong with it is the store's failure. */
  beside<T>(work: (databaseFile: string) => T): T {
    return this.#do(() => work(this.#file));
  }

  sync(): Promise<void> {
    return this.#wal.sync();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#wal.close();
    if (this.#wal.damage === null) this.#database.close();
    else leaveOpen(this.#database);
  }

  #refuseDamaged(): void {
    if (this.#wal.damage !== null) throw this.#wal.damage;
  }

  #do<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(this.#file, error);
    }
  }

  /** Prepared when first used and then kept. */
  #prepared(name: string, text?: string): Prepared {
    let prepared = this.#statements.get(name);
    if (prepared === undefined) {
      prepared = prepare(this.#database.prepare(text ?? sql(name)));
      this.#statements.set(name, prepared);
    }
    return prepared;
  }
}

interface Prepared {
  readonly statement: StatementSync;
  /** What the columns of its rows are called, which come as arrays; null where this version of Node has none but objects. */
  readonly columns: readonly string[] | null;
}

/** Node 22.16 and later. */
function prepare(statement: StatementSync): Prepared {
  if (!("setReturnArrays" in statement)) return { statement, columns: null };
  statement.setReturnArrays(true);
  return { statement, columns: statement.columns().map(({ name }) => name) };
}

const leftOpen = new Set<DatabaseSync>();

/**
 * Closing folds the log into the file, after an fsync of it: one that failed before is then taken for one that works, and
 * what the kernel has given up for what was written. The log is left as it is, for whoever opens the file next to read
 * as far as its checksums go. Node closes what is open when it ends by itself, so it is made to exit.
 */
function leaveOpen(database: DatabaseSync): void {
  leftOpen.add(database);
  process.once("beforeExit", () => process.exit());
}

/** What would not be read as it was written: the row's hash would not fit any more. */
function refuseBroken(file: string, value: SQLInputValue): void {
  if (typeof value !== "string") return;
  // SQLite would put another character in its place.
  if (!value.isWellFormed()) throw broken(file, "half a surrogate pair is not a text");
  if (value.includes("\0") && cutsAtNul())
    throw broken(file, "this version of Node would cut off a text at its NUL");
}

function broken(file: string, problem: string): SwarmError {
  return new SwarmError("SWARM_STORE_FAILED", { file, problem });
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
function plain<T>(row: object, columns: readonly string[] | null): T {
  if (columns === null) return Object.setPrototypeOf(row, Object.prototype) as T;
  const values = row as readonly unknown[];
  const made: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at++) made[columns[at] as string] = values[at];
  return made as T;
}
