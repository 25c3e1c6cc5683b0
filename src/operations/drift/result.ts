import type { ThresholdName, Thresholds } from "./settings.ts";

/** One thing that is not as it was. */
export interface Finding {
  readonly feature: string;
  readonly check: ThresholdName | "schema";
  /** What was measured, and what was allowed; null where there is nothing to measure. */
  readonly value: number | null;
  readonly threshold: number | null;
  /** On one line: `amount KS 0.31 over 0.15`. */
  readonly message: string;
}

/** A side of one feature. */
export interface SideResult {
  readonly type: string | null;
  readonly present: number;
  readonly missing_rate: number;
  /** Of numbers. */
  readonly mean: number | null;
  readonly quantiles: readonly number[] | null;
  /** Of categories; null where there were too many. */
  readonly categories: number | null;
}

export const quantileShares = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1] as const;

/** Shares to draw: of each bin, or of each category. */
export type Plot =
  | {
      readonly kind: "numeric";
      readonly edges: readonly number[];
      readonly baseline: readonly number[];
      readonly window: readonly number[];
    }
  | {
      readonly kind: "categorical";
      readonly labels: readonly string[];
      readonly baseline: readonly number[];
      readonly window: readonly number[];
      /** What is not drawn. */
      readonly others: readonly [baseline: number, window: number];
    };

export interface FeatureResult {
  readonly feature: string;
  readonly kind: "numeric" | "categorical" | "other";
  readonly baseline: SideResult;
  readonly window: SideResult;
  readonly ks: {
    readonly statistic: number;
    readonly p_value: number;
    readonly at: number;
    /** The statistic is off by at most this; 0: it is exact. */
    readonly error_bound: number;
  } | null;
  readonly psi: number | null;
  readonly chi2: {
    readonly statistic: number;
    readonly p_value: number;
    readonly degrees_of_freedom: number;
  } | null;
  readonly missing_change: number;
  readonly new_categories: { readonly share: number; readonly names: readonly string[] } | null;
  readonly schema_change: string | null;
  /** Why it was not compared; null: it was. */
  readonly not_compared: string | null;
  /** Those that held for it. */
  readonly thresholds: Thresholds;
  readonly findings: readonly Finding[];
  readonly plot: Plot | null;
}

export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface SideData {
  /** As it was asked for, in words. */
  readonly source: string;
  readonly files: readonly SourceFile[];
  readonly rows: number;
  /** Records that were left out: outside the period, without a time, not readable. */
  readonly outside: number;
  readonly undated: number;
  readonly unread: number;
  /** Values of fields over the most that are looked at. */
  readonly omitted: number;
}

export interface DriftResult {
  readonly version: 1;
  readonly check_id: string;
  readonly name: string;
  readonly time: string;
  readonly cwd: string;
  readonly baseline: SideData;
  readonly window: SideData;
  readonly window_hours: number | null;
  readonly is_drift: boolean;
  /** On one line. */
  readonly message: string;
  readonly findings: readonly Finding[];
  /** Those with findings first. */
  readonly features: readonly FeatureResult[];
}
