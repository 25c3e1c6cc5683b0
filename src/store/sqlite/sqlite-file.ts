import { DatabaseSync } from "node:sqlite";
import type { Statements, Texts } from "../sql/statement.ts";
import { openDatabase, rollBack } from "./open-database.ts";
import { PreparedStatement, type Values } from "./prepared-statement.ts";
import { storeError } from "./store-error.ts";
import { WalFile } from "./wal-file.ts";

/** One SQLite file: what the store of every feature is made on. */
export class SqliteFile {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #wal: WalFile;
  readonly #transaction: Statements<typeof transactionStatements>;
  #closing: Promise<void> | null = null;

  constructor(file: string) {
    this.#file = file;
    this.#database = openDatabase(file);
    this.#transaction = this.statements(transactionStatements);
    try {
      this.#wal = new WalFile(file);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Each is prepared when it is first used, and then kept. */
  statements<All extends Texts>(texts: All): Statements<All> {
    const made = Object.entries(texts).map(([name, text]) => [name, this.#statement(text)]);
    return Object.fromEntries(made) as Statements<All>;
  }

  pragma(text: string): void {
    this.#do(() => this.#database.exec(`pragma ${text}`));
  }

  transaction(work: () => void): void {
    this.#transaction.begin.run();
    try {
      work();
      this.#transaction.commit.run();
    } catch (error) {
      this.#do(() => rollBack(this.#database));
      throw error;
    }
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

  #statement(text: string) {
    let prepared: PreparedStatement | null = null;
    const use = <T>(work: (statement: PreparedStatement) => T): T =>
      this.#do(() => {
        prepared ??= new PreparedStatement(this.#database, text);
        return work(prepared);
      });
    return {
      run: (values: Values = {}) => {
        if (this.#wal.damage !== null) throw this.#wal.damage;
        return use((statement) => statement.run(values));
      },
      one: (values: Values = {}) => use((statement) => statement.one(values)),
      all: (values: Values = {}) => use((statement) => statement.all(values)),
    };
  }

  #do<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(this.#file, error);
    }
  }
}

const transactionStatements = {
  /** `immediate`: the lock is taken before the head is read, or two processes could follow the same head. */
  begin: `begin immediate`,
  commit: `commit`,
} as const;

/** The log is folded by the last connection of a process that closes: this one never does. */
export function leaveFileUnfolded(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  database.prepare("select count(*) from sqlite_schema").get(); // it takes part in the log once it has read
  leaveOpen(database);
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
