import { dirname } from "node:path";
import { show } from "../base/show.ts";
import { suggest } from "../base/suggest.ts";
import { compilePathGlob } from "../engine/hooks/path-glob.ts";
import {
  type DataSource,
  type Pipeline,
  type PipelineStep,
  pipelineName,
  pipelineNameWords,
  type StepCommand,
} from "../operations/pipelines/port/pipeline.ts";
import { type Placed, readFields } from "./fields.ts";
import { configLimits } from "./limits.ts";
import { type ConfigNode, checkAt, didYouMean, invalid, type MapEntry, showNode } from "./node.ts";
import { dataKeys, pipelineKeys, stepKeys } from "./pipeline-keys.ts";
import type { Reading } from "./reading.ts";

/** What stands under `pipelines:`, a map from name to pipeline. */
export function readPipelines(reading: Reading, node: ConfigNode): Pipeline[] {
  if (node.kind === "scalar" && node.value === null) return []; // every pipeline below it is commented out
  const { file } = reading;
  if (node.kind !== "map")
    throw invalid(file, node.at, `pipelines is ${showNode(node)}, expected a map of pipelines`);
  const excess = node.entries[configLimits.pipelines];
  if (excess !== undefined)
    throw invalid(file, excess.at, `more than ${configLimits.pipelines} pipelines, expected fewer`);
  return node.entries.map((entry) => readPipeline(reading, entry));
}

/** The user's, then the project's. A name stands for one: nothing a project declares takes the place of the user's. */
export function mergePipelines(users: readonly Pipeline[], projects: readonly Pipeline[]): Pipeline[] {
  for (const { name, source } of projects) {
    const taken = users.find((other) => other.name === name)?.source;
    if (taken === undefined) continue;
    const place = `${taken.file}:${taken.line}:${taken.column}`;
    throw invalid(
      source.file,
      source,
      `pipeline ${name} is already declared at ${place}, expected another name`,
    );
  }
  return [...users, ...projects];
}

function readPipeline({ file, owner }: Reading, { key: name, at, value }: MapEntry): Pipeline {
  checkName(file, at, "pipeline", name);
  const fields = readFields(file, value, `pipeline ${name}`, pipelineKeys);
  const { cwd, model, data, max_parallel, steps } = fields;
  // Where its files are looked for when it is approved is where it has to run.
  if (owner !== "user" && cwd !== undefined)
    throw invalid(file, cwd.keyAt, "cwd is the user's to set: a project's pipeline runs in its own folder");
  if (owner === "user" && cwd === undefined)
    throw invalid(file, at, `pipeline ${name} has no cwd, expected the folder its steps run in`);
  if (model !== undefined) checkName(file, model.at, "model", model.value);
  return {
    name,
    source: { file, ...at },
    folder: cwd?.value ?? dirname(file),
    model: model?.value ?? name,
    data: data === undefined ? null : readData(file, name, data.value),
    maxParallel: max_parallel?.value ?? 2,
    steps: readSteps(file, name, steps.value),
  };
}

function readData(file: string, pipeline: string, node: ConfigNode): DataSource {
  const { pattern, command } = readFields(file, node, `data of pipeline ${pipeline}`, dataKeys);
  if (pattern !== undefined && command !== undefined)
    throw invalid(file, command.keyAt, "pattern and command are both given, expected one of them");
  if (command !== undefined) return { command: readCommand(file, "command", command.value) };
  if (pattern === undefined)
    throw invalid(file, node.at, `data of pipeline ${pipeline} has no pattern and no command, expected one`);
  checkAt(file, pattern.at, () => compilePathGlob("pattern", pattern.value));
  return { pattern: pattern.value };
}

function readSteps(file: string, pipeline: string, node: ConfigNode): PipelineStep[] {
  if (node.kind !== "map" || node.entries.length === 0)
    throw invalid(
      file,
      node.at,
      `steps of pipeline ${pipeline} is ${showNode(node)}, expected a map of steps`,
    );
  const excess = node.entries[configLimits.pipelineSteps];
  if (excess !== undefined)
    throw invalid(file, excess.at, `more than ${configLimits.pipelineSteps} steps, expected fewer`);
  const entries = node.entries.map((entry) => ({ entry, step: readStep(file, entry) }));
  const names = entries.map(({ step }) => step.name);
  const makers = new Map<string, string>();
  for (const { entry, step } of entries) {
    for (const need of step.needs) {
      if (names.includes(need) && need !== step.name) continue;
      const near = didYouMean(
        suggest(
          need,
          names.filter((name) => name !== step.name),
        ),
      );
      throw invalid(
        file,
        needsAt(entry),
        `step ${step.name} needs ${show(need)}, expected another step${near}`,
      );
    }
    for (const output of step.outputs) {
      const maker = makers.get(output);
      if (maker !== undefined)
        throw invalid(
          file,
          entry.at,
          `steps ${maker} and ${step.name} both make ${show(output)}, expected one`,
        );
      makers.set(output, step.name);
    }
  }
  return ordered(file, entries);
}

