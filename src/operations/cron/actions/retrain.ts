import { flag, type JsonObject, required, text } from "../../../engine/events/schema.ts";
import { pipelineName, pipelineNameWords } from "../../pipelines/port/pipeline.ts";
import type { TaskCall, TaskKind } from "../port/task.ts";

/** What a run of a pipeline came to. */
export interface PipelineEnd {
  readonly run_id: string;
  readonly status: string;
  readonly reason: string | null;
}

export interface RetrainOptions {
  /** Names of the pipelines that hold for a folder. */
  readonly pipelinesIn: (cwd: string) => readonly string[];
  /** What a run would do now, a line each. */
  readonly planPipeline: (wish: RetrainWish, cwd: string) => Promise<readonly string[]>;
  /** Runs one to its end, or goes on with the run a try before has left. */
  readonly retrain: (wish: RetrainWish, call: TaskCall) => Promise<PipelineEnd>;
}

export interface RetrainWish {
  readonly pipeline: string;
  readonly data: string | null;
  readonly isForced: boolean;
}

const maxPathChars = 4_096;

/** A pipeline of the job's folder, with the latest data. A try after one that failed goes on where that one stopped. */
export function retrainTask({ pipelinesIn, planPipeline, retrain }: RetrainOptions): TaskKind {
  return {
    doc: "Reruns a pipeline with the latest data.",
    fields: {
      pipeline: required(text("The pipeline to run, as the job's folder or the user's file declares it.")),
      data: text("Path of the data, from the pipeline's folder; default the latest snapshot."),
      force: flag("Whether steps that have not changed run too; default false."),
    },
    check({ pipeline, data }, cwd) {
      if (typeof pipeline !== "string" || !pipelineName.test(pipeline))
        return { option: "pipeline", expected: pipelineNameWords };
      if (data !== undefined && !isPath(String(data)))
        return { option: "data", expected: `a path of at most ${maxPathChars} characters` };
      if (cwd === undefined) return null;
      const known = pipelinesIn(cwd);
      if (known.includes(pipeline)) return null;
      const words = known.length === 0 ? "a pipeline, and there is none" : known.join(", ");
      return { option: "pipeline", expected: `${words} in ${cwd}` };
    },
    plan: (config, cwd) => planPipeline(wishOf(config), cwd),
    async run(config, call) {
      const { run_id, status, reason } = await retrain(wishOf(config), call);
      const isDone = status === "completed";
      return {
        exitCode: null,
        problem: isDone ? null : `pipeline run ${run_id} ${status}: ${reason ?? "no reason"}`,
      };
    },
  };
}

function wishOf({ pipeline, data, force }: JsonObject): RetrainWish {
  return {
    pipeline: String(pipeline),
    data: typeof data === "string" ? data : null,
    isForced: force === true,
  };
}

function isPath(path: string): boolean {
  return path !== "" && path.length <= maxPathChars && !path.includes("\0");
}
