import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunnerMessage, RunSpec } from "../src/operations/batch/run-spec.ts";
import { startRun } from "../src/operations/batch/start-run.ts";
import { python, withoutSklearn } from "../src/operations/batch/processors/inference/joblib/models.cases.ts";
import { findOnnxRuntime } from "../src/operations/batch/processors/inference/onnx/find-runtime.ts";
import { forest, perceptron } from "../src/operations/batch/processors/inference/onnx/models.cases.ts";
import {
  runtimeEnv,
  withoutRuntime,
} from "../src/operations/batch/processors/inference/onnx/runtime.cases.ts";
import { type Amounts, inTurn } from "./measure.ts";
import { root } from "./native-programs.ts";
import type { Scene } from "./scenes.ts";

/** Answers of a model to a file of records with 30 features, from JSONL to results. */
export const inferences = {
  forest: "ONNX forest of 100 trees",
  bareForest: "bare onnxruntime-node loop, batches of 1024",
  singleForest: "the same, record by record",
  perceptron: "ONNX perceptron",
  parse: "parsing the JSON alone",
  joblib: "scikit-learn forest of 100 trees, chunks of 1000",
  bareJoblib: "bare Python loop over the same chunks",
  singleJoblib: "predict record by record",
  memoryLarge: "ONNX perceptron, 2 M records",
  memorySmall: "ONNX perceptron, 100 k records",
} as const;

type Name = (typeof inferences)[keyof typeof inferences];

/** Runs take seconds. */
const maxRounds = 3;
const runner = join(root, "dist/bundle/batch/batch-runner.js");
const program = (file: string) => join(import.meta.dirname, "inference", file);

interface Job {
  readonly records: number;
  run(input: string, files: Files): Promise<unknown>;
}

interface Files {
  readonly folder: string;
  readonly forest: string;
  readonly perceptron: string;
  readonly joblib: string;
}

const jobs: Partial<Record<Name, Job>> = {
  [inferences.forest]: { records: 200_000, run: (input, files) => onnxRun(input, files.forest, files) },
  [inferences.bareForest]: { records: 200_000, run: (input, files) => bareOnnx(input, files, 1024) },
  [inferences.singleForest]: { records: 10_000, run: (input, files) => bareOnnx(input, files, 1) },
  [inferences.perceptron]: {
    records: 200_000,
    run: (input, files) => onnxRun(input, files.perceptron, files),
  },
  [inferences.parse]: {
    records: 200_000,
    run: (input) => ended(process.execPath, [program("parse.mjs"), input]),
  },
  [inferences.joblib]: { records: 120_000, run: (input, files) => joblibRun(input, files) },
  [inferences.bareJoblib]: { records: 120_000, run: (input, files) => bareJoblib(input, files, 1000) },
  [inferences.singleJoblib]: { records: 200, run: (input, files) => bareJoblib(input, files, 1) },
};

const { forest: ours, bareForest, singleForest, parse, joblib, bareJoblib: bare, singleJoblib } = inferences;

/** As records a second the targets are 0.8 of the bare loops', 4 and 200 times one record after the other's, 0.6 of parsing's. */
export function inferenceScenes(
  programOf: (name: string) => ReturnType<Scene["contestants"]>[number],
): Scene[] {
  const scene = (
    rows: Scene["rows"],
    measuredBy: NonNullable<Scene["measuredBy"]>,
    isMemory?: true,
  ): Scene => ({
    suite: "inference",
    contestants: () => [...new Set(rows.flatMap(([name, against]) => [name, against]))].map(programOf),
    verify: async () => undefined,
    measuredBy,
    ...(isMemory && { isMemory }),
    rows,
  });
  const { perceptron: mlp, memoryLarge, memorySmall } = inferences;
  const onnx = [
    scene(
      [
        [ours, bareForest, 1 / 0.8],
        [ours, singleForest, 1 / 4],
      ],
      timePerRecord([ours, bareForest, singleForest]),
    ),
    scene([[mlp, parse, 1 / 0.6]], timePerRecord([mlp, parse])),
    scene(
      [[memoryLarge, memorySmall, 1.2]],
      peakOf({ [memoryLarge]: 2_000_000, [memorySmall]: 100_000 }),
      true,
    ),
  ];
  const sklearn = scene(
    [
      [joblib, bare, 1 / 0.8],
      [joblib, singleJoblib, 1 / 200],
    ],
    timePerRecord([joblib, bare, singleJoblib]),
  );
  // Without its library a suite has no such scene: there is nothing to compare.
  return [...(withoutRuntime === false ? onnx : []), ...(withoutSklearn === false ? [sklearn] : [])];
}

/** Nanoseconds for each record. What starting and loading take is known from a file of one record, and taken off everywhere. */
function timePerRecord(names: readonly Name[]) {
  return (rounds: number): Promise<Amounts> =>
    inFolder(async (files) => {
      const amounts = new Map<string, number[]>(names.map((name) => [name, []]));
      const one = makeInput(files.folder, 1);
      const inputs = new Map(
        names.map((name) => jobs[name]?.records ?? 0).map((count) => [count, makeInput(files.folder, count)]),
      );
      const turns = names.map((name) => ({ name, isSync: false, run: () => null, read: () => null }));
      for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
        for (const { name } of inTurn(turns, round)) {
          const job = jobs[name as Name] as Job;
          const startMs = await timed(() => job.run(one, files));
          const ms = await timed(() => job.run(inputs.get(job.records) ?? "", files));
          amounts.get(name)?.push(((ms - startMs) * 1e6) / job.records);
        }
      }
      return amounts;
    });
}

