import { percent, pValue, shown } from "../../../src/operations/drift/report/words.ts";
import type { FeatureResult, SideData } from "../../../src/operations/drift/result.ts";
import type { ThresholdName } from "../../../src/operations/drift/settings.ts";
import { action } from "../action.ts";
import type { ResultOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { Loader, type Page, type Surroundings } from "../page.ts";
import { hashOf } from "../place.ts";
import { badge, code, digested, empty, facts, line, number, table, tableRow, time } from "../view.ts";

type Check = ResultOf<"showDriftCheck">;

const shownFiles = 20;

/** One check: every feature with what was measured and what is allowed, and the data that were compared. */
export function openDriftCheck({ api }: Surroundings, id: string): Page {
  const element = h("div");
  const loader = new Loader(element, async () => {
    const check = await api.call("showDriftCheck", { params: { id } });
    const report = () => api.save("getDriftReport", { params: { id } });
    return [
      h("p", {}, h("a", { href: hashOf("drift") }, "All checks")),
      h("h2", {}, line(check.name), " ", badge(check.is_drift ? "drift" : "no drift")),
      h("p", {}, line(check.message)),
      h("div", {}, action("Download the report", `of ${id}`, report)),
      factsOf(check),
      h("h3", {}, "Features"),
      featureTable(check.features),
      h("h3", {}, "Schema changes"),
      schemaOf(check.features),
      h("h3", {}, "Data"),
      sideTable(check),
    ];
  });
  return { title: "Drift check", element, close: () => loader.stop() };
}

function factsOf({ check_id, time: made, cwd, window_hours, findings, features }: Check): HTMLElement {
  return facts([
    ["Check", code(check_id)],
    ["Time", time(made)],
    ["Folder", line(cwd)],
    ["Records of", window_hours === null ? null : hours(window_hours)],
    ["Features", number(features.length)],
    ["Findings", number(findings.length)],
  ]);
}

export function hours(count: number): string {
  return `the last ${count} h`;
}

const featureColumns = ["Feature", "KS", "PSI", "χ² p-value", "Missing", "New categories", "Verdict"];

function featureTable(features: readonly FeatureResult[]): HTMLElement {
  if (features.length === 0) return empty("No feature was compared.", "The data have no fields in common.");
  const rows = features.map((result) => {
    const { feature, kind, ks, psi, chi2, new_categories, schema_change, not_compared, findings } = result;
    const bound = ks === null || ks.error_bound === 0 ? "" : ` ± ${shown(ks.error_bound)}`;
    return tableRow(featureColumns, [
      [h("strong", {}, line(feature)), h("div", { class: "quiet" }, kind)],
      measured(result, "ks", ks === null ? null : fixed(`${shown(ks.statistic)}${bound}`)),
      measured(result, "psi", psi === null ? null : fixed(shown(psi))),
      measured(result, "chi2_p", chi2 === null ? null : fixed(pValue(chi2.p_value))),
      measured(result, "missing", missingOf(result)),
      [
        measured(
          result,
          "new_categories",
          new_categories === null ? null : fixed(percent(new_categories.share)),
        ),
        namesOf(new_categories?.names ?? []),
      ],
      [badge(findings.length > 0 ? "drift" : "no drift"), quietLine(schema_change), quietLine(not_compared)],
    ]);
  });
  return table("Every feature with what was measured and its thresholds", featureColumns, rows);
}

/** What was measured, and below it what is allowed: in words, as colours are not for everybody. */
function measured(result: FeatureResult, check: ThresholdName, value: Child): Child {
  if (value === null) return "-";
  const isOver = result.findings.some((finding) => finding.check === check);
  const allowed = h(
    "div",
    { class: isOver ? "fixed over" : "fixed quiet" },
    allowedOf(result, check, isOver),
  );
  return [h("div", { class: isOver ? "value over" : "value" }, value), allowed];
}

function allowedOf(
  { thresholds, baseline, window }: FeatureResult,
  check: ThresholdName,
  isOver: boolean,
): string {
  // What is of another type now is told as that, and not as missing too.
  if (check === "missing" && baseline.type !== window.type) return "not judged";
  const threshold = thresholds[check];
  if (check === "chi2_p" && threshold === 0) return "no limit";
  const limit = check === "missing" || check === "new_categories" ? percent(threshold) : shown(threshold);
  if (!isOver) return `limit ${limit}`;
  return `${check === "chi2_p" ? "under" : "over"} ${limit}`;
}

function quietLine(text: string | null): Child {
  return text === null ? null : h("div", { class: "quiet" }, line(text));
}

function missingOf({ baseline, window, missing_change }: FeatureResult): Child {
  const [before, now] = [percent(baseline.missing_rate), percent(window.missing_rate)];
  if (missing_change === 0) return fixed(now);
  const change = `${missing_change > 0 ? "+" : "−"}${percent(Math.abs(missing_change))}`;
  return [fixed(`${before} → ${now}`), " ", fixed(`(${change})`)];
}

function fixed(text: string): HTMLElement {
  return h("span", { class: "fixed" }, text);
}

function namesOf(names: readonly string[]): Child {
  return names.length === 0 ? null : h("div", { class: "quiet clamp" }, line(names.join(", ")));
}

const schemaColumns = ["Feature", "Change", "Alert"];

function schemaOf(features: readonly FeatureResult[]): HTMLElement {
  const rows = features.flatMap(({ feature, schema_change, findings }) => {
    if (schema_change === null) return [];
    const isAlert = findings.some(({ check }) => check === "schema");
    const cells = [h("strong", {}, line(feature)), line(schema_change), isAlert ? "yes" : "only shown"];
    return [tableRow(schemaColumns, cells)];
  });
  if (rows.length === 0) return h("p", { class: "quiet" }, "Fields and their types are as they were.");
  return table("Fields that are new, gone or of another type", schemaColumns, rows);
}

const sideColumns = ["Side", "Source", "Records", "Left out", "Files"];

function sideTable({ baseline, window }: Check): HTMLElement {
  const rows = [
    ["Baseline", baseline],
    ["Window", window],
  ] as const;
  return table(
    "The data that were compared",
    sideColumns,
    rows.map(([name, side]) =>
      tableRow(sideColumns, [
        h("strong", { class: "fixed" }, name),
        line(side.source),
        number(side.rows),
        h("span", { class: "name" }, leftOut(side)),
        filesOf(side),
      ]),
    ),
  );
}

function leftOut({ outside, undated, unread, omitted }: SideData): string {
  const counts = [
    [outside, "of another time"],
    [undated, "without a time"],
    [unread, "not readable"],
    [omitted, "values over the limit of fields"],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return told.join(", ") || "nothing";
}

function filesOf({ files }: SideData): Child {
  const more = files.length - shownFiles;
  const shownOnes = files.slice(0, shownFiles).map(digested);
  return [...shownOnes, more > 0 ? h("div", { class: "quiet" }, `and ${more} more`) : null];
}
