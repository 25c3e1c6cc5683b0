import type { ItemOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { code, empty, line, number, table, tableRow, time } from "../view.ts";
import { isOfModels, openModel } from "./model.ts";

type Model = ItemOf<"listModels">;

/** The models that pipelines have made, and which version stands where; or one of them. */
export const openModels: OpenPage = (surroundings) => {
  const { api, place } = surroundings;
  if (place.id !== null) return openModel(surroundings, place.id);
  const element = h("div");
  const loader = new Loader(element, async () => {
    const { items } = await api.call("listModels");
    return [items.length === 0 ? nothing() : modelTable(items)];
  });
  return {
    title: "Models",
    element,
    onRow: ({ event }) => void (isOfModels(event) && loader.soon()),
    onGap: () => loader.soon(),
    close: () => loader.stop(),
  };
};

function nothing(): HTMLElement {
  return empty(
    "There is no model yet.",
    "A run of a pipeline that completes makes a version of one: ",
    h("a", { href: hashOf("pipelines") }, "Pipelines"),
    ".",
  );
}

const columns = ["Model", "Versions", "Newest", "Made", "Stands at"];

function modelTable(models: readonly Model[]): HTMLElement {
  const rows = models.map(({ model, versions, latest, created_at, stages }) =>
    tableRow(columns, [
      h("a", { href: hashOf("models", {}, model) }, h("strong", {}, line(model))),
      number(versions),
      h("a", { href: hashOf("models", { version: String(latest) }, model) }, number(latest)),
      time(created_at),
      stages.length === 0 ? ["nowhere: ", code("swarm models promote")] : stages.map(stageOf),
    ]),
  );
  return table("Models by name", columns, rows);
}

function stageOf({ stage, version }: Model["stages"][number]): Child {
  return h("div", {}, line(stage), " ", number(version));
}
