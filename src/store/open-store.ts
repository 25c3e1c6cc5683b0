import { dirname, join } from "node:path";
import { SwarmError } from "../base/errors.ts";
import { maskSecrets } from "../base/redact.ts";
import type { Journal } from "./port/journal.ts";
import type { Store } from "./port/store.ts";
import { JournalFile } from "./sqlite/journal-file.ts";
import { leaveFileUnfolded } from "./sqlite/sqlite-file.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";

/** The store that is kept there: `sqlite:PATH` or a path is a SQLite file, made if need be. `Store.url` opens the same again. */
export async function openStore(url: string): Promise<Store> {
  return openSqliteStore(pathOf(url));
}

/** Where this machine keeps what that store does not have yet. */
export function openJournal(url: string): Journal {
  return new JournalFile(join(dirname(pathOf(url)), "journal"));
}

/** After an fsync that failed in another thread: what the store has written is left as it is when that thread ends. */
export function leaveUnfolded(url: string): void {
  leaveFileUnfolded(pathOf(url));
}

function pathOf(url: string): string {
  // One letter before the colon would be a drive.
  const [scheme = null] = /^[a-z][a-z\d+.-]+(?=:)/i.exec(url) ?? [];
  const path = scheme === "sqlite" ? url.slice("sqlite:".length) : url;
  if ((scheme !== null && scheme !== "sqlite") || path === "")
    throw new SwarmError("SWARM_STORE_UNSUPPORTED", { url: maskSecrets(url) });
  return path;
}
