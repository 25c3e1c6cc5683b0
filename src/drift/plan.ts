import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SwarmError } from "../base/errors.ts";
import { oneLine } from "../base/show.ts";
import type { Baseline } from "../ports/baseline-store.ts";
import { dataSince, type RunData, runData } from "./runs.ts";
import { type DriftSettings, isPath, type Thresholds } from "./settings.ts";
import { summaryFile } from "./summary/kept.ts";
import type { CheckOrder, FilesOrder } from "./work.ts";

export interface Place {
  readonly home: string;
  /** Where paths begin. */
  readonly cwd: string;
  readonly nowMs: number;
  /** The baseline of the name that is asked for, if there is one. */
  readonly kept: Baseline | null;
}

/** What a check would do, for whoever wants to see it first. */
export interface Plan {
  readonly baseline: { readonly source: string; readonly files: readonly string[] };
  readonly window: { readonly source: string; readonly files: readonly string[] };
  /** Only records of this time; null: all. */
  readonly period: {
    readonly from: string;
    readonly until: string;
    readonly timestamp_field: string | null;
  } | null;
  readonly thresholds: Thresholds;
  readonly feature_thresholds: Readonly<Record<string, Partial<Thresholds>>>;
  readonly min_rows: number;
  /** The same in words. */
  readonly lines: readonly string[];
}

export interface ToCompare {
  readonly settings: DriftSettings;
  readonly orders: Pick<CheckOrder, "baseline" | "window" | "period">;
  readonly plan: Plan;
}

const hourMs = 3_600_000;

/** Finds out what is compared with what. Runs and files must be there; nothing of them is read. */
export function planCheck(settings: DriftSettings, place: Place): ToCompare {
  const { home, cwd, nowMs, kept } = place;
  const { windowHours } = settings;
  const fromMs = windowHours === null ? null : nowMs - windowHours * hourMs;
  const baseline =
    kept === null
      ? sourceOf(settings.baseline, settings.baselineOutput, home, cwd)
      : { source: keptWords(kept), files: [], run: null };
  const window =
    settings.window === null
      ? runsSince(settings, place, baseline.run, fromMs ?? 0)
      : sourceOf(settings.window, settings.windowOutput, home, cwd);
  // Runs of the last hours were chosen by when they ended; their records need no time of their own.
  const isByRecord = fromMs !== null && (settings.window !== null || settings.timestampField !== null);
  const period = isByRecord ? { fromMs, untilMs: nowMs } : null;
  const orders = {
    baseline:
      kept === null
        ? { source: baseline.source, files: baseline.files }
        : {
            source: baseline.source,
            path: summaryFile(home, kept.summary_digest),
            digest: kept.summary_digest,
          },
    window: { source: window.source, files: window.files },
    period,
  };
  const paths = ({ source, files }: FilesOrder) => ({ source, files: files.map(({ path }) => path) });
  const plan = {
    baseline: paths(baseline),
    window: paths(window),
    period:
      period === null
        ? null
        : { from: iso(period.fromMs), until: iso(period.untilMs), timestamp_field: settings.timestampField },
    thresholds: settings.thresholds,
    feature_thresholds: Object.fromEntries(settings.featureThresholds),
    min_rows: settings.minRows,
  };
  return { settings, orders, plan: { ...plan, lines: linesOf(plan) } };
}

function linesOf({ baseline, window, period, thresholds, min_rows }: Omit<Plan, "lines">): string[] {
  const files = (side: Plan["window"]) =>
    side.files.filter((file) => file !== side.source).map((file) => `          ${oneLine(file)}`);
  const field = period?.timestamp_field ?? "the first usual field that is there";
  const records = period === null ? "all" : `from ${period.from} until ${period.until}, by ${oneLine(field)}`;
  const limits = Object.entries(thresholds).map(([check, limit]) => `${check} ${limit}`);
  return [
    `baseline  ${oneLine(baseline.source)}`,
    ...files(baseline),
    `window    ${oneLine(window.source)}`,
    ...files(window),
    `records   ${records}; ${min_rows} on each side at least`,
    `alerts    ${limits.join(", ")}`,
  ];
}

/** A file by its path, or the data of a run. */
export function sourceOf(
  written: string,
  output: string | null,
  home: string,
  cwd: string,
): FilesOrder & { readonly run: RunData | null } {
  if (isPath(written)) {
    const path = resolve(cwd, written);
    if (!existsSync(path))
      throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", {
        source: written,
        problem: `there is no file ${path}`,
      });
    return { source: path, files: [{ path, isBatch: false }], run: null };
  }
  const run = runData(home, written, output);
  return { source: runWords(run), files: [fileOf(run)], run };
}

/** Without a window: what runs of the same work as the baseline have made in the last hours. */
function runsSince(
  { windowHours, windowOutput, baseline, baselineOutput }: DriftSettings,
  { home, kept }: Place,
  run: RunData | null,
  fromMs: number,
) {
  const of =
    run ?? (kept !== null && !isPath(kept.source) ? runData(home, kept.source, baselineOutput) : null);
  if (of === null) {
    const problem =
      "it is no run whose later runs could be looked at; say with window what to compare with it";
    throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: baseline, problem });
  }
  const runs = dataSince(home, of, fromMs, windowOutput);
  if (runs.length === 0) {
    const problem = `no other ${of.kind} run${of.label === null ? "" : ` of ${of.label}`} has ended in the last ${windowHours} h`;
    throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: baseline, problem });
  }
  const named = runs.slice(-3).map(({ run_id }) => run_id);
  const source = `${runs.length} ${of.kind} run${runs.length === 1 ? "" : "s"} of the last ${windowHours} h (${runs.length > 3 ? "… " : ""}${named.join(", ")})`;
  return { source, files: runs.map(fileOf), run: null };
}

function fileOf({ file, kind }: RunData) {
  return { path: file, isBatch: kind === "batch" };
}

function runWords({ kind, run_id }: RunData): string {
  return `${kind} run ${run_id}`;
}

function keptWords({ name, source, set_at }: Baseline): string {
  return `baseline ${name} (${source}, set ${set_at})`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
