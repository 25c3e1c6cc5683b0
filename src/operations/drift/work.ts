import { createHash } from "node:crypto";
import { SwarmError } from "../../base/errors.ts";
import { compareDatasets } from "./compare.ts";
import { reportPage } from "./report/page.ts";
import type { DriftResult, FeatureResult, Finding, SideData } from "./result.ts";
import type { DriftSettings } from "./settings.ts";
import { Dataset, type DatasetOptions } from "./summary/dataset.ts";
import { keptBytes, readKept } from "./summary/kept.ts";
import { type DataFile, type Summary, summarise } from "./summary/summarise.ts";

/** Data to read. */
export interface FilesOrder {
  readonly source: string;
  readonly files: readonly DataFile[];
}

export interface CheckOrder {
  readonly kind: "check";
  readonly about: Pick<DriftResult, "check_id" | "name" | "time" | "cwd">;
  readonly settings: DriftSettings;
  readonly baseline: FilesOrder | { readonly source: string; readonly path: string; readonly digest: string };
  readonly window: FilesOrder;
  readonly period: DatasetOptions["period"];
}

export interface SummaryOrder {
  readonly kind: "summarise";
  readonly data: FilesOrder;
  readonly options: Pick<DatasetOptions, "features" | "ignore" | "categorical">;
}

export type Order = CheckOrder | SummaryOrder;

export interface CheckDone {
  readonly result: DriftResult;
  readonly page: string;
}

export interface SummaryDone {
  readonly side: SideData;
  readonly features: number;
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** Compares, and makes the report. */
export async function check(order: CheckOrder): Promise<CheckDone> {
  const { about, period } = order;
  const kept = "digest" in order.baseline ? await readKept(order.baseline.path, order.baseline.digest) : null;
  const settings = kept === null ? order.settings : withOptions(order.settings, kept.options);
  const { timestampField, features, ignore, categorical } = settings;
  const options = { features, ignore, categorical, timestampField };
  const window = await summarise(order.window.source, order.window.files, { ...options, period });
  // The field with the time is none of the data, also where it was found by looking.
  const plain = { ...options, timestampField: window.dataset.timestampField, period: null };
  const baseline: Summary =
    kept === null
      ? await summarise(order.baseline.source, (order.baseline as FilesOrder).files, plain)
      : { side: { ...kept.side, source: order.baseline.source }, dataset: Dataset.from(kept.dataset, plain) };
  for (const { side } of [baseline, window]) checkEnough(side, settings.minRows);
  const results = compareDatasets(baseline.dataset, window.dataset, settings);
  const result = resultOf(about, settings, baseline.side, window.side, results);
  return { result, page: reportPage(result) };
}

/** What was left out of a baseline when it was set is nothing to be new in the window. */
function withOptions(settings: DriftSettings, kept: SummaryOrder["options"]): DriftSettings {
  return {
    ...settings,
    features: settings.features.length > 0 ? settings.features : kept.features,
    ignore: [...settings.ignore, ...kept.ignore],
    categorical: [...settings.categorical, ...kept.categorical],
  };
}

/** Summarises data to be compared with later. */
export async function summariseData({ data, options }: SummaryOrder): Promise<SummaryDone> {
  const summary = await summarise(data.source, data.files, {
    ...options,
    timestampField: null,
    period: null,
  });
  checkEnough(summary.side, 1);
  const bytes = keptBytes(summary, options);
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { side: summary.side, features: summary.dataset.features.size, bytes, digest };
}

/** A window without data is a fault somewhere before it, and no good news. */
function checkEnough({ source, rows, outside, undated }: SideData, minRows: number): void {
  if (rows >= minRows) return;
  const others = [
    outside > 0 ? `${outside} are not of the last hours that count` : "",
    undated > 0
      ? `${undated} have no time that can be read: say which field has it with timestamp_field`
      : "",
  ].filter((words) => words !== "");
  const found = [`it has ${rows} records, expected ${minRows} at least`, ...others].join("; ");
  throw new SwarmError("SWARM_DRIFT_DATA_INVALID", { file: source, problem: found });
}

const shownFindings = 5;

function resultOf(
  about: CheckOrder["about"],
  { windowHours }: DriftSettings,
  baseline: SideData,
  window: SideData,
  features: readonly FeatureResult[],
): DriftResult {
  const findings = features.flatMap((feature) => feature.findings);
  return {
    version: 1,
    ...about,
    baseline,
    window,
    window_hours: windowHours,
    is_drift: findings.length > 0,
    message: messageOf(findings, features.length),
    findings,
    features,
  };
}

function messageOf(findings: readonly Finding[], features: number): string {
  if (findings.length === 0) return `no drift: ${features} features within their thresholds`;
  const shown = findings.slice(0, shownFindings).map(({ message }) => message);
  const more = findings.length > shownFindings ? [`${findings.length - shownFindings} more`] : [];
  return `drift: ${[...shown, ...more].join("; ")}`;
}
