import { action } from "../action.ts";
import type { Api, ItemOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { folderField } from "../folder-field.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { lasted } from "../times.ts";
import { badge, code, empty, line, notice, table, tableRow, textOrNull, time } from "../view.ts";
import { openPipelineRun, type Run, runActions, runLink, versionLink } from "./pipeline-run.ts";

type Pipeline = ItemOf<"listPipelines">;

const pageRows = 50;
/** What goes on takes longer all the time; rows of the record come only when something ends or begins. */
const everyMs = 2_000;

/** The pipelines of a folder, and runs of all folders, newest first; or one run. */
export const openPipelines: OpenPage = (surroundings) => {
  const { api, place, replace } = surroundings;
  if (place.id !== null) return openPipelineRun(surroundings, place.id);
  const { cwd, pipeline, cursor } = place.query;
  const [declared, list] = [h("div"), h("div")];
  const folders = new Loader(declared, async () => {
    const [{ items }, models] = await Promise.all([
      api.call("listPipelines", { query: cwd ? { cwd } : {} }),
      api.call("listModels"),
    ]);
    const made = new Set(models.items.map(({ model }) => model));
    return [items.length === 0 ? noPipelines() : pipelineTable(api, items, cwd, made)];
  });
  let isUnderWay = false;
  const runs = new Loader(list, async () => {
    const query = { limit: pageRows, ...(pipeline && { pipeline }), ...(cursor && { cursor }) };
    const { items, next_cursor } = await api.call("listPipelineRuns", { query });
    isUnderWay = items.some(({ status }) => status === "running");
    const older = hashOf("pipelines", { cwd, pipeline, cursor: next_cursor ?? "" });
    return [
      pipeline === undefined
        ? null
        : notice(
            "quiet",
            "Only runs of ",
            code(pipeline),
            ". ",
            h("a", { href: hashOf("pipelines", { cwd }) }, "All runs"),
          ),
      items.length === 0
        ? h("p", { class: "quiet" }, "Nothing was run yet.")
        : runTable(api, items, () => runs.now()),
      next_cursor === null ? null : h("p", {}, h("a", { class: "button", href: older }, "Older runs")),
    ];
  });
  const timer = setInterval(() => void (isUnderWay && runs.soon()), everyMs);
  const look = (): void => {
    folders.soon();
    runs.soon();
  };
  return {
    title: "Pipelines",
    element: h(
      "div",
      {},
      h(
        "div",
        { class: "tools" },
        folderField(api, cwd, (wanted) => replace(hashOf("pipelines", { cwd: wanted }))),
      ),
      declared,
      h("h2", {}, "Runs"),
      list,
    ),
    onRow: ({ event }) => void (event === "pipeline.run" && look()),
    onGap: look,
    close: () => {
      clearInterval(timer);
      folders.stop();
      runs.stop();
    },
  };
};

function noPipelines(): HTMLElement {
  return empty(
    "No pipeline is declared for this folder.",
    code("pipelines:"),
    " in its ",
    code("swarm.yaml"),
    " names steps of commands that make a model of data; ",
    code("swarm trust"),
    " approves them.",
  );
}

const pipelineColumns = ["Pipeline", "Steps", "Model", "Last run", "Actions"];

function pipelineTable(
  api: Api,
  pipelines: readonly Pipeline[],
  cwd: string | undefined,
  made: ReadonlySet<string>,
): HTMLElement {
  const rows = pipelines.map(({ name, file, steps, model, problem, last_run }) =>
    tableRow(pipelineColumns, [
      [
        h("a", { href: hashOf("pipelines", { cwd, pipeline: name }) }, h("strong", {}, line(name))),
        h("div", { class: "quiet" }, line(file)),
      ],
      line(steps.join(", ")),
      made.has(model)
        ? h("a", { href: hashOf("models", {}, model) }, line(model))
        : [line(model), h("div", { class: "quiet" }, "no version yet")],
      last_run === null
        ? "never run"
        : [badge(last_run.status), " ", runLink(last_run.run_id, time(last_run.started_at))],
      problem === null
        ? runButton(api, name, cwd)
        : [badge("may not run"), h("div", { class: "quiet" }, line(problem))],
    ]),
  );
  return table("Pipelines of the folder", pipelineColumns, rows);
}

function runButton(api: Api, name: string, cwd: string | undefined): Child {
  if (!api.may("runPipeline")) return null;
  return action("Run", name, async () => {
    const body = cwd ? { cwd } : {};
    const { run_id } = await api.call("runPipeline", { params: { name }, body });
    location.hash = hashOf("pipelines", {}, run_id);
  });
}

const runColumns = ["Started", "Run", "State", "Took", "Version", "By", "Actions"];

function runTable(api: Api, runs: readonly Run[], onDone: () => Promise<void>): HTMLElement {
  const rows = runs.map((run) => {
    const { run_id, pipeline, folder, status, reason, started_at, ended_at, actor, trigger } = run;
    return tableRow(runColumns, [
      time(started_at),
      [runLink(run_id, h("strong", {}, line(pipeline))), h("div", { class: "quiet clamp" }, line(folder))],
      [badge(status), h("div", { class: "quiet clamp" }, textOrNull(reason))],
      h("span", { class: "number" }, lasted(started_at, ended_at, Date.now())),
      versionLink(run),
      [line(actor), trigger === "cron" ? h("div", { class: "quiet" }, "by a schedule") : null],
      runActions(api, run, onDone),
    ]);
  });
  return table("Runs of pipelines, newest first", runColumns, rows);
}
