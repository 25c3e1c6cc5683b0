import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "../../base/file-lock.ts";
import { replaceFile } from "../../base/replace-file.ts";
import { OutputLog } from "../../base/output-log.ts";
import { RunMembers } from "../../handlers/process/run-members.ts";

/** The variable all programs of a run have: what is left of a run whose process died is found by it. */
export const runVariable = "SWARM_PIPELINE_RUN";

/** Folders this process has locked. */
const held = new Set<string>();

/** A run's files: `run.json`, a log for each time a step was at work, and the lock of whoever runs it. */
export class RunFolder {
  readonly path: string;
  readonly #runId: string;
  #lock: { release(): void } | null = null;

  constructor(home: string, runId: string) {
    this.path = join(home, "pipelines", runId);
    this.#runId = runId;
  }

  /** The lock goes with the process that holds it, however that ends. False: another has it. */
  take(): boolean {
    // Closing a file gives up every lock this process has on it: one that is held here is not to be opened again.
    if (held.has(this.path)) return false;
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    this.#lock = lockFile(join(this.path, "lock"), 0);
    if (this.#lock !== null) held.add(this.path);
    return this.#lock !== null;
  }

  release(): void {
    if (this.#lock === null) return;
    this.#lock.release();
    this.#lock = null;
    held.delete(this.path);
  }

  /** Programs that outlived whoever started them would write the same files as those of the next run. */
  endLeftOvers(): void {
    if (process.env[runVariable] === this.#runId) return; // one of them: whoever a step has started is not to end itself
    new RunMembers(-1, `${runVariable}=${this.#runId}`, Number.NEGATIVE_INFINITY).kill();
  }

  /** A mebibyte at most. Each time a step is at work has its own. */
  openLog(step: string): { readonly log: OutputLog; readonly path: string } {
    for (let count = 1; ; count++) {
      const path = join(this.path, count === 1 ? `${step}.log` : `${step}.${count}.log`);
      if (!existsSync(path)) return { log: new OutputLog(path), path };
    }
  }

  /** Whole or as it was before: written beside and renamed. */
  writeRun(run: object): void {
    replaceFile(join(this.path, "run.json"), `${JSON.stringify(run, null, 2)}\n`, { isFlushed: true });
  }
}
