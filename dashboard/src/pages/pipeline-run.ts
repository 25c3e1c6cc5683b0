import type { StepRun } from "../../../src/operations/pipelines/port/pipeline-store.ts";
import { action } from "../action.ts";
import type { Api, ItemOf, ResultOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { Loader, type Page, type Surroundings } from "../page.ts";
import { hashOf } from "../place.ts";
import { lasted } from "../times.ts";
import {
  badge,
  block,
  code,
  digest,
  digested,
  empty,
  facts,
  line,
  notice,
  number,
  table,
  tableRow,
  textOrNull,
  time,
} from "../view.ts";

export type Run = ItemOf<"listPipelineRuns">;
type ShownRun = ResultOf<"showPipelineRun">;

const everyMs = 1_000;

/** One run with its steps, as they go; and what one of them printed. */
export function openPipelineRun({ api, place }: Surroundings, id: string): Page {
  const { step } = place.query;
  const [element, output] = [h("div"), h("div")];
  let isUnderWay = false;
  const loader = new Loader(element, async () => {
    const run = await api.call("showPipelineRun", { params: { id } });
    isUnderWay = run.status === "running";
    const waits = isUnderWay ? await waitsFor(api, id) : null;
    return [
      h("p", {}, h("a", { href: hashOf("pipelines") }, "All runs")),
      h("h2", {}, line(run.pipeline), " ", badge(run.status)),
      run.reason === null ? null : h("p", {}, line(run.reason)),
      waits,
      h(
        "div",
        {},
        runActions(api, run, () => loader.now()),
      ),
      factsOf(run),
      h("h3", {}, "Steps"),
      run.steps.length === 0
        ? h("p", { class: "quiet" }, "No step has begun.")
        : stepTable(api, id, run.steps),
    ];
  });
  const log = step === undefined ? null : new Loader(output, () => printedBy(api, id, step));
  const timer = setInterval(() => void (isUnderWay && loader.soon()), everyMs);
  const look = (): void => {
    loader.soon();
    log?.soon();
  };
  return {
    title: "Pipeline run",
    element: h("div", {}, element, output),
    // Every row of a run has its id as session: also that a step waits for an approval.
    onRow: ({ session }) => void (session === id && look()),
    onGap: look,
    close: () => {
      clearInterval(timer);
      loader.stop();
      log?.stop();
    },
  };
}

/** A step that a person is asked about has not begun. */
async function waitsFor(api: Api, id: string): Promise<HTMLElement | null> {
  const { items } = await api.call("listApprovals", { query: { status: "pending", limit: 1_000 } });
  const asked = items.find(({ task }) => task === id);
  if (asked === undefined) return null;
  return notice(
    "warn",
    h("strong", {}, "A step waits for an approval. "),
    asked.reason === null ? null : [line(asked.reason), " "],
    h("a", { href: hashOf("approvals") }, "Approvals"),
  );
}

function factsOf(run: ShownRun): HTMLElement {
  const { run_id, file, folder, trigger, actor, is_forced, data, started_at, ended_at } = run;
  return facts([
    ["Run", h("a", { href: hashOf("record", { session: run_id }) }, code(run_id))],
    ["Declared in", line(file)],
    ["Folder", line(folder)],
    ["Started by", [line(actor), trigger === "cron" ? ", by a schedule" : null]],
    ["Started", time(started_at)],
    ["Took", lasted(started_at, ended_at, Date.now())],
    ["Every step", is_forced ? "runs, also what has not changed" : null],
    ["Made", run.version === null ? null : versionLink(run)],
    ["Data", data === null ? null : digested(data)],
  ]);
}

const columns = ["Step", "State", "Took", "Exit code", "Tries", "Made", "Output"];

function stepTable(api: Api, id: string, steps: readonly StepRun[]): HTMLElement {
  const rows = steps.map((row) => {
    const { step, status, started_at, ended_at, exit_code, tries, outputs, metrics } = row;
    return tableRow(columns, [
      h("strong", { class: "name" }, line(step)),
      [badge(status), whyOf(row)],
      status === "skipped" ? "-" : h("span", { class: "number" }, lasted(started_at, ended_at, Date.now())),
      exit_code === null ? "-" : String(exit_code),
      number(tries),
      [...outputs.map(digested), numbersOf(metrics)],
      outputLink(api, id, row),
    ]);
  });
  return table("The run's steps, in the order they began", columns, rows);
}

/** One that was skipped is the same as what another run has made, by its digest. */
function whyOf({ status, reason, digest: own, made_by }: StepRun): Child {
  const isSame = status === "skipped" && made_by !== null;
  return [
    isSame ? h("div", { class: "quiet" }, "unchanged since ", runLink(made_by, line(made_by))) : null,
    isSame ? h("div", { class: "quiet" }, "its digest ", digest(own)) : null,
    reason === null ? null : h("div", { class: "quiet" }, textOrNull(reason)),
  ];
}

export function numbersOf(metrics: Readonly<Record<string, number>>): Child {
  const numbers = Object.entries(metrics);
  if (numbers.length === 0) return null;
  return h(
    "div",
    {},
    ...numbers.map(([name, value]) =>
      h("div", {}, line(name), " ", h("strong", { class: "number" }, String(value))),
    ),
  );
}

function outputLink(api: Api, id: string, { step, log_path }: StepRun): Child {
  if (log_path === null || !api.may("showPipelineLog")) return null;
  const label = `Show what ${step} printed`;
  return h("a", { href: hashOf("pipelines", { step }, id), "aria-label": label }, "Show");
}

async function printedBy(api: Api, id: string, step: string): Promise<readonly Node[]> {
  const { output } = await api.call("showPipelineLog", { params: { id, step } });
  const heading = h("h3", {}, "What ", line(step), " printed");
  if (output === null || output === "") return [heading, empty("Nothing.", "It may still print something.")];
  return [heading, block("a mebibyte of it at most", output)];
}

export function runLink(runId: string, shown: Child): HTMLElement {
  return h("a", { href: hashOf("pipelines", {}, runId) }, shown);
}

export function versionLink({ model, version }: Pick<Run, "model" | "version">): Child {
  if (version === null) return "-";
  return h(
    "a",
    { href: hashOf("models", { version: String(version) }, model) },
    line(model),
    " ",
    number(version),
  );
}

/** Of whoever may: one that goes on is ended, one that did not end well goes on. */
export function runActions(api: Api, { run_id: id, status }: Run, onDone: () => Promise<void>): Child {
  const isUnderWay = status === "running";
  const isAllowed = api.may(isUnderWay ? "cancelPipelineRun" : "resumePipelineRun");
  if (status === "completed" || !isAllowed) return null;
  const params = { id };
  return action(isUnderWay ? "Cancel" : "Resume", id, async () => {
    await (isUnderWay
      ? api.call("cancelPipelineRun", { params })
      : api.call("resumePipelineRun", { params }));
    await onDone();
  });
}
