import { cut, oneLine } from "../../base/show.ts";
import { plotCategories, plotNumbers } from "./plots.ts";
import { type FeatureResult, type Finding, quantileShares, type SideResult } from "./result.ts";
import type { DriftSettings, ThresholdName, Thresholds } from "./settings.ts";
import { chiSquareTest } from "./statistics/chi-square.ts";
import { ksTest } from "./statistics/ks.ts";
import { numericPsi, psi } from "./statistics/psi.ts";
import { quantile } from "./statistics/sketch.ts";
import { type Dataset, isAtOrBelow } from "./summary/dataset.ts";
import { Feature, maxCategories } from "./summary/feature.ts";

const shownNames = 20;
/** So many may each be there once by chance. */
const fewCategories = 50;
const shownChars = 80;

/** Every field of either side, compared; those with findings first. */
export function compareDatasets(
  baseline: Dataset,
  window: Dataset,
  settings: DriftSettings,
): FeatureResult[] {
  const all = new Set([...baseline.features.keys(), ...window.features.keys()]);
  const names = [...all].filter((name) => isWanted(name, window.timestampField, settings));
  const results = names.flatMap((name) => {
    const sides = [baseline, window].map((side) => side.features.get(name) ?? new Feature(name, false));
    const [before = null, now = null] = sides;
    // A field that never had a value, as an object that may be null, is nothing to compare.
    if (before === null || now === null || before.present + now.present === 0) return [];
    return [compareFeature(before, now, { baseline: baseline.rows, window: window.rows }, settings)];
  });
  return [...results.filter(hasFindings), ...results.filter((result) => !hasFindings(result))];
}

/** A baseline that was kept may know more fields than are asked for. */
function isWanted(name: string, timestampField: string | null, { features, ignore }: DriftSettings): boolean {
  const isOf = (path: string) => isAtOrBelow(name, path);
  return name !== timestampField && !ignore.some(isOf) && (features.length === 0 || features.some(isOf));
}

interface Rows {
  readonly baseline: number;
  readonly window: number;
}

function compareFeature(before: Feature, now: Feature, rows: Rows, settings: DriftSettings): FeatureResult {
  const feature = before.name;
  const thresholds = { ...settings.thresholds, ...settings.featureThresholds.get(feature) };
  const schema_change = schemaChange(before, now, thresholds.missing);
  const isChanged = before.type !== now.type;
  const numbers = isChanged || !isNumeric(before) ? null : compareNumbers(before, now);
  const categories = isChanged || isNumeric(before) ? null : compareCategories(before, now);
  const sides = { baseline: sideOf(before, rows.baseline), window: sideOf(now, rows.window) };
  const missing_change = sides.window.missing_rate - sides.baseline.missing_rate;
  const measured = {
    ks: numbers?.ks.statistic ?? null,
    psi: numbers?.psi ?? categories?.psi ?? null,
    chi2_p: categories?.chi2.p_value ?? null,
    missing: isChanged ? null : Math.abs(missing_change),
    new_categories: categories?.new_categories.share ?? null,
  };
  const schema = schemaFinding(feature, before, schema_change, settings);
  return {
    feature,
    kind: numbers !== null ? "numeric" : categories !== null ? "categorical" : "other",
    ...sides,
    ks: numbers?.ks ?? null,
    psi: measured.psi,
    chi2: categories?.chi2 ?? null,
    missing_change,
    new_categories: categories?.new_categories ?? null,
    schema_change,
    not_compared: isChanged || numbers !== null || categories !== null ? null : whyNot(before, now),
    thresholds,
    findings: [...schema, ...findingsOf(feature, measured, thresholds)],
    plot: numbers?.plot ?? categories?.plot ?? null,
  };
}

function compareNumbers(before: Feature, now: Feature) {
  const [a, b] = [before.sketch.weighted(), now.sketch.weighted()];
  if (a.count === 0 || b.count === 0) return null;
  const { statistic, pValue, at } = ksTest(a, b);
  const ks = { statistic, p_value: pValue, at, error_bound: a.errorBound + b.errorBound };
  return { ks, psi: numericPsi(a, b), plot: plotNumbers(a, b) };
}