/** The most memory the processes of a run had together. */
function peakOf(sizes: Readonly<Partial<Record<Name, number>>>) {
  return (): Promise<Amounts> =>
    inFolder(async (files) => {
      const amounts = new Map<string, number[]>();
      for (const [name, count] of Object.entries(sizes)) {
        const { peakMib } = await onnxRun(makeInput(files.folder, count), files.perceptron, files);
        amounts.set(name, [peakMib]);
      }
      return amounts;
    });
}

function onnxRun(input: string, model: string, { folder }: Files) {
  return batchRun(input, folder, { model_path: model, features: featureNames }, null, {});
}

function joblibRun(input: string, { folder, joblib: model }: Files) {
  const sha256 = createHash("sha256").update(readFileSync(model)).digest("hex");
  const config = { model_path: model, features: featureNames, python };
  return batchRun(input, folder, config, 1000, { [model]: { sha256, copy: model } });
}

/** As the daemon would start it, two workers. */
async function batchRun(
  input: string,
  folder: string,
  config: RunSpec["config"],
  chunk_records: number | null,
  copies: Readonly<Record<string, { sha256: string; copy: string }>>,
): Promise<{ peakMib: number }> {
  const output = mkdtempSync(join(folder, "out-"));
  rmSync(output, { recursive: true });
  const spec: RunSpec = {
    ...{ run_id: "bench", name: null, is_gzip: false, processor: "inference", config, order: "record" },
    ...{
      concurrency: 2,
      id_field: "record_id",
      dedupe: false,
      max_errors: null,
      record_timeout_s: 60,
      chunk_records,
    },
    ...{ checkpoint_records: 10, checkpoint_ms: 100, cwd: folder, input, output },
  };
  const env = { ...process.env, ...runtimeEnv, NODE_EXTRA_CA_CERTS: undefined };
  let peakMib = 0;
  let pid = 0;
  const onMessage = (_: RunnerMessage) => {
    peakMib = Math.max(peakMib, residentMib(pid));
  };
  const running = startRun(
    { spec, is_resumed: false, sandbox: "off", copies },
    { program: runner, env, onMessage },
  );
  pid = running.pid ?? 0;
  const end = await running.ended;
  rmSync(output, { recursive: true, force: true });
  if (end.type !== "completed" || end.checkpoint.failed_count > 0) throw new Error(JSON.stringify(end));
  return { peakMib };
}

/** Of a process and all it has started. */
function residentMib(pid: number): number {
  try {
    const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean);
    return kib / 1024 + children.reduce((sum, child) => sum + residentMib(Number(child)), 0);
  } catch {
    return 0; // gone
  }
}

function bareOnnx(input: string, files: Files, batch: number): Promise<unknown> {
  const args = [
    findOnnxRuntime(runtimeEnv ?? {}),
    files.forest,
    input,
    join(files.folder, "rows"),
    `${batch}`,
  ];
  return ended(process.execPath, [program("bare-onnx.mjs"), ...args]);
}

function bareJoblib(input: string, { folder, joblib: model }: Files, batch: number): Promise<unknown> {
  return ended(python ?? "", [program("bare_joblib.py"), model, input, join(folder, "rows"), `${batch}`]);
}

async function ended(command: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, OMP_NUM_THREADS: "1", NODE_EXTRA_CA_CERTS: undefined };
  const [code] = await once(spawn(command, args, { stdio: ["ignore", "ignore", "inherit"], env }), "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function inFolder(work: (files: Files) => Promise<Amounts>): Promise<Amounts> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-inference-"));
  const named = (name: string) => join(folder, name);
  const onnx = { forest: named("forest.onnx"), perceptron: named("mlp.onnx") };
  const files = { folder, ...onnx, joblib: named("forest.joblib") };
  const random = randomNumbers(7);
  try {
    writeFileSync(files.forest, forest({ trees: 100, depth: 8, features: 30 }, random));
    writeFileSync(files.perceptron, perceptron([30, 64, 32, 1], random));
    if (python !== null) execFileSync(python, [program("make_forest.py"), files.joblib]);
    return await work(files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const featureNames = Array.from({ length: 30 }, (_, index) => `f${index}`);

function makeInput(folder: string, count: number): string {
  const path = join(folder, `in-${count}.jsonl`);
  const random = randomNumbers(11);
  const file = openSync(path, "w");
  for (let at = 0, text = ""; at < count; at++) {
    const features = featureNames.map((name) => `"${name}":${random().toFixed(4)}`).join(",");
    text += `{"record_id":"r${at}",${features}}\n`;
    if (text.length < 1_000_000 && at < count - 1) continue;
    writeSync(file, text);
    text = "";
  }
  closeSync(file);
  return path;
}

/** The same numbers every time. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
