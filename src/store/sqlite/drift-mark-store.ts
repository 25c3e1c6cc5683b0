import type {
  CheckedRun,
  DriftMark,
  DriftMarkStore,
  RunsChecked,
} from "../../operations/drift/port/drift-mark-store.ts";
import { driftMarkStatements } from "../sql/drift.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteDriftMarkStore implements DriftMarkStore {
  readonly changes: ChangeWriters<RunsChecked> = {
    runs_checked: ({ marks }) => {
      for (const mark of marks) this.#sql.set.run(mark);
    },
  };
  readonly #sql: Statements<typeof driftMarkStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(driftMarkStatements);
  }

  async find({ kind, run_id }: CheckedRun): Promise<DriftMark | null> {
    const row = this.#sql.find.one<MarkRow>({ kind, run_id });
    return row === null ? null : { ...row, is_drift: row.is_drift === 1 };
  }

  /** Part of a transaction that is under way. */
  forget(kind: CheckedRun["kind"], runId: string): void {
    this.#sql.forget.run({ kind, run_id: runId });
  }
}

type MarkRow = Omit<DriftMark, "is_drift"> & { readonly is_drift: number };
