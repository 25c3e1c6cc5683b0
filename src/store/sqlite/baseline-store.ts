import type { Baseline, BaselineSet, BaselineStore } from "../../operations/drift/port/baseline-store.ts";
import { baselineStatements } from "../sql/drift.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteBaselineStore implements BaselineStore {
  readonly changes: ChangeWriters<BaselineSet> = {
    baseline_set: ({ row }) => this.#sql.set.run(row),
  };
  readonly #sql: Statements<typeof baselineStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(baselineStatements);
  }

  async list(): Promise<Baseline[]> {
    return this.#sql.list.all<Baseline>();
  }

  async find(name: string): Promise<Baseline | null> {
    return this.#sql.find.one<Baseline>({ name });
  }
}
