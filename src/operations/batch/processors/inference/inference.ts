import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { SwarmError } from "../../../../base/errors.ts";
import type { JsonObject } from "../../../../engine/events/schema.ts";
import { hookEnvironment } from "../../../../handlers/process/environment.ts";
import { offlineNamespace } from "../../../../handlers/process/process-namespace.ts";
import type { ChunkEnd, ChunkPart, ProcessorCall, ProcessorKind } from "../../port/processor.ts";
import { openPool, type PoolOptions } from "../pool.ts";
import { nodeArgv, pythonArgv } from "../programs.ts";
import { findPython } from "./find-python.ts";
import { workersThatFit } from "./memory.ts";
import { inferenceTally, tallyOf } from "./metrics/tally.ts";
import { checkModelConfig, formatOf, type ModelConfig, modelFields } from "./model-config.ts";
import { findOnnxRuntime } from "./onnx/find-runtime.ts";
import { unpackScored } from "./scored-wire.ts";

/** A large model takes minutes to read from a slow disk. */
const startTimeoutMs = 600_000;

/**
 * Of ONNX workers. Nothing they make outlives its chunk, so little is let pile up before V8 clears it away: as fast as the
 * three times 16 MiB it would take otherwise.
 */
const nodeFlags = ["--max-semi-space-size=4"];

/** A trained model, in worker processes that have loaded it once. */
export const inference: ProcessorKind = inferenceWith(() => process.availableMemory());

/** `availableBytes`: what is free for workers. */
export function inferenceWith(availableBytes: () => number): ProcessorKind {
  return {
    doc: "Answers each record by a trained model: ONNX, or scikit-learn's kept with joblib.",
    fields: modelFields,
    check: checkModelConfig,
    codeFiles(config) {
      return formatOf(config as ModelConfig) === "joblib" ? [String(config.model_path)] : [];
    },
    async open(given, call) {
      const config = given as ModelConfig;
      const path = resolve(call.cwd, config.model_path);
      const format = formatOf(config) ?? "onnx";
      const started = await (format === "onnx" ? onnxWorkers : joblibWorkers)(path, config, call);
      const known = new KnownModel({ path, format, ...started.model }, started.warnings, call);
      const pool = await openPool(
        {
          name: "inference",
          sandbox: call.sandbox,
          isOffline: true,
          startTimeoutMs,
          tally: rawTally,
          workersFor: (facts) => known.know(facts as unknown as WorkerFacts, availableBytes()),
          ...started.pool,
        },
        call,
      );
      return {
        isOneCall: true,
        async run(chunk, onPart) {
          const onSummed =
            onPart && (({ end, ...part }: ChunkPart) => onPart({ ...part, end: summed(end, known) }));
          return summed(await pool.run(chunk, onSummed), known);
        },
        close: () => pool.close(),
      };
    },
    tally: inferenceTally,
  };
}

interface Workers {
  readonly pool: Pick<PoolOptions, "program" | "open">;
  readonly model: JsonObject;
  readonly warnings: readonly string[];
}

type Start = (path: string, config: ModelConfig, call: ProcessorCall) => Promise<Workers>;

const onnxWorkers: Start = async (path, config, { env, run_id, cwd, idField }) => {
  const runtime = findOnnxRuntime(env);
  const sha256 = await readable(path, () => digestOf(path));
  const program = {
    argv: nodeArgv("", nodeFlags),
    cwd,
    env: hookEnvironment(env, { SWARM_BATCH_RUN_ID: run_id }),
  };
  const open = { kind: "onnx", id_field: idField, runtime, path, sha256, config };
  return { pool: { program, open }, model: {}, warnings: [] };
};

const joblibWorkers: Start = async (path, config, call) => {
  const { copies = {}, env, run_id, cwd, idField } = call;
  await readable(path, () => access(path, constants.R_OK));
  const trusted = Object.hasOwn(copies, config.model_path) ? copies[config.model_path] : undefined;
  if (trusted === undefined)
    throw new SwarmError("SWARM_FILE_UNTRUSTED", { path, sha256: "not looked at", approved: false });
  const threads = String(config.threads ?? 1);
  const programEnv = hookEnvironment(env, {
    SWARM_BATCH_RUN_ID: run_id,
    OMP_NUM_THREADS: threads,
    OPENBLAS_NUM_THREADS: threads,
    MKL_NUM_THREADS: threads,
  });
  const python = await findPython(config.python, call, programEnv);
  const { sha256, copy } = trusted;
  const program = { argv: pythonArgv(python, "joblib_worker.py"), cwd, env: programEnv };
  const { problem } = offlineNamespace();
  const warnings = problem === null ? [] : [`the model was run with the network of this machine: ${problem}`];
  const open = { kind: "joblib", id_field: idField, copy, sha256, config };
  return { pool: { program, open }, model: { sha256 }, warnings };
};

/** What is known of a model: what its first worker tells, and what whoever reads the results should know. */
class KnownModel {
  readonly warnings: string[];
  facts: JsonObject;
  readonly #call: ProcessorCall;

  constructor(facts: JsonObject, warnings: readonly string[], call: ProcessorCall) {
    this.facts = facts;
    this.warnings = [...warnings];
    this.#call = call;
  }

  /** Returns how many workers there may be. */
  know({ model, warnings, rss_bytes, has_converter }: WorkerFacts, availableBytes: number): number {
    const { concurrency } = this.#call;
    const workers = Math.min(concurrency, workersThatFit(rss_bytes, availableBytes));
    this.facts = { ...this.facts, ...model, worker_rss_bytes: rss_bytes, workers };
    if (workers < concurrency)
      this.#warn(
        `${workers} of ${concurrency} workers: each takes ${Math.ceil(rss_bytes / 1024 ** 2)} MiB, and no more fit into memory`,
      );
    if (has_converter === true)
      this.#warn("skl2onnx is installed: the model may be faster as ONNX, see docs/inference.md");
    for (const warning of warnings) this.#warn(warning);
    return workers;
  }

  #warn(warning: string): void {
    this.warnings.push(warning);
    this.#call.print(`${warning}\n`);
  }
}

interface WorkerFacts {
  readonly model: JsonObject;
  readonly warnings: readonly string[];
  readonly rss_bytes: number;
  readonly has_converter?: boolean;
}

/** The scores of a chunk made into sums. */
function summed({ tally, ...end }: ChunkEnd, { facts, warnings }: KnownModel): ChunkEnd {
  const parts = (tally?.parts ?? []) as readonly JsonObject[];
  const scored = parts.length === 0 ? [null] : parts.map(unpackScored);
  const sums = scored.map((one) => tallyOf(facts, warnings, one));
  return { ...end, tally: sums.reduce((sum, one) => inferenceTally.merge(sum, one)) };
}

/** Scores of parts stay side by side until they are made into sums. */
const rawTally = {
  merge: (sum: JsonObject | null, { parts = [] }: JsonObject): JsonObject => ({
    parts: [...((sum?.parts ?? []) as JsonObject[]), ...(parts as JsonObject[])],
  }),
};

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_FILE_UNREADABLE", { path, problem }, { cause: error });
  }
}

/** Workers are started one after the other, and again: all of them have to load the same bytes. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const block of createReadStream(path)) hash.update(block as Buffer);
  return hash.digest("hex");
}
