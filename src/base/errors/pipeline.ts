import { oneLine, show } from "../show.ts";
import { didYouMean, type ErrorRow, row } from "./row.ts";

/** What can be wrong with pipelines and models. */
export const pipelineErrors = {
  SWARM_PIPELINE_UNKNOWN: row<{ pipeline: unknown; folder: string; suggestion?: string | undefined }>({
    meaning: "No configuration file that holds for the folder declares this pipeline.",
    remedy:
      "See `swarm pipelines list` in that folder for those there are; docs/pipelines.md shows how to declare one.",
    status: 404,
    exitCode: 64,
    message: ({ pipeline, folder, suggestion }) =>
      `there is no pipeline ${show(pipeline)} in ${oneLine(folder, 300)}${didYouMean(suggestion)}`,
  }),
  SWARM_PIPELINE_UNTRUSTED: row<{ pipeline: string; file: string; problem: string }>({
    meaning: "A project's pipeline was to run that nobody has approved as it is.",
    remedy: "Look at it and approve it with `swarm trust` in the project.",
    status: 403,
    exitCode: 65,
    message: ({ pipeline, file, problem }) =>
      `pipeline ${show(pipeline)} of ${oneLine(file, 300)} may not run: ${oneLine(problem, 300)}`,
  }),
  SWARM_PIPELINE_BUSY: row<{ pipeline: string; run: string }>({
    meaning: "A run of the pipeline is under way, and two at once would write the same files.",
    remedy: "Wait for it, or end it with `swarm pipelines cancel`.",
    status: 409,
    exitCode: 65,
    message: ({ pipeline, run }) => `run ${run} of pipeline ${show(pipeline)} is under way, expected none`,
  }),
  SWARM_PIPELINE_RUN_UNKNOWN: row<{ run: unknown }>({
    meaning: "There is no run of a pipeline with this id.",
    remedy: "See `swarm pipelines list` for the runs there are.",
    status: 404,
    exitCode: 64,
    message: ({ run }) => `there is no pipeline run ${show(run)}`,
  }),
  SWARM_PIPELINE_RUN_ENDED: row<{ run: string; status: string }>({
    meaning: "A run of a pipeline was to be resumed or cancelled that has nothing left to do.",
    remedy: "Start a new run with `swarm pipelines run`.",
    status: 409,
    exitCode: 65,
    message: ({ run, status }) => `pipeline run ${run} is ${status}, expected one with steps left to do`,
  }),
  SWARM_PIPELINE_RUN_LOST: row<{ run: string }>({
    meaning: "A run of a pipeline is over, or another process goes on with it. Nothing was written.",
    remedy: "See `swarm pipelines show` for how it went.",
    status: 409,
    exitCode: 65,
    message: ({ run }) => `pipeline run ${run} is not this process's any more`,
  }),
  SWARM_PIPELINE_ELSEWHERE: row<{ run: string }>({
    meaning: "A run of a pipeline was to be cancelled that another process runs.",
    remedy: "Interrupt the command that runs it with Ctrl-C.",
    status: 409,
    exitCode: 65,
    message: ({ run }) => `pipeline run ${run} is run by another process, expected one of this one`,
  }),
  SWARM_MODEL_UNKNOWN: row<{ model: unknown; suggestion?: string | undefined }>({
    meaning: "No run of a pipeline has made this model.",
    remedy: "See `swarm models list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ model, suggestion }) => `there is no model ${show(model)}${didYouMean(suggestion)}`,
  }),
  SWARM_MODEL_VERSION_UNKNOWN: row<{ model: string; version: unknown }>({
    meaning: "The model has no such version.",
    remedy: "See `swarm models show` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ model, version }) => `model ${show(model)} has no version ${show(version)}`,
  }),
  SWARM_PROMOTION_DENIED: row<{ model: string; version: number; stage: string; reason: string }>({
    meaning: "A hook, a rule or a person refused to promote a version of a model. It was not.",
    remedy: "Read the reason; `swarm approvals list` shows what people decided.",
    status: 403,
    exitCode: 65,
    message: ({ model, version, stage, reason }) =>
      `version ${version} of model ${show(model)} is not promoted to ${show(stage)}: ${oneLine(reason, 1_000)}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
