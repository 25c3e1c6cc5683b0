/** A run whose data were compared with a baseline. */
export interface CheckedRun {
  readonly kind: "batch" | "pipeline";
  readonly run_id: string;
}

/** What the last drift check of a run's data came to. */
export interface DriftMark extends CheckedRun {
  readonly check_id: string;
  readonly checked_at: string;
  /** Something was over its threshold. */
  readonly is_drift: boolean;
  readonly message: string;
}

/** Each takes the place of the one its run had. */
export interface RunsChecked {
  readonly kind: "runs_checked";
  readonly marks: readonly DriftMark[];
}

/** What is to be seen of runs that were compared. One suite (`drift-mark-store.cases.ts`) holds for every driver. */
export interface DriftMarkStore {
  find(run: CheckedRun): Promise<DriftMark | null>;
}
