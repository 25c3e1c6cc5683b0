import { mailStoreCases } from "../../swarm/mail/port/mail-store.cases.ts";
import { temporaryFile } from "./harness.cases.ts";
import { openSqliteStore } from "./sqlite-store.ts";

mailStoreCases("SQLite", (t) => {
  const file = temporaryFile(t);
  return async () => openSqliteStore(file);
});
