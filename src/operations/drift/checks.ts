import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readBoundedFile } from "../../base/bounded-file.ts";
import { SwarmError } from "../../base/errors.ts";
import { idPattern } from "../../base/ids.ts";
import type { DriftResult } from "./result.ts";

export interface CheckSummary {
  readonly check_id: string;
  readonly name: string;
  readonly time: string;
  readonly is_drift: boolean;
  readonly message: string;
  readonly baseline: string;
  readonly window: string;
  readonly window_hours: number | null;
  readonly features: number;
  /** Features with something over its threshold. */
  readonly drifted: number;
  readonly report_path: string;
}

/** 256 features with their plots are less than a mebibyte. */
const maxResultBytes = 16 * 1024 * 1024;

/** The checks that were made: a folder each, with its result and its report. */
export class Checks {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  folderOf(checkId: string): string {
    return join(this.#folder, checkId);
  }

  reportOf(checkId: string): string {
    return join(this.folderOf(checkId), "report.html");
  }

  /** Newest first: ids have their time in them. */
  list(limit: number): CheckSummary[] {
    const found: CheckSummary[] = [];
    for (const id of this.#ids()) {
      if (found.length === limit) break;
      const result = this.#read(id);
      if (result === null) continue;
      found.push({ ...summaryOf(result), report_path: this.reportOf(id) });
    }
    return found;
  }

  /** Those that were made before then, the oldest first; one that never came to a result is as old as its folder. */
  olderThan(beforeMs: number): string[] {
    const made = this.#ids().map((id) => {
      const stats =
        statSync(join(this.folderOf(id), "result.json"), { throwIfNoEntry: false }) ??
        lstatSync(this.folderOf(id), { throwIfNoEntry: false });
      return { id, madeMs: stats?.mtimeMs ?? Number.POSITIVE_INFINITY };
    });
    const old = made.filter(({ madeMs }) => madeMs < beforeMs);
    return old.sort((a, b) => a.madeMs - b.madeMs).map(({ id }) => id);
  }

  find(checkId: string): DriftResult {
    const result = idPattern.test(checkId) ? this.#read(checkId) : null;
    if (result === null) throw new SwarmError("SWARM_DRIFT_CHECK_UNKNOWN", { check: checkId });
    return result;
  }

  #ids(): string[] {
    try {
      const ids = readdirSync(this.#folder).filter((id) => idPattern.test(id));
      return ids.sort((a, b) => (timePart(a) < timePart(b) ? 1 : -1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  /** Null: it never came to a result. */
  #read(id: string): DriftResult | null {
    try {
      const { bytes } = readBoundedFile(join(this.folderOf(id), "result.json"), maxResultBytes);
      return JSON.parse(bytes.toString()) as DriftResult;
    } catch {
      return null;
    }
  }
}

function summaryOf(result: DriftResult): Omit<CheckSummary, "report_path"> {
  const { check_id, name, time, is_drift, message, baseline, window, window_hours, features } = result;
  const drifted = features.filter(({ findings }) => findings.length > 0).length;
  const compared = { baseline: baseline.source, window: window.source, window_hours };
  return { check_id, name, time, is_drift, message, ...compared, features: features.length, drifted };
}

function timePart(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}
