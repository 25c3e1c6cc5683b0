import { batchStoreCases } from "../../operations/batch/port/batch-store.cases.ts";
import { temporaryFile } from "./harness.cases.ts";
import { openSqliteStore } from "./sqlite-store.ts";

batchStoreCases("SQLite", (t) => {
  const file = temporaryFile(t);
  return async () => openSqliteStore(file);
});
