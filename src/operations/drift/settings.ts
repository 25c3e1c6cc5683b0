import { idPattern } from "../../base/ids.ts";
import {
  type Fields,
  flag,
  integer,
  type JsonObject,
  number,
  object,
  text,
  texts,
} from "../../engine/events/schema.ts";

/** From where on a finding is an alert. */
export interface Thresholds {
  /** Widest gap between the distributions of a number. */
  readonly ks: number;
  readonly psi: number;
  /** A p-value of χ² below this; 0: never, as with many rows the least change is significant. */
  readonly chi2_p: number;
  /** Change of the share of records without a value. */
  readonly missing: number;
  /** Share of the window's values in categories the baseline does not have. */
  readonly new_categories: number;
}

export type ThresholdName = keyof Thresholds;

export const defaultThresholds: Thresholds = {
  ks: 0.15,
  psi: 0.2,
  chi2_p: 0,
  missing: 0.1,
  new_categories: 0.05,
};

/** A drift check, as its configuration says it and every default filled in. */
export interface DriftSettings {
  /** A name, a path or a run's id. */
  readonly baseline: string;
  readonly baselineOutput: string | null;
  /** Null: what was made since. */
  readonly window: string | null;
  readonly windowOutput: string | null;
  readonly windowHours: number | null;
  readonly timestampField: string | null;
  readonly features: readonly string[];
  readonly ignore: readonly string[];
  readonly categorical: readonly string[];
  readonly thresholds: Thresholds;
  readonly featureThresholds: ReadonlyMap<string, Partial<Thresholds>>;
  readonly alertsOnSchema: boolean;
  readonly minRows: number;
  /** For whoever handles the alert. */
  readonly about: { readonly model?: string; readonly version?: string; readonly alert_email?: string };
}

const line = (doc: string) => ({
  ...text(doc),
  pattern: /^[^\p{Cc}]{1,1024}$/u,
  expected: "a text of 1 to 1024 characters on one line",
});
const runId = (doc: string) => ({
  ...text(doc),
  pattern: idPattern,
  expected: "an id: letters, digits, _ and -, at most 64",
});
const share = (doc: string) => ({ ...number(doc), min: 0, max: 1 });

/** What `config` of a check may say. */
export const driftFields = {
  baseline: line("What to compare with: a name of `swarm baselines`, a path, or a run's id."),
  baseline_run_id: runId("The batch or pipeline run to compare with."),
  baseline_output: line(
    "Of a pipeline run: the step or file with the data; default its first .jsonl or .csv.",
  ),
  model: line("The model: its baseline has its name, or name-version."),
  version: line("Its version."),
  window: line("What to look at: a path or a run's id; default the runs of the last window_hours."),
  window_run_id: runId("The batch or pipeline run to look at."),
  window_output: line("As baseline_output."),
  window_hours: number("Only records of the last so many hours; default 24 where no window is given."),
  timestamp_field: line(
    "The field with a record's time; default the first of the usual names that is there.",
  ),
  features: texts("Only these fields, as dotted paths; default all."),
  ignore: texts("Fields that are not looked at, with all below them."),
  categorical: texts("Fields whose numbers are names."),
  alert_threshold: share("The KS statistic over which there is an alert, 0 to 1; default 0.15."),
  psi_threshold: { ...number("The same for PSI; default 0.2."), min: 0, max: 100 },
  missing_threshold: share("The same for a change of the share without a value, 0 to 1; default 0.1."),
  new_category_threshold: share("The same for the share of values in new categories, 0 to 1; default 0.05."),
  thresholds: object(
    "Thresholds per feature: { amount: { ks: 0.1, psi: 0.1, chi2_p: 0.001, missing: 0.02, new_categories: 0 } }.",
  ),
  schema_alerts: flag("Whether a field that is gone or has another type is an alert; default true."),
  min_rows: {
    ...integer("Fewer records on either side cannot be compared, and the check fails; default 10."),
    min: 1,
    max: 1e9,
  },
  alert_email: text("Who is told; handed on with the alert."),
} as const satisfies Fields;

