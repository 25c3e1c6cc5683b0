import type {
  CheckedRun,
  DriftMark,
  DriftMarkStore,
  RunsChecked,
} from "../../operations/drift/port/drift-mark-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteDriftMarkStore implements DriftMarkStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async find({ kind, run_id }: CheckedRun): Promise<DriftMark | null> {
    const row = this.#file.one<MarkRow>("find-drift-mark", kind, run_id);
    return row === null ? null : { ...row, is_drift: row.is_drift === 1 };
  }

  /** Part of a transaction that is under way, as `apply` is. */
  forget(kind: CheckedRun["kind"], runId: string): void {
    this.#file.run("forget-drift-mark", kind, runId);
  }

  apply({ marks }: RunsChecked): void {
    for (const { kind, run_id, check_id, checked_at, is_drift, message } of marks)
      this.#file.run("set-drift-mark", kind, run_id, check_id, checked_at, Number(is_drift), message);
  }
}

type MarkRow = Omit<DriftMark, "is_drift"> & { readonly is_drift: number };
