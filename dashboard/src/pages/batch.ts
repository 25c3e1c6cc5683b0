import { batchStates } from "../../../src/operations/batch/port/batch-run.ts";
import { action } from "../action.ts";
import type { Api, ItemOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { field, select } from "../filter-form.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { badge, code, empty, line, number, table, tableRow, textOrNull, time } from "../view.ts";

type Run = ItemOf<"listBatchRuns">;

const pageRows = 50;
/** Checkpoints are ten a second; a list that moves faster than it can be read is no use. */
const everyMs = 1_000;

/** Batch runs: how far they have come, and what can be done about it. */
export const openBatch: OpenPage = ({ api, place, replace }) => {
  const { state, cursor } = place.query;
  const list = h("div");
  const isState = batchStates.find((known) => known === state);
  let isUnderWay = false;
  const loader = new Loader(list, async () => {
    const query = { limit: pageRows, ...(isState && { state: isState }), ...(cursor && { cursor }) };
    const { items, next_cursor } = await api.call("listBatchRuns", { query });
    isUnderWay = items.some((run) => run.state === "running");
    const older = hashOf("batch", { state, cursor: next_cursor ?? "" });
    return [
      items.length === 0 ? nothing(state) : runTable(api, items, () => loader.now()),
      next_cursor === null ? null : h("p", {}, h("a", { class: "button", href: older }, "Older runs")),
    ];
  });
  const timer = setInterval(() => void (isUnderWay && loader.soon()), everyMs);
  const states = select("state", "every state", batchStates, state);
  states.addEventListener("change", () => replace(hashOf("batch", { state: states.value })));
  return {
    title: "Batch",
    element: h("div", {}, h("div", { class: "tools" }, field("State", states)), list),
    onRow: ({ event }) => void (event.startsWith("batch.") && loader.soon()),
    onGap: () => loader.soon(),
    close: () => {
      clearInterval(timer);
      loader.stop();
    },
  };
};

function nothing(state: string | undefined): HTMLElement {
  if (state) return empty(`No run is ${state}.`, h("a", { href: hashOf("batch") }, "All runs"));
  return empty(
    "Nothing was run yet.",
    code("swarm batch submit --input records.jsonl --processor echo"),
    " runs something over every record of a file.",
  );
}

const columns = ["Submitted", "Run", "State", "Progress", "Done", "Failed", "Rate", "Actions"];

function runTable(api: Api, runs: readonly Run[], onDone: () => Promise<void>): HTMLElement {
  const rows = runs.map((run) => {
    const { created_at, run_id, name, processor, state, reason, done_count, failed_count, rate_per_s } = run;
    return tableRow(columns, [
      time(created_at),
      [
        h("strong", {}, line(name ?? run_id)),
        h("div", { class: "quiet clamp" }, line(`${processor}, ${name === null ? run.input : run_id}`)),
      ],
      [badge(state), h("div", { class: "quiet clamp" }, textOrNull(reason))],
      progressOf(run),
      number(done_count),
      number(failed_count),
      rate_per_s === null ? "-" : [number(Math.round(rate_per_s)), "/s"],
      actionsOf(api, run, onDone),
    ]);
  });
  return table("Batch runs, newest first", columns, rows);
}

/** By the bytes of the input; of a compressed one they are not known at first. */
function progressOf({ run_id, state, input_bytes, input_size, eta_s }: Run): Child {
  const isDone = state === "completed" || state === "completed_with_errors";
  const share = isDone ? 1 : input_size === null ? null : input_bytes / (input_size || 1);
  if (share === null) return "-";
  const percent = Math.floor(Math.min(1, share) * 100);
  const bar = h("progress", { max: "100", value: String(percent), "aria-label": `Progress of ${run_id}` });
  const left = eta_s === null ? "" : `, ${Math.ceil(eta_s)} s left`;
  return [bar, h("div", { class: "quiet number" }, `${percent} %${left}`)];
}

function actionsOf(api: Api, { run_id, state, can_resume }: Run, onDone: () => Promise<void>): Child {
  const isUnderWay = state === "running" || state === "waiting_approval";
  const isOffered = isUnderWay || can_resume;
  if (!isOffered || !api.may(isUnderWay ? "cancelBatch" : "resumeBatch")) return null;
  const params = { run_id };
  return action(isUnderWay ? "Cancel" : "Resume", run_id, async () => {
    await (isUnderWay ? api.call("cancelBatch", { params }) : api.call("resumeBatch", { params }));
    await onDone();
  });
}
