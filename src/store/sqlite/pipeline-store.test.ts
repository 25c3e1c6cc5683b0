import { pipelineStoreCases } from "../../operations/pipelines/port/pipeline-store.cases.ts";
import { temporaryFile } from "./harness.cases.ts";
import { openSqliteStore } from "./sqlite-store.ts";

pipelineStoreCases("SQLite", (t) => {
  const file = temporaryFile(t);
  return async () => openSqliteStore(file);
});
