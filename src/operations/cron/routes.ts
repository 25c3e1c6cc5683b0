import { redact } from "../../base/redact.ts";
import { type Field, type JsonObject, list, required, text } from "../../engine/events/schema.ts";
import { jobFields } from "./port/cron-job.ts";
import {
  describeJob,
  describeMade,
  describeRun,
  importSchema,
  jobPlanSchema,
  jobSchema,
  madeJobSchema,
  previewSchema,
  runSchema,
  shownRunSchema,
} from "./describe-job.ts";
import { outputOf } from "../../daemon/rest/output-of.ts";
import { page, pageOf, pageSchema, paging, positionOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";

const jobId = { id: required(text("Id of the job.")) };

/** What is given of a job that is there already. */
const someJobFields = Object.fromEntries(
  Object.entries(jobFields).map(([name, { isRequired: _, ...field }]: [string, Field]) => [name, field]),
);

/**
 * Scheduled work. What a job runs is run as the user, so that making and changing one is an admin's; an operator runs
 * those there are and reads what they print, and whoever may look sees neither output nor secrets.
 */
export const cronRoutes = {
  listCronJobs: route({
    method: "GET",
    path: "/api/v1/cron/jobs",
    summary: "List the jobs, newest first",
    query: { ...paging, name: text("Only the job of this name.") },
    response: pageSchema(jobSchema, {
      problems: {
        type: "array",
        items: { type: "object" },
        description: "Declarations that are not in force.",
      },
    }),
    async handle({ runtime }, { query }) {
      const cron = await runtime.cron.open();
      const { name } = query;
      const found = await page(
        positionOf(query),
        (position) => cron.list({ ...position, name }),
        ({ seq }) => seq,
      );
      const items = await Promise.all(found.items.map((job) => describeJob(cron, job)));
      return { ...found, items, problems: [...cron.problems] };
    },
  }),

  createCronJob: route({
    method: "POST",
    path: "/api/v1/cron/jobs",
    summary: "Make a job",
    role: "admin",
    body: jobFields,
    response: madeJobSchema,
    async handle({ runtime, actor }, { body }) {
      const cron = await runtime.cron.open();
      return describeMade(cron, await cron.jobs.create(body as JsonObject, actor));
    },
  }),

  planCronJob: route({
    method: "POST",
    path: "/api/v1/cron/plan",
    summary: "Check a job, and tell what it would do and when, without making it",
    role: "admin",
    body: jobFields,
    response: jobPlanSchema,
    async handle({ runtime }, { body }) {
      const plan = await (await runtime.cron.open()).plan(body as JsonObject);
      return { ...plan, job: redact(plan.job) as JsonObject };
    },
  }),

  showCronJob: route({
    method: "GET",
    path: "/api/v1/cron/jobs/{id}",
    summary: "Show one job",
    params: jobId,
    response: jobSchema,
    async handle({ runtime }, { params: { id } }) {
      const cron = await runtime.cron.open();
      return describeJob(cron, await cron.jobs.find(id));
    },
  }),

  changeCronJob: route({
    method: "PATCH",
    path: "/api/v1/cron/jobs/{id}",
    summary: "Change what is given of a job; `enabled` pauses and resumes it",
    role: "admin",
    params: jobId,
    body: someJobFields,
    response: madeJobSchema,
    async handle({ runtime, actor }, { params: { id }, body }) {
      const cron = await runtime.cron.open();
      return describeMade(cron, await cron.jobs.change(id, body as JsonObject, actor));
    },
  }),

  deleteCronJob: route({
    method: "DELETE",
    path: "/api/v1/cron/jobs/{id}",
    summary: "Delete a job; its runs are kept for as long as any",
    role: "admin",
    params: jobId,
    response: jobSchema,
    async handle({ runtime, actor }, { params: { id } }) {
      const cron = await runtime.cron.open();
      return describeJob(cron, await cron.jobs.delete(id, actor));
    },
  }),

  listCronRuns: route({
    method: "GET",
    path: "/api/v1/cron/jobs/{id}/runs",
    summary: "List a job's runs, newest first",
    params: jobId,
    query: paging,
    response: pageSchema(runSchema),
    async handle({ runtime }, { params: { id }, query }) {
      const cron = await runtime.cron.open();
      const found = await page(
        positionOf(query),
        (position) => cron.runs(id, position),
        ({ seq }) => seq,
      );
      return { ...found, items: found.items.map(describeRun) };
    },
  }),

  runCronJob: route({
    method: "POST",
    path: "/api/v1/cron/jobs/{id}/run",
    summary: "Run a job now, whatever its schedule says; answers when it has begun",
    params: jobId,
    response: runSchema,
    async handle({ runtime, actor }, { params: { id } }) {
      return describeRun(await (await runtime.cron.open()).run(id, actor));
    },
  }),

  showCronRun: route({
    method: "GET",
    path: "/api/v1/cron/runs/{id}",
    summary: "Show one run with its output",
    role: "operator",
    params: { id: required(text("Id of the run.")) },
    response: shownRunSchema,
    async handle({ runtime }, { params: { id } }) {
      const run = await (await runtime.cron.open()).findRun(id);
      return { ...describeRun(run), output: outputOf(run.output_path) };
    },
  }),

  previewSchedule: route({
    method: "GET",
    path: "/api/v1/cron/preview",
    summary: "Tell what a schedule means and its next ten runs",
    query: { schedule: required(text(jobFields.schedule.doc)), tz: text(jobFields.tz.doc) },
    response: previewSchema,
    async handle({ runtime }, { query: { schedule, tz } }) {
      return (await runtime.cron.open()).preview(schedule, tz);
    },
  }),

  exportCronJobs: route({
    method: "GET",
    path: "/api/v1/cron/export",
    summary: "All jobs as jobs.json has them",
    role: "admin",
    response: pageOf({ type: "object" }, {}, "jobs"),
    async handle({ runtime }) {
      return (await runtime.cron.open()).export();
    },
  }),

  importCronJobs: route({
    method: "POST",
    path: "/api/v1/cron/import",
    summary: "Make and change jobs, by name, as a jobs.json says; all of them or none",
    role: "admin",
    body: { jobs: required(list("The jobs, as the export has them.")) },
    response: importSchema,
    async handle({ runtime, actor }, { body }) {
      return (await runtime.cron.open()).import(body, actor);
    },
  }),
};
