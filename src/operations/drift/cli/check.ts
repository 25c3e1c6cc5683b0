import { parseJson } from "../../../base/parse-json.ts";
import { oneLine } from "../../../base/show.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, type CommandInput, type Output, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

type Check = ResultOf<"checkDrift">;

const name = "drift check";

/** Options of the command line, and what of the configuration each stands for. */
const texts = {
  baseline: "baseline",
  window: "window",
  "timestamp-field": "timestamp_field",
  "baseline-output": "baseline_output",
  "window-output": "window_output",
} as const;
const numbers = {
  "window-hours": "window_hours",
  threshold: "alert_threshold",
  "psi-threshold": "psi_threshold",
  "min-rows": "min_rows",
} as const;
const lists = { features: "features", ignore: "ignore", categorical: "categorical" } as const;

export const driftCheckCommand: Command = {
  summary: "compare data with a baseline; exit 65 when something is over its threshold",
  positionals: [],
  options: {
    baseline: "SOURCE  a name of swarm baselines, a JSONL or CSV file, or a run's id",
    window: "SOURCE  a file or a run's id; default the runs of the last 24 hours",
    "window-hours": "HOURS  only records of the last so many hours",
    "timestamp-field": "FIELD  with a record's time; default the first usual name that is there",
    threshold: "NUMBER  KS statistic over which there is an alert; default 0.15",
    "psi-threshold": "NUMBER  the same for PSI; default 0.2",
    features: "A,B  only these fields, as dotted paths",
    ignore: "A,B  fields that are not looked at",
    categorical: "A,B  fields whose numbers are names",
    "min-rows": "N  fewer records cannot be compared; default 10",
    "baseline-output": "STEP|FILE  of a pipeline run: what holds the data",
    "window-output": "STEP|FILE  the same for the window",
    config: "JSON  all of it as a drift_check job has it; the options above come on top",
    name: "NAME  of the alert; default drift",
  },
  flags: { "dry-run": { doc: "show what would be compared, and read nothing of it" } },
  examples: [
    "swarm drift check --baseline march.jsonl --window april.csv.gz",
    "swarm drift check --baseline fraud-3 --window today.jsonl --window-hours 24 --timestamp-field at",
    'swarm drift check --baseline abc123 --config \'{"thresholds": {"amount": {"ks": 0.1}}}\' --json',
    "swarm drift check --baseline abc123 --window-hours 24 --dry-run",
  ],
  async run({ options, flags, isJson }): Promise<Output> {
    const config = configOf(options);
    const cwd = process.cwd();
    if (flags.has("dry-run")) {
      const plan = await withClient((client) => client.call("planDrift", { body: { config, cwd } }));
      return isJson
        ? json(plan)
        : `${plan.lines.map((line) => oneLine(line)).join("\n")}\nnothing was read\n`;
    }
    const body = { config, cwd, ...(options.name !== undefined && { name: options.name }) };
    const check = await withClient((client) => client.call("checkDrift", { body }));
    return { text: isJson ? json(check) : checkText(check), exitCode: check.is_drift ? 65 : 0 };
  },
};

/** A result as a person reads it: what is wrong first. */
export function checkText({ baseline, window, features, message, is_drift, report_path }: Check): string {
  const rows = features.map(({ feature, kind, ks, psi, chi2, missing_change, findings }) => [
    findings.length > 0 ? { text: "DRIFT", format: "red" as const } : "ok",
    feature,
    kind,
    ks === null ? "-" : digits(ks.statistic),
    psi === null ? "-" : digits(psi),
    ks === null && chi2 === null ? "-" : digits(ks?.p_value ?? chi2?.p_value ?? 0),
    digits(missing_change),
    findings.map((finding) => finding.message).join("; "),
  ]);
  const head = ["", "FEATURE", "KIND", "KS", "PSI", "P", "MISSING±", "FINDING"];
  return [
    `baseline  ${baseline.rows} records of ${oneLine(baseline.source)}`,
    `window    ${window.rows} records of ${oneLine(window.source)}${leftOut(window)}`,
    table(head, rows).trimEnd(),
    style(is_drift ? "red" : "green", message),
    `report    ${oneLine(report_path)}`,
    "",
  ].join("\n");
}

function leftOut({ outside, undated, unread }: Check["window"]): string {
  const counts = [
    [outside, "of another time"],
    [undated, "without a time"],
    [unread, "not readable"],
  ] as const;
  const words = counts.filter(([count]) => count > 0).map(([count, about]) => `${count} ${about}`);
  return words.length === 0 ? "" : `; left out: ${words.join(", ")}`;
}

function configOf(options: CommandInput["options"]): JsonObject {
  const config: Record<string, unknown> = { ...parsed(options.config) };
  for (const [option, key] of Object.entries(texts))
    if (options[option] !== undefined) config[key] = options[option];
  for (const [option, key] of Object.entries(numbers)) {
    const written = options[option];
    if (written === undefined) continue;
    if (!/^\d+(\.\d+)?$/.test(written))
      throw usage(name, `--${option} is ${JSON.stringify(written)}, expected a number`);
    config[key] = Number(written);
  }
  for (const [option, key] of Object.entries(lists)) {
    const written = options[option];
    if (written !== undefined) config[key] = listed(written);
  }
  return config;
}

export function listed(written: string): string[] {
  return written.split(",").flatMap((item) => item.trim() || []);
}

function parsed(written: string | undefined): JsonObject {
  if (written === undefined) return {};
  try {
    const value: unknown = parseJson(written);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (error) {
    throw usage(name, `--config is not JSON: ${(error as Error).message}`);
  }
  throw usage(name, "--config is no JSON object");
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
