import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import type { JsonObject } from "../../../events/schema.ts";
import type { InputRecord } from "../../../ports/records.ts";
import type { ChunkWork, OpenedWork, PartTeller } from "../../part-teller.ts";
import type { ModelConfig } from "../model-config.ts";
import { packScored } from "../scored-wire.ts";
import { OnnxModel } from "./model.ts";
import type { OnnxRuntime } from "./runtime.ts";

/** `runtime`: the file onnxruntime-node is loaded from; `path`: the model's. */
export async function openOnnx(open: JsonObject): Promise<OpenedWork> {
  const {
    runtime: runtimeFile,
    path,
    config,
  } = open as {
    readonly runtime: string;
    readonly path: string;
    readonly config: ModelConfig;
  };
  const require = createRequire(import.meta.url);
  const runtime = require(runtimeFile) as OnnxRuntime;
  const bytes = await readFile(path);
  const model = await OnnxModel.load(runtime, bytes, config);
  const facts = {
    model: {
      sha256: createHash("sha256").update(bytes).digest("hex"),
      inputs: model.inputs.map(({ name, type, shape }) => ({ name, type, shape })),
      outputs: model.outputs.map(({ name, type, shape = [] }) => ({ name, type, shape })),
      runtime: `onnxruntime-node ${versionOf(runtimeFile)}, Node ${process.versions.node}`,
    },
    warnings: warningsOf(model),
    rss_bytes: process.memoryUsage.rss(),
  };
  return { work: workOf(model), facts };
}

function workOf(model: OnnxModel): ChunkWork {
  return async (records, teller) => {
    // One by one, when it is known that some record of them does not end.
    const groups = teller.isCareful ? records.map((record) => [record]) : [records];
    const parts: JsonObject[] = [];
    for (const group of groups) parts.push(...(await answer(model, group, teller)));
    teller.count({ parts });
  };
}

async function answer(
  model: OnnxModel,
  items: readonly InputRecord[],
  teller: PartTeller,
): Promise<JsonObject[]> {
  const startedMs = performance.now();
  const { rows, scored } = await model.predict(items.map(({ record }) => record as JsonObject));
  const latencyMs = (performance.now() - startedMs) / items.length;
  for (const [at, item] of items.entries()) {
    const row = rows[at] as (typeof rows)[number];
    if (typeof row === "string") teller.done(item, row, latencyMs);
    else teller.failed(item, row.class, row.message, latencyMs);
  }
  return scored.map(packScored);
}

function warningsOf({ fixedRows }: OnnxModel): string[] {
  if (fixedRows === null) return [];
  return [`the model takes ${fixedRows} at a time: export it with a dynamic first dimension to be faster`];
}

function versionOf(runtimeFile: string): string {
  for (let folder = dirname(runtimeFile); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = createRequire(import.meta.url)(join(folder, "package.json"));
      if (name === "onnxruntime-node") return String(version);
    } catch {
      // not there: one folder further up
    }
  }
  return "of unknown version";
}
