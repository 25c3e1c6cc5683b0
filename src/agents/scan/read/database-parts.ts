import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { type Json, parsed, type Reading } from "../transcripts/reader.ts";

/** Parts of messages in OpenCode's database that may be tool calls, with the session they belong to. */
const parts = `
  select part.data, part.session_id as sessionID, part.time_created as created,
         session.directory, session.parent_id as parent
  from part left join session on session.id = part.session_id
  where length(cast(part.data as blob)) <= ? and instr(part.data, '"tool"') > 0`;
const tooLongParts = "select count(*) as count from part where length(cast(data as blob)) > ?";

/** One row after the other: neither the database nor a part of it is in memory as a whole. */
export function* databaseParts(file: string, maxBytes: number, reading: Reading): Generator<Json> {
  const database = openUnchanged(file);
  try {
    database.exec("pragma trusted_schema = off");
    const { count } = database.prepare(tooLongParts).get(maxBytes) ?? {};
    for (let left = Number(count); left > 0; left--) reading.onTooLong();
    for (const { data, ...row } of database.prepare(parts).iterate(maxBytes)) {
      for (const part of parsed(String(data), reading)) yield { ...part, ...row };
    }
    reading.onRead(statSync(file).size);
  } finally {
    database.close();
  }
}

/**
 * To read only, and without leaving anything beside it: a database in use has a log that has to be read with it, and one
 * that is not gets none if SQLite is told that nobody changes it. Before 22.15 Node knows no such addresses.
 */
function openUnchanged(file: string): DatabaseSync {
  if (!existsSync(`${file}-wal`)) {
    try {
      return new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true });
    } catch {
      // as if it were in use
    }
  }
  return new DatabaseSync(file, { readOnly: true });
}
