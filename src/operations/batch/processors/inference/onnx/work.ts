import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../../../../engine/events/schema.ts";
import type { OpenedWork } from "../../part-teller.ts";
import type { ModelConfig } from "../model-config.ts";
import { workOf } from "./answer-chunk.ts";
import { OnnxModel } from "./model.ts";
import type { OnnxRuntime } from "./runtime.ts";

/** `runtime`: the file onnxruntime-node is loaded from; `path`: the model's; `sha256`: of its bytes when the run began. */
export async function openOnnx(open: JsonObject): Promise<OpenedWork> {
  const {
    runtime: runtimeFile,
    path,
    sha256,
    config,
  } = open as JsonObject & {
    readonly runtime: string;
    readonly path: string;
    readonly sha256: string;
    readonly config: ModelConfig;
  };
  const require = createRequire(import.meta.url);
  const runtime = require(runtimeFile) as OnnxRuntime;
  const bytes = await readFile(path);
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw new Error("the model's file has changed since the run began");
  const model = await OnnxModel.load(runtime, bytes, config);
  const facts = {
    model: {
      sha256,
      inputs: model.inputs.map(({ name, type, shape }) => ({ name, type, shape })),
      outputs: model.outputs.map(({ name, type, shape = [] }) => ({ name, type, shape })),
      runtime: `onnxruntime-node ${versionOf(runtimeFile)}, Node ${process.versions.node}`,
    },
    warnings: warningsOf(model),
    rss_bytes: process.memoryUsage.rss(),
  };
  return { work: workOf(model, String(open.id_field), config), facts };
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
