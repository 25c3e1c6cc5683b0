import type { ProcessIdentity } from "../../../base/process-identity.ts";
import type { BatchProgress, BatchRun, BatchState, StoredBatchRun } from "./batch-run.ts";
import type { Page } from "../../../store/port/store.ts";

/** A new run. One whose id is there already is SWARM_BATCH_RUN_TAKEN. */
export interface BatchRunAdded {
  readonly kind: "batch_run_added";
  readonly run: BatchRun;
}

/** A leg whose effect begins. The run must be as it was found: after this leg, in this state; else SWARM_BATCH_RUN_LOST. */
export interface BatchRunBegun {
  readonly kind: "batch_run_begun";
  readonly run_id: string;
  readonly after_leg: number;
  readonly from: BatchState;
  readonly owner: ProcessIdentity;
  readonly intent_id: string;
  readonly started_at: string;
}

/** A run that waits before its next leg. It must be as it was found; else SWARM_BATCH_RUN_LOST. */
export interface BatchRunWaits {
  readonly kind: "batch_run_waits";
  readonly run_id: string;
  readonly after_leg: number;
  readonly from: BatchState;
  readonly owner: ProcessIdentity;
  readonly reason: string;
}

/** How far a leg has come. One that is over, or another's by now, is SWARM_BATCH_RUN_LOST. */
export interface BatchRunProgressed {
  readonly kind: "batch_run_progressed";
  readonly run_id: string;
  readonly leg: number;
  readonly progress: BatchProgress;
}

/** The end of a leg, or of a run that waits. One that is over, or another's by now, is SWARM_BATCH_RUN_LOST. */
export interface BatchRunEnded {
  readonly kind: "batch_run_ended";
  readonly run_id: string;
  readonly leg: number;
  readonly owner: ProcessIdentity;
  readonly state: BatchState;
  readonly reason: string | null;
  readonly ended_at: string;
  readonly progress: BatchProgress;
}

/** A run that is over and forgotten. One that is under way is SWARM_BATCH_RUN_LOST. */
export interface BatchRunRemoved {
  readonly kind: "batch_run_removed";
  readonly run_id: string;
}

export type BatchChange =
  | BatchRunAdded
  | BatchRunWaits
  | BatchRunBegun
  | BatchRunProgressed
  | BatchRunEnded
  | BatchRunRemoved;

export interface BatchQuery extends Page {
  readonly state?: BatchState | undefined;
}

/**
 * Batch runs, and who does them; their records and results are files. One suite (`batch-store.cases.ts`) holds for every
 * driver. Each method is one transaction, and any number of processes may call them at once.
 */
export interface BatchStore {
  /** Newest first. */
  list(query: BatchQuery): Promise<StoredBatchRun[]>;
  find(runId: string): Promise<StoredBatchRun | null>;
  /** Running or waiting, whoever follows them, oldest first. */
  open(): Promise<StoredBatchRun[]>;
  /** Which process does a leg. False: the leg is over. */
  setRunner(runId: string, leg: number, runner: ProcessIdentity): Promise<boolean>;
  /** A waiting run of a process that is gone. False: another has it. */
  takeOver(runId: string, from: ProcessIdentity, to: ProcessIdentity): Promise<boolean>;
}
