import { limits } from "../../base/limits.ts";
import type { Action, HookConfig } from "../../config/hook-config.ts";
import type { Pipeline, PipelineStep, StepCommand } from "../../operations/pipelines/port/pipeline.ts";

/** Hooks' ids are hashes: no hook has one that begins like this. */
const idPrefix = "pipeline:";

/**
 * A project's pipeline as the hooks it comes down to, itself and each of its steps, so that all that holds for approving
 * hooks holds for it: a person sees what it says and what its files hold, and the copies of these are what runs.
 */
export function pipelineHooks(pipeline: Pipeline): HookConfig[] {
  const { name, model, data, maxParallel, steps } = pipeline;
  const command = data !== null && "command" in data ? data.command : "";
  const order = steps.map((step) => step.name);
  const whole = { type: "pipeline", model, data, max_parallel: maxParallel, steps: order };
  return [
    hookOf(pipeline, name, command, [], whole),
    ...steps.map((step) => hookOf(pipeline, `${name}/${step.name}`, step.run, step.files, settingsOf(step))),
  ];
}

/** The pipeline with the commands of the hooks it was judged as. */
export function pipelineOf([whole, ...hooks]: readonly HookConfig[], pipeline: Pipeline): Pipeline {
  const { data, steps } = pipeline;
  return {
    ...pipeline,
    data: data !== null && "command" in data ? { command: commandOf(whole, data.command) } : data,
    steps: steps.map((step, at) => ({ ...step, run: commandOf(hooks[at], step.run) })),
  };
}

function hookOf(
  { source }: Pipeline,
  name: string,
  command: StepCommand,
  files: readonly string[],
  settings: HookConfig["declared"],
): HookConfig {
  return {
    id: `${idPrefix}${name}`,
    name,
    source,
    dialect: "swarm",
    event: "tool.before",
    nativeEvent: "tool.before",
    match: "shell",
    when: null,
    priority: 0,
    mode: "observe",
    onFailure: "allow",
    onDenied: false,
    timeoutMs: limits.timeoutMs,
    plugin: null,
    action: actionOf(command, files),
    ...(settings !== undefined && { declared: settings }),
  };
}

function actionOf(command: StepCommand, files: readonly string[]): Action {
  const declared = files.length === 0 ? {} : { files };
  const isLine = typeof command === "string";
  const run = isLine ? { argv: null, line: command } : { argv: command, line: null };
  return { kind: "command", ...run, pluginRoot: null, ...declared };
}

function commandOf(hook: HookConfig | undefined, otherwise: StepCommand): StepCommand {
  const action = hook?.action;
  if (action === undefined || !("argv" in action)) return otherwise;
  return action.argv ?? action.line ?? otherwise;
}

/** All a step says, as a file has it. */
function settingsOf(step: PipelineStep) {
  const { run, needs, inputs, outputs, files, environment, timeoutMs, retries, metrics } = step;
  const lists = { needs, inputs, outputs, files };
  return {
    type: "pipeline step",
    run,
    ...lists,
    environment,
    timeout_s: timeoutMs / 1_000,
    retries,
    metrics,
  };
}
