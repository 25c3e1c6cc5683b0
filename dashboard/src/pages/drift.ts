import type { ItemOf } from "../api.ts";
import { h } from "../dom.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { badge, code, digest, empty, line, number, table, tableRow, time } from "../view.ts";
import { hours, openDriftCheck } from "./drift-check.ts";

type Check = ItemOf<"listDriftChecks">;
type Baseline = ItemOf<"listBaselines">;

const shownChecks = 100;

/** Drift checks, newest first, and the baselines there are; or one check. */
export const openDrift: OpenPage = (surroundings) => {
  const { api, place } = surroundings;
  if (!api.may("listDriftChecks")) return { title: "Drift", element: forOperators() };
  if (place.id !== null) return openDriftCheck(surroundings, place.id);
  const element = h("div");
  const loader = new Loader(element, async () => {
    const [checks, baselines] = await Promise.all([
      api.call("listDriftChecks", { query: { limit: shownChecks } }),
      api.call("listBaselines"),
    ]);
    return [
      h("h2", {}, "Checks"),
      checks.items.length === 0 ? noChecks() : checkTable(checks.items),
      checks.items.length < shownChecks
        ? null
        : h("p", { class: "quiet" }, `The newest ${shownChecks}; `, code("swarm drift list"), " has all."),
      h("h2", {}, "Baselines"),
      baselines.items.length === 0 ? noBaselines() : baselineTable(baselines.items),
    ];
  });
  return {
    title: "Drift",
    element,
    onRow: ({ event }) => void (/^(drift|baseline)\./.test(event) && loader.soon()),
    onGap: () => loader.soon(),
    close: () => loader.stop(),
  };
};

/** What is compared are people's data, and names of categories are some of them. */
function forOperators(): HTMLElement {
  return empty(
    "Drift checks are shown to operators.",
    "They tell what is in the data. ",
    code("swarm login --role operator"),
    " prints a link.",
  );
}

function noChecks(): HTMLElement {
  return empty(
    "Nothing was compared yet.",
    code("swarm drift check --baseline march.jsonl --window april.jsonl"),
    " compares now, a job of kind ",
    code("drift_check"),
    " by a schedule.",
  );
}

function noBaselines(): HTMLElement {
  return empty(
    "No baseline has a name.",
    code("swarm baselines set payments march.jsonl"),
    " reads data once and keeps what checks need of them.",
  );
}

const checkColumns = ["Checked", "Check", "Verdict", "Over a threshold", "Baseline", "Window"];

function checkTable(checks: readonly Check[]): HTMLElement {
  const rows = checks.map((check) => {
    const { check_id, name, is_drift, message, baseline, window, window_hours, features, drifted } = check;
    return tableRow(checkColumns, [
      time(check.time),
      [
        h("a", { href: hashOf("drift", {}, check_id) }, h("strong", {}, line(name))),
        h("div", { class: "quiet" }, line(check_id)),
      ],
      badge(is_drift ? "drift" : "no drift"),
      [
        h("span", { class: "number" }, `${drifted} of ${features} features`),
        is_drift ? h("div", { class: "quiet clamp" }, line(message)) : null,
      ],
      line(baseline),
      [line(window), window_hours === null ? null : h("div", { class: "quiet" }, hours(window_hours))],
    ]);
  });
  return table("Drift checks, newest first", checkColumns, rows);
}

const baselineColumns = ["Baseline", "Made of", "Records", "Fields", "Set", "Data"];

function baselineTable(baselines: readonly Baseline[]): HTMLElement {
  const rows = baselines.map(({ name, source, rows: records, features, set_at, set_by, data_digest }) =>
    tableRow(baselineColumns, [
      h("strong", { class: "name" }, line(name)),
      line(source),
      number(records),
      number(features),
      [time(set_at), h("div", { class: "quiet" }, line(set_by))],
      digest(data_digest),
    ]),
  );
  return table("Baselines by name", baselineColumns, rows);
}