function readStep(file: string, { key: name, at, value }: MapEntry): PipelineStep {
  checkName(file, at, "step", name);
  const fields = readFields(file, value, `step ${name}`, stepKeys);
  const { run, needs, inputs, outputs, files, environment, timeout_s, retries, metrics } = fields;
  for (const [key, field] of Object.entries({ inputs, files }))
    if (field !== undefined) checkGlobs(file, key, field);
  const made = [...(outputs?.value ?? []), ...(metrics === undefined ? [] : [metrics.value])];
  for (const path of made) {
    const field = metrics !== undefined && path === metrics.value ? metrics : outputs;
    if (!isBelow(path))
      throw invalid(
        file,
        (field ?? { at }).at,
        `${show(path)} is no output, expected a path below the folder`,
      );
  }
  for (const variable of Object.keys(environment?.value ?? {})) {
    if (/^(?!SWARM_)[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) continue;
    const expected = "a name of letters, digits and _ that does not begin with SWARM_";
    throw invalid(
      file,
      (environment ?? { at }).at,
      `environment has ${show(variable)}, expected ${expected}`,
    );
  }
  return {
    name,
    run: readCommand(file, "run", run.value),
    needs: [...new Set(needs?.value ?? [])],
    inputs: inputs?.value ?? [],
    outputs: [...new Set(made.map(plainPath))],
    files: files?.value ?? [],
    environment: environment?.value ?? {},
    timeoutMs: Math.max(1, Math.round((timeout_s?.value ?? 3_600) * 1_000)),
    retries: retries?.value ?? 0,
    metrics: metrics === undefined ? null : plainPath(metrics.value),
  };
}

/** Longer is no line: the system takes no single argument over 128 KiB. */
const maxLineChars = 32_768;

function readCommand(file: string, key: string, node: ConfigNode): StepCommand {
  const expected = stepKeys.run.expected;
  const isText = (part: ConfigNode): part is ConfigNode & { value: string } =>
    part.kind === "scalar" && typeof part.value === "string" && !part.value.includes("\0");
  if (node.kind === "list") {
    const wrong = node.items.find((item) => !isText(item));
    if (wrong !== undefined) throw invalid(file, wrong.at, `${key} has ${showNode(wrong)}, expected texts`);
    const words = node.items.map((item) => (isText(item) ? item.value : ""));
    if ((words[0] ?? "") !== "") return words;
  } else if (isText(node) && node.value.trim() !== "" && node.value.length <= maxLineChars) return node.value;
  throw invalid(file, node.at, `${key} is ${showNode(node)}, expected ${expected}`);
}

function checkGlobs(file: string, key: string, { value, at }: Placed<readonly string[]>): void {
  for (const glob of value) {
    checkAt(file, at, () => compilePathGlob(key, glob));
    if (glob.startsWith("/"))
      throw invalid(file, at, `${key} has ${show(glob)}, expected paths from the pipeline's folder`);
  }
}

function checkName(file: string, at: ConfigNode["at"], what: string, name: string): void {
  if (!pipelineName.test(name))
    throw invalid(file, at, `${what} ${show(name)} is not a name, expected ${pipelineNameWords}`);
}

/** What a step makes is removed and made again: nothing outside the folder, nor the folder itself. */
function isBelow(path: string): boolean {
  const segments = plainPath(path).split("/");
  return !path.startsWith("/") && plainPath(path) !== "" && !segments.includes("..");
}

function plainPath(path: string): string {
  return path
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}

interface ReadStep {
  readonly entry: MapEntry;
  readonly step: PipelineStep;
}

/** Each after those it needs, else as written. A circle is told as one: a → b → a. */
function ordered(file: string, entries: readonly ReadStep[]): PipelineStep[] {
  const done = new Set<string>();
  const result: PipelineStep[] = [];
  for (let left = entries; left.length > 0; ) {
    const ready = left.filter(({ step }) => step.needs.every((need) => done.has(need)));
    if (ready.length === 0) throw circle(file, left);
    for (const { step } of ready) {
      done.add(step.name);
      result.push(step);
    }
    left = left.filter(({ step }) => !done.has(step.name));
  }
  return result;
}

function circle(file: string, left: readonly ReadStep[]) {
  const byName = new Map(left.map((each) => [each.step.name, each]));
  const path: string[] = [];
  let at = left[0];
  // Each of these needs another of them: whoever follows that comes back to where it was.
  while (at !== undefined && !path.includes(at.step.name)) {
    path.push(at.step.name);
    at = byName.get(at.step.needs.find((need) => byName.has(need)) ?? "");
  }
  const first = at?.step.name ?? "";
  const words = [...path.slice(path.indexOf(first)), first].join(" → ");
  const entry = (at ?? left[0])?.entry;
  const place = entry === undefined ? { line: 1, column: 1 } : needsAt(entry);
  return invalid(file, place, `steps need each other: ${words}, expected no circle`);
}

function needsAt({ at, value }: MapEntry): ConfigNode["at"] {
  if (value.kind !== "map") return at;
  return value.entries.find(({ key }) => key === "needs")?.value.at ?? at;
}
