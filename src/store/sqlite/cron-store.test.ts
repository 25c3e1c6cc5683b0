import { cronStoreCases } from "../../operations/cron/port/cron-store.cases.ts";
import { temporaryFile } from "./harness.cases.ts";
import { openSqliteStore } from "./sqlite-store.ts";

cronStoreCases("SQLite", (t) => {
  const file = temporaryFile(t);
  return async () => openSqliteStore(file);
});
