import { taskStoreCases } from "../../swarm/tasks/port/task-store.cases.ts";
import { temporaryFile } from "./harness.cases.ts";
import { openSqliteStore } from "./sqlite-store.ts";

taskStoreCases("SQLite", (t) => {
  const file = temporaryFile(t);
  return async () => openSqliteStore(file);
});