function compareCategories(before: Feature, now: Feature) {
  const [a, b] = [before.categories, now.categories];
  if (a === null || b === null || a.size === 0 || b.size === 0) return null;
  if (hasNames(before) || hasNames(now)) return null;
  const names = [...new Set([...a.keys(), ...b.keys()])];
  const [counts, windowCounts] = [
    names.map((name) => a.get(name) ?? 0),
    names.map((name) => b.get(name) ?? 0),
  ];
  const { statistic, pValue, degreesOfFreedom } = chiSquareTest(counts, windowCounts);
  const [shares, windowShares] = [sharesOf(counts), sharesOf(windowCounts)];
  const added = names.filter((name) => !a.has(name));
  return {
    chi2: { statistic, p_value: pValue, degrees_of_freedom: degreesOfFreedom },
    psi: psi(shares, windowShares),
    new_categories: {
      share: sharesOf(windowCounts).reduce(
        (sum, share, at) => (a.has(names[at] ?? "") ? sum : sum + share),
        0,
      ),
      names: added.slice(0, shownNames).map((name) => cut(name, shownChars)),
    },
    plot: plotCategories(names, shares, windowShares),
  };
}

function sharesOf(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / total);
}

/** Numbers that were declared to be names are counted as categories. */
function isNumeric({ type, sketch }: Feature): boolean {
  return type === "number" && sketch.count > 0;
}

function schemaChange(before: Feature, now: Feature, allowed: number): string | null {
  if (before.type === now.type) return mixedTypes(before, now, allowed);
  if (before.type === null) return `new: ${now.type}`;
  if (now.type === null) return "gone: no record has a value";
  return `${before.type} became ${now.type}`;
}

/** Still mostly numbers, say, but fewer than there were. */
function mixedTypes(before: Feature, now: Feature, allowed: number): string | null {
  const type = before.type;
  if (type === null) return null;
  const [was, is] = [before, now].map(({ types, present }) => types[type] / present) as [number, number];
  return was - is > allowed ? `${type} in ${percent(is)} of its values, before in ${percent(was)}` : null;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}

/** A field nobody had counted on is told of, and no alert: what was there is as it was. */
function schemaFinding(
  feature: string,
  { type }: Feature,
  change: string | null,
  { alertsOnSchema }: DriftSettings,
): Finding[] {
  if (change === null || type === null || !alertsOnSchema) return [];
  return [{ feature, check: "schema", value: null, threshold: null, message: `${short(feature)} ${change}` }];
}

const words: Readonly<Record<ThresholdName, string>> = {
  ks: "KS",
  psi: "PSI",
  chi2_p: "χ² p-value",
  missing: "missing rate changed by",
  new_categories: "new categories",
};

function findingsOf(
  feature: string,
  measured: Readonly<Record<ThresholdName, number | null>>,
  thresholds: Thresholds,
): Finding[] {
  return (Object.keys(words) as ThresholdName[]).flatMap((check) => {
    const [value, threshold] = [measured[check], thresholds[check]];
    const isOver = value !== null && (check === "chi2_p" ? value < threshold : value > threshold);
    if (!isOver) return [];
    const side = check === "chi2_p" ? "under" : "over";
    const message = `${short(feature)} ${words[check]} ${shownNumber(value)} ${side} ${shownNumber(threshold)}`;
    return [{ feature, check, value, threshold, message }];
  });
}

function sideOf(feature: Feature, rows: number): SideResult {
  const { type, present, sketch, mean, categories } = feature;
  const numbers = sketch.count === 0 ? null : sketch.weighted();
  return {
    type,
    present,
    missing_rate: rows === 0 ? 0 : 1 - present / rows,
    mean: Number.isFinite(mean) ? mean : null,
    quantiles: numbers === null ? null : quantileShares.map((share) => quantile(numbers, share)),
    categories: categories?.size ?? null,
  };
}

/** Ids, times and texts: most values are there but once. */
function hasNames({ categories, present }: Feature): boolean {
  return categories !== null && categories.size > fewCategories && categories.size > present / 2;
}

function whyNot(before: Feature, now: Feature): string {
  if (before.categories === null || now.categories === null)
    return `more than ${maxCategories} categories: its missing rate and type are compared`;
  if (hasNames(before) || hasNames(now))
    return "most of its values are there only once: its missing rate and type are compared";
  if (before.type === "number")
    return "numbers on one side, categories on the other: set the baseline with the same categorical";
  return `${before.type} values have no distribution: missing rate and type are compared`;
}

/** Three digits: a threshold is not set finer. */
export function shownNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function short(name: string): string {
  return oneLine(name, shownChars);
}

function hasFindings({ findings }: FeatureResult): boolean {
  return findings.length > 0;
}
