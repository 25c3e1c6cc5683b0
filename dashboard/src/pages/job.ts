import { action } from "../action.ts";
import type { Api, ItemOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { Loader, type Page, type Surroundings } from "../page.ts";
import { hashOf } from "../place.ts";
import { lasted } from "../times.ts";
import {
  badge,
  block,
  code,
  empty,
  facts,
  jsonBlock,
  line,
  table,
  tableRow,
  textOrNull,
  time,
} from "../view.ts";

export type Job = ItemOf<"listCronJobs">;
type Run = ItemOf<"listCronRuns">;

const pageRows = 50;

/** One job with what it says and its runs; and what one of them printed. */
export function openJob({ api, place }: Surroundings, id: string): Page {
  const { cursor, run: shownRun } = place.query;
  const [element, output] = [h("div"), h("div")];
  const loader = new Loader(element, async () => {
    const params = { id };
    const query = { limit: pageRows, ...(cursor && { cursor }) };
    const [job, runs] = await Promise.all([
      api.call("showCronJob", { params }),
      api.call("listCronRuns", { params, query }),
    ]);
    const older = hashOf("jobs", { cursor: runs.next_cursor ?? "" }, id);
    return [
      h("p", {}, h("a", { href: hashOf("jobs") }, "All jobs")),
      h("h2", {}, line(job.name), " ", badge(job.enabled ? "enabled" : "paused")),
      h(
        "div",
        { class: "actions" },
        jobActions(api, job, () => loader.now()),
      ),
      factsOf(job),
      jsonBlock("config", job.config),
      h("h3", {}, "Runs"),
      runs.items.length === 0
        ? h("p", { class: "quiet" }, "It has not run yet.")
        : runTable(api, id, runs.items),
      runs.next_cursor === null ? null : h("p", {}, h("a", { class: "button", href: older }, "Older runs")),
    ];
  });
  const log = shownRun === undefined ? null : new Loader(output, () => printedBy(api, shownRun));
  const look = (): void => {
    loader.soon();
    log?.soon();
  };
  return {
    title: "Job",
    element: h("div", {}, element, output),
    onRow: ({ event }) => void (isOfJobs(event) && look()),
    onGap: look,
    close: () => {
      loader.stop();
      log?.stop();
    },
  };
}

export function isOfJobs(event: string): boolean {
  return /^(jobs?|cron)\./.test(event);
}

/** What is run is run as the user: an operator has a job run that is there, an admin pauses and resumes it. */
export function jobActions(api: Api, job: Job, onDone: () => Promise<void>): Child {
  const { job_id: id, name, enabled } = job;
  const run = async (): Promise<void> => {
    await api.call("runCronJob", { params: { id } });
    await onDone();
  };
  const turn = async (): Promise<void> => {
    await api.call("changeCronJob", { params: { id }, body: { enabled: !enabled } });
    await onDone();
  };
  return [
    api.may("runCronJob") ? action("Run now", name, run) : null,
    api.may("changeCronJob") ? action(enabled ? "Pause" : "Resume", name, turn) : null,
  ];
}

function factsOf(job: Job): HTMLElement {
  const { job_id, schedule, tz, task, cwd, declared_in, created_by, created_at, next_run, due_at } = job;
  return facts([
    ["Job", code(job_id)],
    ["Schedule", [line(schedule), ", ", line(tz)]],
    ["Next run", next_run === null ? null : time(due_at ?? next_run)],
    ["Task", line(task)],
    ["Folder", line(cwd)],
    ["Declared in", textOrNull(declared_in)],
    ["Made by", line(created_by)],
    ["Made", time(created_at)],
    ["Ended after", `${job.timeout_s} s`],
    ["Tried again", `${job.retries} times`],
    ["Every run", job.approval_required ? "waits for an approval" : null],
  ]);
}

const columns = ["Scheduled", "State", "Took", "Exit code", "Why", "By", "Shows"];

function runTable(api: Api, id: string, runs: readonly Run[]): HTMLElement {
  const rows = runs.map((run) => {
    const { scheduled_at, status, started_at, ended_at, exit_code, trigger, attempt, reason } = run;
    return tableRow(columns, [
      time(scheduled_at),
      badge(status),
      started_at === null ? "-" : h("span", { class: "number" }, lasted(started_at, ended_at, Date.now())),
      exit_code === null ? "-" : String(exit_code),
      [h("div", { class: "clamp" }, textOrNull(reason)), waitsAt(status)],
      [trigger, attempt > 1 ? h("div", { class: "quiet" }, `try ${attempt}`) : null],
      shownBy(api, id, run),
    ]);
  });
  return table("The job's runs, newest first", columns, rows);
}

function waitsAt(status: Run["status"]): Child {
  return status === "waiting" ? h("a", { href: hashOf("approvals") }, "Approvals") : null;
}

/** What it printed; of a drift check also what was found, which has the run's id. */
function shownBy(api: Api, id: string, { run_id, job_name, task, status, output_path }: Run): Child {
  const isCheck = task === "drift_check" && status === "completed" && api.may("showDriftCheck");
  const hasOutput = output_path !== null && api.may("showCronRun");
  const label = `Output of ${run_id} of ${job_name}`;
  return [
    isCheck ? h("div", {}, h("a", { href: hashOf("drift", {}, run_id) }, "Drift check")) : null,
    hasOutput
      ? h("div", {}, h("a", { href: hashOf("jobs", { run: run_id }, id), "aria-label": label }, "Output"))
      : null,
  ];
}

async function printedBy(api: Api, run: string): Promise<readonly Node[]> {
  const { output } = await api.call("showCronRun", { params: { id: run } });
  const heading = h("h3", {}, "What ", line(run), " printed");
  if (output === null || output === "") return [heading, empty("Nothing.", "It may still print something.")];
  return [heading, block("a mebibyte of it at most", output)];
}
