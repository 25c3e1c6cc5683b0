import type { Drift, DriftOptions } from "./drift.ts";
import type { Store } from "../../store/port/store.ts";
import type { Lazy } from "../../base/part.ts";
import type { BatchRuns } from "../batch/runs/runs.ts";
import type { PipelineService } from "../pipelines/service.ts";

export interface DriftServiceOptions extends Omit<DriftOptions, "store" | "book"> {
  readonly store: Store;
  readonly batch: Pick<Lazy<BatchRuns>, "open">;
  readonly pipelines: Pick<PipelineService, "open">;
}

export async function openDrift(options: DriftServiceOptions): Promise<Drift> {
  const { Drift } = await import("./drift.ts");
  const { store, batch, pipelines } = options;
  const book = async () => {
    await (await batch.open()).settleGone();
    await (await pipelines.open()).pipelines.sweep();
    return store;
  };
  return new Drift({ ...options, store: store.baselines, book });
}
