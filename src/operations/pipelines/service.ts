import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { Lazy, type Part } from "../../base/part.ts";
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

interface OpenPipelines extends Part {
  readonly pipelines: Pipelines;
  readonly models: Models;
}

/** Pipelines and models; what files declare can be asked without opening them. */
export class PipelineService extends Lazy<OpenPipelines> {
  readonly #options: PipelineServiceOptions;

  constructor(options: PipelineServiceOptions) {
    super(() => openPipelines(options));
    this.#options = options;
  }

  /** Those that hold for a folder, the user's first; a file that cannot be read is an error with its place. */
  declaredIn(cwd: string): DeclaredPipeline[] {
    const { home, env, trust } = this.#options;
    const config = loadConfig({ home, cwd, env });
    return config.pipelines.map((pipeline) => {
      return { pipeline, problem: trust.judgePipeline(pipeline, config).problem };
    });
  }
}

async function openPipelines(options: PipelineServiceOptions): Promise<OpenPipelines> {
  const [{ Pipelines }, { Models }] = await Promise.all([import("./pipelines.ts"), import("./models.ts")]);
  const { home, env, store } = options;
  const common = { ...options, store: store.pipelines, approvals: store.approvals };
  const pipelines = new Pipelines({
    ...common,
    mayRun: mayRunBy(options),
    sandbox: () => loadUserConfig({ home, env }).sandbox,
    find: (name, cwd) => findRunnable(name, cwd, options),
  });
  return {
    pipelines,
    models: new Models(common),
    stop: () => pipelines.stop(),
    abort: () => pipelines.abort(),
  };
}

function findRunnable(name: string, cwd: string, options: PipelineServiceOptions): RunnablePipeline {
  const { home, env, trust } = options;
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
