import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { oneLine } from "../../base/show.ts";
import type { Baseline } from "./port/baseline-store.ts";
import { dataSince, type RunBook, type RunData, runData } from "./runs.ts";
import { type DriftSettings, isPath, type Thresholds } from "./settings.ts";
import { summaryFile } from "./summary/kept.ts";
import type { CheckOrder, FilesOrder } from "./work.ts";

export interface Place {
  readonly home: string;
  readonly book: () => Promise<RunBook>;
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
  /** Whose data the window is; none when it is a file. */
  readonly windowRuns: readonly RunData[];
}

const hourMs = 3_600_000;

/** Finds out what is compared with what. Runs and files must be there; nothing of them is read. */
export async function planCheck(settings: DriftSettings, place: Place): Promise<ToCompare> {
  const { home, book, cwd, nowMs, kept } = place;
  const { windowHours } = settings;
  const fromMs = windowHours === null ? null : nowMs - windowHours * hourMs;
  const baseline =
    kept === null
      ? await sourceOf(settings.baseline, settings.baselineOutput, book, cwd)
      : { source: keptWords(kept), files: [], runs: [] };
  const window =
    settings.window === null
      ? await runsSince(settings, place, baseline.runs, fromMs ?? 0)
      : await sourceOf(settings.window, settings.windowOutput, book, cwd);
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
  return { settings, orders, plan: { ...plan, lines: linesOf(plan) }, windowRuns: window.runs };
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

interface Source extends FilesOrder {
  readonly runs: readonly RunData[];
}

/** A file by its path, or the data of a run. */
export async function sourceOf(
  written: string,
  output: string | null,
  book: Place["book"],
  cwd: string,
): Promise<Source> {
  if (isPath(written)) {
    const path = resolve(cwd, written);
    if (!existsSync(path))
      throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", {
        source: written,
        problem: `there is no file ${path}`,
        suggestion: undefined,
      });
    return { source: path, files: [{ path, isBatch: false, sha256: null }], runs: [] };
  }
  const run = await runData(await book(), written, output);
  return { source: runWords(run), files: [run.file], runs: [run] };
}

/** Without a window: what runs of the same work as the baseline have made in the last hours. */
async function runsSince(
  { windowHours, windowOutput, baseline, baselineOutput }: DriftSettings,
  { book, kept }: Place,
  [run]: readonly RunData[],
  fromMs: number,
): Promise<Source> {
  const isOfRun = kept !== null && !isPath(kept.source);
  const of = run ?? (isOfRun ? await runData(await book(), kept.source, baselineOutput) : undefined);
  if (of === undefined) {
    const problem =
      "it is no run whose later runs could be looked at; say with window what to compare with it";
    throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: baseline, problem, suggestion: undefined });
  }
  const runs = await dataSince(await book(), of, fromMs, windowOutput);
  if (runs.length === 0) {
    const problem = `no other ${of.kind} run of ${of.label} has ended in the last ${windowHours} h`;
    throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: baseline, problem, suggestion: undefined });
  }
  const named = runs.slice(-3).map(({ run_id }) => run_id);
  const source = `${runs.length} ${of.kind} run${runs.length === 1 ? "" : "s"} of the last ${windowHours} h (${runs.length > 3 ? "… " : ""}${named.join(", ")})`;
  return { source, files: runs.map(({ file }) => file), runs };
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
