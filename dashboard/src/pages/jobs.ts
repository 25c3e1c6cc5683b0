import type { Api } from "../api.ts";
import { h } from "../dom.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { badge, code, empty, line, notice, table, tableRow, time } from "../view.ts";
import { isOfJobs, type Job, jobActions, openJob } from "./job.ts";

const pageRows = 50;

/** Scheduled jobs: when each runs next, and how it ended last; or one of them. */
export const openJobs: OpenPage = (surroundings) => {
  const { api, place } = surroundings;
  if (place.id !== null) return openJob(surroundings, place.id);
  const { cursor } = place.query;
  const element = h("div");
  const loader = new Loader(element, async () => {
    const query = { limit: pageRows, ...(cursor && { cursor }) };
    const { items, problems, next_cursor } = await api.call("listCronJobs", { query });
    const older = hashOf("jobs", { cursor: next_cursor ?? "" });
    return [
      problems.length === 0
        ? null
        : notice(
            "warn",
            `${problems.length} declarations are not in force: `,
            code("swarm cron list"),
            " tells why.",
          ),
      items.length === 0 ? nothing() : jobTable(api, items, () => loader.now()),
      next_cursor === null ? null : h("p", {}, h("a", { class: "button", href: older }, "Older jobs")),
    ];
  });
  return {
    title: "Jobs",
    element,
    onRow: ({ event }) => void (isOfJobs(event) && loader.soon()),
    onGap: () => loader.soon(),
    close: () => loader.stop(),
  };
};

function nothing(): HTMLElement {
  return empty(
    "Nothing is scheduled.",
    code('swarm cron create --name nightly --schedule "0 2 * * *" --task retrain --config …'),
    " makes a job.",
  );
}

const columns = ["Job", "Schedule", "Task", "Next run", "Last run", "Actions"];

function jobTable(api: Api, jobs: readonly Job[], onDone: () => Promise<void>): HTMLElement {
  const rows = jobs.map((job) => {
    const { job_id, name, schedule, tz, task, cwd, next_run, last_run, status } = job;
    return tableRow(columns, [
      [
        h("a", { href: hashOf("jobs", {}, job_id) }, h("strong", {}, line(name))),
        h("div", { class: "quiet clamp" }, line(cwd)),
      ],
      [line(schedule), h("div", { class: "quiet" }, line(tz))],
      line(task),
      next_run === null ? "-" : time(next_run),
      [badge(words[status] ?? status), " ", last_run === null ? null : time(last_run)],
      h("div", { class: "actions" }, jobActions(api, job, onDone)),
    ]);
  });
  return table("Scheduled jobs, newest first", columns, rows);
}

const words: Readonly<Record<string, string>> = { never_ran: "never ran" };
