import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { suggest } from "../../base/suggest.ts";
import { loadConfig, loadUserConfig } from "../../config/load.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Models } from "./models.ts";
import type { Pipelines, RunnablePipeline } from "./pipelines.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { Pipeline } from "./port/pipeline.ts";
import type { Store } from "../../store/port/store.ts";
import { type MayRunOptions, mayRunBy } from "../may-run.ts";
import type { TrustService } from "../../policy/trust/service.ts";

export interface PipelineServiceOptions extends MayRunOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly clock: Clock;
  readonly store: Store;
  readonly audit: Audit;
  readonly trust: Pick<TrustService, "judgePipeline">;
  readonly emit: Emit;
}

/** A pipeline as the files have it, and why it may not run. */
export interface DeclaredPipeline {
  readonly pipeline: Pipeline;
  readonly problem: string | null;
}

interface Opened {
  readonly pipelines: Pipelines;
  readonly models: Models;
}

/** Pipelines and models; loaded when they are first asked for, as most commands do without. */
export class PipelineService {
  readonly #options: PipelineServiceOptions;
  #opening: Promise<Opened> | null = null;
  #isCutOff = false;

  constructor(options: PipelineServiceOptions) {
    this.#options = options;
  }

  open(): Promise<Opened> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Those that hold for a folder, the user's first; a file that cannot be read is an error with its place. */
  declaredIn(cwd: string): DeclaredPipeline[] {
    const { home, env, trust } = this.#options;
    const config = loadConfig({ home, cwd, env });
    return config.pipelines.map((pipeline) => {
      return { pipeline, problem: trust.judgePipeline(pipeline, config).problem };
    });
  }

  /** Ends every run at once. */
  cutOff(): void {
    this.#isCutOff = true;
    void this.#opening?.then(({ pipelines }) => pipelines.cutOff());
  }

  async close(): Promise<void> {
    await (await this.#opening)?.pipelines.close();
  }

  async #open(): Promise<Opened> {
    const [{ Pipelines }, { Models }] = await Promise.all([import("./pipelines.ts"), import("./models.ts")]);
    const { home, env, log, clock, store, audit, emit } = this.#options;
    const common = { store: store.pipelines, approvals: store.approvals, audit, clock, log };
    const pipelines = new Pipelines({
      ...common,
      home,
      env,
      emit,
      mayRun: mayRunBy(this.#options),
      sandbox: () => loadUserConfig({ home, env }).sandbox,
      find: (name, cwd) => this.#find(name, cwd),
    });
    if (this.#isCutOff) pipelines.cutOff();
    return { pipelines, models: new Models({ ...common, emit }) };
  }

  #find(name: string, cwd: string): RunnablePipeline {
    const { home, env, trust } = this.#options;
    const config = loadConfig({ home, cwd, env });
    const found = config.pipelines.find((pipeline) => pipeline.name === name);
    if (found === undefined) {
      const names = config.pipelines.map((pipeline) => pipeline.name);
      throw new SwarmError("SWARM_PIPELINE_UNKNOWN", {
        pipeline: name,
        folder: cwd,
        suggestion: suggest(name, names),
      });
    }
    const { runnable, problem, trustedBy } = trust.judgePipeline(found, config);
    if (runnable === null) {
      const { file } = found.source;
      throw new SwarmError("SWARM_PIPELINE_UNTRUSTED", { pipeline: name, file, problem: problem ?? "" });
    }
    return { pipeline: runnable, trustedBy };
  }
}
