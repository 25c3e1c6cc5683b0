import type { ItemOf, ResultOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { Loader, type Page, type Surroundings } from "../page.ts";
import { hashOf } from "../place.ts";
import { promoteForm } from "../promote-form.ts";
import { badge, line, number, table, tableRow, textOrNull, time } from "../view.ts";
import { lineageOf } from "./lineage.ts";
import { numbersOf, runLink } from "./pipeline-run.ts";

type Version = ResultOf<"showModelVersion">;
type Stage = ItemOf<"listModels">["stages"][number];

const pageRows = 50;

/** A model's versions, where they stand, and all that one of them came of. */
export function openModel({ api, place }: Surroundings, model: string): Page {
  const { version: wanted, cursor } = place.query;
  const element = h("div");
  const forms = new Map<number, HTMLElement>();
  const loader = new Loader(element, async () => {
    const query = { limit: pageRows, ...(cursor && { cursor }) };
    const [models, versions] = await Promise.all([
      api.call("listModels"),
      api.call("listModelVersions", { params: { model }, query }),
    ]);
    const chosen = await chosenOf(versions.items);
    const stages = models.items.find((each) => each.model === model)?.stages ?? [];
    const older = hashOf("models", { cursor: versions.next_cursor ?? "" }, model);
    return [
      h("p", {}, h("a", { href: hashOf("models") }, "All models")),
      h("h2", {}, "Versions of ", line(model)),
      versionTable(versions.items, chosen?.version),
      versions.next_cursor === null
        ? null
        : h("p", {}, h("a", { class: "button", href: older }, "Older versions")),
      h("h2", {}, "Where versions stand"),
      stages.length === 0
        ? h("p", { class: "quiet" }, "No version was promoted to a stage.")
        : stageTable(model, stages),
      ...(chosen === null ? [] : shownVersion(chosen, stages)),
    ];
  });

  async function chosenOf(items: readonly Version[]): Promise<Version | null> {
    if (wanted === undefined) return items[0] ?? null;
    const listed = items.find(({ version }) => String(version) === wanted);
    return listed ?? api.call("showModelVersion", { params: { model, version: wanted } });
  }

  function shownVersion(chosen: Version, stages: readonly Stage[]): HTMLElement[] {
    const { version } = chosen;
    // Kept: what somebody has written into it, and been told, is still there when the rest is shown anew.
    const form = forms.get(version) ?? promoteForm(api, { model, version, stages }, () => loader.now());
    forms.set(version, form);
    return [h("h2", {}, `Version ${version}`), form, ...lineageOf(chosen)];
  }

  return {
    title: "Model",
    element,
    onRow: ({ event }) => void (isOfModels(event) && loader.soon()),
    onGap: () => loader.soon(),
    close: () => loader.stop(),
  };
}

/** A run that ends may have made a version. */
export function isOfModels(event: string): boolean {
  return event === "model.promoted" || event === "pipeline.run";
}

const versionColumns = ["Version", "Made", "By", "Run", "Stands at", "Numbers"];

function versionTable(versions: readonly Version[], chosen: number | undefined): HTMLElement {
  const rows = versions.map(({ model, version, created_at, created_by, run_id, stages, metrics }) => {
    const isChosen = version === chosen;
    const link = h(
      "a",
      { href: hashOf("models", { version: String(version) }, model), "aria-current": isChosen && "true" },
      `Version ${version}`,
    );
    return tableRow(versionColumns, [
      isChosen ? [h("strong", {}, link), h("div", { class: "quiet" }, "shown below")] : link,
      time(created_at),
      line(created_by),
      runLink(run_id, line(run_id)),
      stages.length === 0 ? "-" : stages.map((stage): Child => [badge(stage), " "]),
      numbersOf(metrics) ?? "-",
    ]);
  });
  return table("Versions, newest first", versionColumns, rows);
}

const stageColumns = ["Stage", "Version", "Since", "Promoted by", "Approved by"];

function stageTable(model: string, stages: readonly Stage[]): HTMLElement {
  const rows = stages.map(({ stage, version, promoted_at, promoted_by, approved_by }) =>
    tableRow(stageColumns, [
      h("strong", {}, line(stage)),
      h("a", { href: hashOf("models", { version: String(version) }, model) }, number(version)),
      time(promoted_at),
      line(promoted_by),
      textOrNull(approved_by) ?? "nobody was asked",
    ]),
  );
  return table("Which version stands at each stage", stageColumns, rows);
}
