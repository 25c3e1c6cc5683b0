import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SwarmError } from "../../base/errors.ts";
import { migrations } from "./migrations.ts";
import { isBusy, storeError } from "./store-error.ts";

const busyMs = 5_000;
const retryMs = 5;

/** Opens the file, making it if need be, and brings its tables up to date. */
export function openDatabase(file: string, all: readonly string[] = migrations): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    makeFile(file);
    const database = new DatabaseSync(file);
    try {
      prepare(database);
      migrate(database, file, all);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    throw storeError(file, error);
  }
}

/**
 * SQLite gives its side files the mode of this one. Only a file that was not there is opened: closing a descriptor of
 * one that was would drop the locks of whoever in this process has the database open, and the next process to close
 * it could delete the log under them.
 */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * WAL: a commit is one write to the log, 27 µs, and readers never wait. NORMAL: the log is fsynced when it is
 * folded into the file; `SqliteStore.sync` does it sooner. Another process may hold the file for 5 s.
 */
function prepare(database: DatabaseSync): void {
  database.exec(`pragma busy_timeout = ${busyMs}`);
  useLog(database);
  database.exec("pragma synchronous = normal");
  database.exec("pragma foreign_keys = on");
  database.exec("pragma trusted_schema = off");
  // Folding the log into the file fsyncs twice on this thread: every 32 MiB, not every 4, saves 25 µs a row.
  database.exec("pragma wal_autocheckpoint = 8000");
}

/** Of processes that make a new file ready at once SQLite lets one go on and does not wait for it: we do. */
function useLog(database: DatabaseSync): void {
  for (const untilMs = performance.now() + busyMs; ; ) {
    try {
      const { journal_mode: mode } = database.prepare("pragma journal_mode = wal").get() ?? {};
      if (mode === "wal") return;
      throw new Error(`its folder cannot hold a write-ahead log, the journal is ${String(mode)}`);
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
}

/** Two processes may come at once: the number is read again under the lock. */
function migrate(database: DatabaseSync, file: string, all: readonly string[]): void {
  const newest = all.length;
  if (versionOf(database) === newest) return;
  database.exec("begin immediate");
  try {
    const version = versionOf(database);
    if (version > newest) throw new SwarmError("SWARM_STORE_NEWER", { location: file, version, newest });
    for (const migration of all.slice(version)) database.exec(migration);
    database.exec(`pragma user_version = ${newest}`);
    database.exec("commit");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** SQLite has done it by itself after some errors, a full disk among them. `isTransaction` would tell, from Node 22.16 on. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec("rollback");
  } catch (error) {
    if (!/no transaction is active/.test((error as Error).message)) throw error;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("pragma user_version").get()?.user_version);
}
