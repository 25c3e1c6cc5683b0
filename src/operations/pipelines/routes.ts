import { invalidOption } from "../../base/invalid-option.ts";
import { redact } from "../../base/redact.ts";
import { flag, required, text } from "../../engine/events/schema.ts";
import type { ModelStage, ModelVersion, StoredPipelineRun } from "./port/pipeline-store.ts";
import { driftOf } from "../drift/describe-drift-mark.ts";
import {
  describePipelineRun,
  modelSchema,
  pipelineRunSchema,
  pipelineSchema,
  planSchema,
  promotionSchema,
  shownPipelineRunSchema,
  versionSchema,
} from "./describe-pipeline.ts";
import { outputOf } from "../../daemon/rest/output-of.ts";
import { page, pageOf, pageSchema, paging, positionOf } from "../../daemon/rest/page.ts";
import { type Context, route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { checkFolder } from "../../daemon/rest/values.ts";

const name = { name: required(text("Name of the pipeline.")) };
const runId = { id: required(text("Id of the run.")) };
const model = { model: required(text("Name of the model.")) };
const version = { ...model, version: required(text("Number of the version.")) };
const wish = {
  cwd: text("Folder whose configuration counts; default the daemon's."),
  force: flag("Whether steps that have not changed run too; default false."),
  data: text("Path of the data, from the pipeline's folder; default the latest snapshot."),
};

const open = async ({ runtime }: Pick<Context, "runtime">) => runtime.pipelines.open();

/** A run as it is, and what a drift check has found of it. */
async function shown(runtime: Context["runtime"], run: StoredPipelineRun) {
  const drift = await driftOf(runtime, { kind: "pipeline", run_id: run.run_id });
  return { ...describePipelineRun(run), drift };
}

function folderOf({ runtime }: Pick<Context, "runtime">, where: string, cwd: string | undefined): string {
  checkFolder(where, cwd);
  return runtime.projects.at(cwd).cwd;
}

/**
 * Pipelines and models. An operator runs what files declare and people have approved; which version stands for a model
 * is an admin's to say, and where a rule asks also somebody else's.
 */
export const pipelineRoutes = {
  listPipelines: route({
    method: "GET",
    path: "/api/v1/pipelines",
    summary: "List the pipelines that hold for a folder, each with its last run",
    query: { cwd: wish.cwd },
    response: pageOf(pipelineSchema),
    async handle({ runtime }, { query: { cwd } }) {
      const declared = runtime.pipelines.declaredIn(folderOf({ runtime }, "query", cwd));
      const { pipelines } = await open({ runtime });
      const items = [];
      for (const { pipeline, problem } of declared) {
        const { name: own, source, folder, model: made, steps } = pipeline;
        const { file } = source;
        const [last] = await pipelines.list({ limit: 1, pipeline: own, file });
        const last_run = last === undefined ? null : await shown(runtime, last);
        const order = steps.map((step) => step.name);
        items.push({ name: own, file, folder, model: made, steps: order, problem, last_run });
      }
      return { items };
    },
  }),

  planPipeline: route({
    method: "GET",
    path: "/api/v1/pipelines/{name}/plan",
    summary: "Tell what a run would do now: what would run, what would be skipped, and why",
    role: "operator",
    params: name,
    query: wish,
    response: planSchema,
    async handle({ runtime }, { params, query: { cwd, force = false, data = null } }) {
      const { pipelines } = await open({ runtime });
      const folder = folderOf({ runtime }, "query", cwd);
      const plan = await pipelines.plan(params.name, folder, { isForced: force, data });
      return { ...plan, steps: redact(plan.steps) as typeof plan.steps };
    },
  }),

  runPipeline: route({
    method: "POST",
    path: "/api/v1/pipelines/{name}/runs",
    summary: "Run a pipeline; answers when it has begun",
    params: name,
    body: wish,
    response: pipelineRunSchema,
    async handle({ runtime, actor }, { params, body: { cwd, force = false, data = null } }) {
      const { pipelines } = await open({ runtime });
      const folder = folderOf({ runtime }, "body", cwd);
      return shown(runtime, await pipelines.start(params.name, folder, { actor, isForced: force, data }));
    },
  }),

  listPipelineRuns: route({
    method: "GET",
    path: "/api/v1/pipeline-runs",
    summary: "List runs of pipelines, newest first",
    query: { ...paging, pipeline: text("Only those of pipelines of this name.") },
    response: pageSchema(pipelineRunSchema),
    async handle({ runtime }, { query }) {
      const { pipelines } = await open({ runtime });
      const found = await page(
        positionOf(query),
        (position) => pipelines.list({ ...position, pipeline: query.pipeline }),
        ({ seq }) => seq,
      );
      return { ...found, items: await Promise.all(found.items.map((run) => shown(runtime, run))) };
    },
  }),

  showPipelineRun: route({
    method: "GET",
    path: "/api/v1/pipeline-runs/{id}",
    summary: "Show one run with its steps",
    params: runId,
    response: shownPipelineRunSchema,
    async handle({ runtime }, { params: { id } }) {
      const { pipelines } = await open({ runtime });
      await pipelines.sweep();
      const run = await shown(runtime, await pipelines.find(id));
      return { ...run, steps: await pipelines.steps(id) };
    },
  }),

  showPipelineLog: route({
    method: "GET",
    path: "/api/v1/pipeline-runs/{id}/logs/{step}",
    summary: "What a step of a run printed, a mebibyte at most",
    role: "operator",
    params: { ...runId, step: required(text("Name of the step.")) },
    response: closed({ step: { type: "string" }, output: { type: ["string", "null"] } }),
    async handle({ runtime }, { params: { id, step } }) {
      const { pipelines } = await open({ runtime });
      await pipelines.find(id);
      const row = (await pipelines.steps(id)).find((each) => each.step === step);
      return { step, output: outputOf(row?.log_path ?? null) };
    },
  }),

  resumePipelineRun: route({
    method: "POST",
    path: "/api/v1/pipeline-runs/{id}/resume",
    summary: "Go on with a run after its last finished step; answers when it has begun",
    params: runId,
    response: pipelineRunSchema,
    async handle({ runtime, actor }, { params: { id } }) {
      const { pipelines } = await open({ runtime });
      return shown(runtime, await pipelines.resume(id, { actor }));
    },
  }),

  cancelPipelineRun: route({
    method: "POST",
    path: "/api/v1/pipeline-runs/{id}/cancel",
    summary: "End a run of this daemon, with all its programs; answers when it has ended",
    params: runId,
    response: pipelineRunSchema,
    async handle({ runtime, actor }, { params: { id } }) {
      const { pipelines } = await open({ runtime });
      return shown(runtime, await pipelines.cancel(id, actor));
    },
  }),

  listModels: route({
    method: "GET",
    path: "/api/v1/models",
    summary: "List the models, their newest versions and which version stands where",
    response: pageOf(modelSchema),
    async handle({ runtime }) {
      return { items: await (await open({ runtime })).models.list() };
    },
  }),

  listModelVersions: route({
    method: "GET",
    path: "/api/v1/models/{model}/versions",
    summary: "List a model's versions, newest first",
    params: model,
    query: paging,
    response: pageSchema(versionSchema),
    async handle({ runtime }, { params, query }) {
      const { models } = await open({ runtime });
      const stages = await models.stages(params.model);
      const found = await page(
        positionOf(query),
        (position) => models.versions(params.model, position),
        (each) => each.version,
      );
      return { ...found, items: found.items.map((each) => withStages(each, stages)) };
    },
  }),

  showModelVersion: route({
    method: "GET",
    path: "/api/v1/models/{model}/versions/{version}",
    summary: "Show one version of a model with its lineage",
    params: version,
    response: versionSchema,
    async handle({ runtime }, { params }) {
      const { models } = await open({ runtime });
      const found = await models.find(params.model, numberOf(params.version));
      return withStages(found, await models.stages(params.model));
    },
  }),

  promoteModel: route({
    method: "POST",
    path: "/api/v1/models/{model}/versions/{version}/promote",
    summary: "Have a version stand for its model at a stage, or wait for the approval a rule asks for",
    role: "admin",
    params: version,
    body: { stage: required(text("The stage, such as production.")) },
    response: promotionSchema,
    async handle({ runtime, actor }, { params, body: { stage } }) {
      const { models } = await open({ runtime });
      return models.promote(params.model, numberOf(params.version), stage, actor);
    },
  }),
};

function withStages(found: ModelVersion, stages: readonly ModelStage[]) {
  const own = stages.filter((stage) => stage.version === found.version);
  return { ...found, stages: own.map(({ stage }) => stage) };
}

function numberOf(written: string): number {
  if (/^\d{1,9}$/.test(written)) return Number(written);
  throw invalidOption("path", "version", "a whole number", written);
}
