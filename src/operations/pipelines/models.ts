import { isDeepStrictEqual } from "node:util";
import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { oneLine } from "../../base/show.ts";
import { suggest } from "../../base/suggest.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import { pipelineName, pipelineNameWords } from "./port/pipeline.ts";
import type { ModelStage, ModelVersion } from "./port/pipeline-store.ts";
import type { Page } from "../../store/port/store.ts";
import { type EngineOptions, nowOf } from "./context.ts";

export interface ModelsOptions
  extends Pick<EngineOptions, "store" | "approvals" | "audit" | "clock" | "log"> {
  readonly emit: Emit;
}

/** What a promotion came to: it is done, or waits for a person. */
export type Promotion =
  | {
      readonly status: "promoted";
      readonly stage: ModelStage;
      readonly reason: null;
      readonly approval_id: string | null;
    }
  | {
      readonly status: "waiting";
      readonly stage: null;
      readonly reason: string;
      readonly approval_id: string;
    };

/** The name by which hooks and rules know a promotion; it is judged as a tool is. */
export const promotionTool = "promote_model";
const modelSource = "swarm/models";

/** What runs of pipelines have made, and which of it stands for a model where. */
export class Models {
  readonly #options: ModelsOptions;

  constructor(options: ModelsOptions) {
    this.#options = options;
  }

  async list() {
    const { store } = this.#options;
    const stages = await store.listStages();
    return (await store.listModels()).map((model) => ({
      ...model,
      stages: stages.filter((stage) => stage.model === model.model),
    }));
  }

  async versions(model: string, page: Page): Promise<ModelVersion[]> {
    await this.#known(model);
    return this.#options.store.listVersions(model, page);
  }

  /** One version, the newest when none is named. */
  async find(model: string, version?: number): Promise<ModelVersion> {
    await this.#known(model);
    const { store } = this.#options;
    const [newest] = version === undefined ? await store.listVersions(model, { limit: 1 }) : [];
    const found = version === undefined ? newest : await store.findVersion(model, version);
    if (found === undefined || found === null)
      throw new SwarmError("SWARM_MODEL_VERSION_UNKNOWN", { model, version });
    return found;
  }

  stages(model: string): Promise<ModelStage[]> {
    return this.#options.store.listStages(model);
  }

  /**
   * Has a version stand for its model at a stage, in the place of the one before, if hooks, rules and where they say so
   * a person have nothing against it. One that waits is asked for again once it is decided: a yes is used up by it.
   */
  async promote(model: string, version: number, stage: string, actor: string): Promise<Promotion> {
    if (!pipelineName.test(stage)) throw invalidOption("promotion", "stage", pipelineNameWords, stage);
    const found = await this.find(model, version);
    const { run_id, digest, metrics, lineage } = found;
    const { folder } = lineage as { folder?: unknown };
    const origin = {
      source: modelSource,
      task: `${model}/${version}/${stage}`,
      ...(typeof folder === "string" && { cwd: folder }),
    };
    const input = { model, version, stage, run_id, digest, metrics };
    const call = { tool_name: promotionTool, tool_input: input };
    const { decision, data, approval } = await this.#options.emit({
      event: "tool.before",
      data: call,
      origin,
      actor,
    });
    const refuse = (reason: string) =>
      new SwarmError("SWARM_PROMOTION_DENIED", { model, version, stage, reason });
    const { verdict } = decision;
    const words = oneLine(decision.reason ?? `${decision.hook ?? "a hook"} says no`, 1_000);
    if (verdict === "deny") throw refuse(words);
    if (verdict === "ask" || verdict === "defer") {
      if (approval?.status !== "pending") throw refuse(words);
      return { status: "waiting", stage: null, reason: words, approval_id: approval.id };
    }
    if (!isDeepStrictEqual((data as { tool_input: unknown }).tool_input, input))
      throw refuse("a hook has changed what is to be promoted");
    const asked = approval === null ? null : await this.#options.approvals.find(approval.id);
    const row: ModelStage = {
      model,
      stage,
      version,
      promoted_at: nowOf(this.#options),
      promoted_by: actor,
      approved_by: asked?.decided_by ?? null,
      approval_id: asked?.id ?? null,
    };
    await this.#record(row, origin);
    const { emit, log } = this.#options;
    await tellOrLog(log, () =>
      emit({ event: "tool.after", data: { ...call, tool_output: row }, origin, actor }),
    );
    return { status: "promoted", stage: row, reason: null, approval_id: row.approval_id };
  }

  async #record(row: ModelStage, origin: Origin): Promise<void> {
    const { model, stage, version, approved_by } = row;
    const before = (await this.stages(model)).find((other) => other.stage === stage) ?? null;
    const instead = before === null ? "" : `, in the place of version ${before.version}`;
    const approved = approved_by === null ? "" : `, approved by ${approved_by}`;
    const { source = null, task = null, cwd = null } = origin;
    await this.#options.audit.record(
      {
        kind: "change",
        event: "model.promoted",
        actor: row.promoted_by,
        source,
        task,
        cwd,
        reason: `version ${version} of ${model} to ${stage}${instead}${approved}`,
        before: JSON.stringify(before),
        after: JSON.stringify(row),
      },
      { kind: "model_promoted", row },
    );
  }

  async #known(model: string): Promise<void> {
    const names = (await this.#options.store.listModels()).map((each) => each.model);
    if (!names.includes(model))
      throw new SwarmError("SWARM_MODEL_UNKNOWN", { model, suggestion: suggest(model, names) });
  }
}
