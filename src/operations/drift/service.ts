import type { Drift, DriftOptions } from "./drift.ts";
import type { Store } from "../../store/port/store.ts";
import type { BatchDesk } from "../batch/service.ts";
import type { PipelineDesk } from "../pipelines/service.ts";

export interface DriftDeskOptions extends Omit<DriftOptions, "store" | "book"> {
  readonly store: Store;
  readonly batch: Pick<BatchDesk, "open">;
  readonly pipelines: Pick<PipelineDesk, "open">;
}

/** Comparisons of data; loaded when first asked for, as most commands do without. */
export class DriftDesk {
  readonly #options: DriftDeskOptions;
  readonly #ended = new AbortController();
  #opening: Promise<Drift> | null = null;

  constructor(options: DriftDeskOptions) {
    this.#options = options;
  }

  /** Aborted when checks nobody scheduled are to let go. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  open(): Promise<Drift> {
    const { home, audit, clock, emit, store, batch, pipelines } = this.#options;
    const book = async () => {
      await (await batch.open()).settleGone();
      await (await pipelines.open()).pipelines.sweep();
      return store;
    };
    this.#opening ??= import("./drift.ts").then(
      ({ Drift }) => new Drift({ home, audit, clock, emit, store: store.baselines, book }),
    );
    return this.#opening;
  }

  cutOff(): void {
    this.#ended.abort();
  }
}
