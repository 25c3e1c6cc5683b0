import type { Drift, DriftOptions } from "./drift.ts";
import type { Store } from "../../store/port/store.ts";
import type { BatchService } from "../batch/service.ts";
import type { PipelineService } from "../pipelines/service.ts";

export interface DriftServiceOptions extends Omit<DriftOptions, "store" | "book"> {
  readonly store: Store;
  readonly batch: Pick<BatchService, "open">;
  readonly pipelines: Pick<PipelineService, "open">;
}

/** Comparisons of data; loaded when first asked for, as most commands do without. */
export class DriftService {
  readonly #options: DriftServiceOptions;
  readonly #ended = new AbortController();
  #opening: Promise<Drift> | null = null;

  constructor(options: DriftServiceOptions) {
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
