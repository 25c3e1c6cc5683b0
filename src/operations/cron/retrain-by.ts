import { oneLine } from "../../base/show.ts";
import type { RetrainOptions } from "./actions/retrain.ts";
import type { PipelineService } from "../pipelines/service.ts";

/** How jobs run pipelines. */
export function retrainBy(service: PipelineService): RetrainOptions {
  return {
    pipelinesIn: (cwd) => service.declaredIn(cwd).map(({ pipeline }) => pipeline.name),
    async planPipeline({ pipeline, data, isForced }, cwd) {
      const { pipelines } = await service.open();
      const { data: taken, note, steps } = await pipelines.plan(pipeline, cwd, { data, isForced });
      return [
        ...(taken === null ? [] : [`data ${taken.path}, ${taken.bytes} bytes, SHA-256 ${taken.sha256}`]),
        ...(note === null ? [] : [note]),
        ...steps.map(({ step, would, why }) => `step ${step} would ${would}: ${why}`),
      ].map((line) => oneLine(line, 1_000));
    },
    async retrain({ pipeline, data, isForced }, call) {
      const { pipelines } = await service.open();
      const { job_id, scheduled_at, run_id: task, cwd, signal, print } = call;
      const begun = await pipelines.startOrResume(pipeline, cwd, {
        actor: "swarm",
        trigger: "cron",
        // The same for every try of a slot, and for no other.
        cause: `${job_id} ${scheduled_at}`,
        task,
        data,
        isForced,
        signal,
        tell: (line) => print(`${line}\n`),
      });
      print(`run ${begun.run_id} of pipeline ${pipeline} in ${begun.folder}\n`);
      return pipelines.ended(begun.run_id);
    },
  };
}