const maxHours = 87_600;
const defaultHours = 24;
/** What is wrong with a configuration whose fields fit, by its option; null: nothing. */
export function driftProblem(
  config: JsonObject,
): { readonly option: string; readonly expected: string } | null {
  const wrong = (option: string, expected: string) => ({ option, expected });
  const baselines = ["baseline", "baseline_run_id", "model"].filter((key) => config[key] !== undefined);
  if (baselines.length === 0) return wrong("baseline", "baseline, baseline_run_id or model to be given");
  if (baselines.length > 1)
    return wrong(baselines[1] ?? "", `no more than one of ${baselines.join(" and ")}`);
  if (config.window !== undefined && config.window_run_id !== undefined)
    return wrong("window_run_id", "no more than one of window and window_run_id");
  if (
    config.window === undefined &&
    config.window_run_id === undefined &&
    isPath(String(config.baseline ?? ""))
  )
    return wrong("window", "window or window_run_id to be given, as the baseline is a file");
  const { window_hours: hours } = config;
  if (hours !== undefined && !isBetween(hours, 0, maxHours, true))
    return wrong("window_hours", `a number over 0 and up to ${maxHours}`);
  return thresholdsProblem(config.thresholds);
}

/** Of a configuration without problems. */
export function driftSettings(config: JsonObject): DriftSettings {
  const { model, version, alert_email } = config as Readonly<Record<string, string | undefined>>;
  const told = (key: string) => (config[key] as string | undefined) ?? null;
  const named = [model, version]
    .filter((part) => part !== undefined)
    .join("-")
    .replaceAll(/[^A-Za-z0-9_-]/g, "_");
  const window = told("window") ?? told("window_run_id");
  const { alert_threshold: ks, psi_threshold: psi, missing_threshold: missing } = config;
  const given = { ks, psi, missing, new_categories: config.new_category_threshold };
  const listed = (key: string) => (config[key] as readonly string[] | undefined) ?? [];
  return {
    baseline: told("baseline") ?? told("baseline_run_id") ?? named,
    baselineOutput: told("baseline_output"),
    window,
    windowOutput: told("window_output"),
    windowHours: (config.window_hours as number | undefined) ?? (window === null ? defaultHours : null),
    timestampField: told("timestamp_field"),
    features: listed("features"),
    ignore: listed("ignore"),
    categorical: listed("categorical"),
    thresholds: { ...defaultThresholds, ...withoutUndefined(given) },
    featureThresholds: new Map(
      Object.entries((config.thresholds ?? {}) as Record<string, Partial<Thresholds>>),
    ),
    alertsOnSchema: config.schema_alerts !== false,
    minRows: (config.min_rows as number | undefined) ?? 10,
    about: withoutUndefined({ model, version, alert_email }),
  };
}

/** A name has no slash and no ending of a data file. */
export function isPath(written: string): boolean {
  return written.includes("/") || /\.(jsonl|ndjson|csv|tsv)(\.gz)?$/i.test(written);
}

function thresholdsProblem(thresholds: unknown) {
  for (const [feature, given] of Object.entries((thresholds ?? {}) as JsonObject)) {
    const option = "thresholds";
    const names = Object.keys(defaultThresholds).join(", ");
    if (typeof given !== "object" || given === null || Array.isArray(given))
      return { option, expected: `of ${feature} an object with ${names}` };
    for (const [name, value] of Object.entries(given)) {
      if (!Object.hasOwn(defaultThresholds, name)) return { option, expected: `of ${feature} only ${names}` };
      if (!isBetween(value, 0, name === "psi" ? 100 : 1))
        return {
          option,
          expected: `${name} of ${feature} to be a number from 0 to ${name === "psi" ? 100 : 1}`,
        };
    }
  }
  return null;
}

function isBetween(value: unknown, low: number, high: number, isOver = false): boolean {
  return typeof value === "number" && (isOver ? value > low : value >= low) && value <= high;
}

function withoutUndefined<T extends object>(given: T): { [K in keyof T]?: never } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
