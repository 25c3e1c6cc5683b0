import { createRequire } from "node:module";
import { join } from "node:path";
import { SwarmError } from "../../../../../base/errors.ts";

/** Names the folder of onnxruntime-node where it is not among the packages this one finds. */
export const runtimeVariable = "SWARM_ONNXRUNTIME";

/** The file to load onnxruntime-node from. It is not loaded: only a worker does that. */
export function findOnnxRuntime(env: NodeJS.ProcessEnv): string {
  const folder = env[runtimeVariable];
  const name = folder === undefined || folder === "" ? "onnxruntime-node" : join(folder, "package.json");
  const require = createRequire(import.meta.url);
  try {
    return folder === undefined || folder === ""
      ? require.resolve(name)
      : createRequire(name).resolve(folder);
  } catch (error) {
    throw new SwarmError("SWARM_ONNX_RUNTIME_MISSING", { looked: folder || null }, { cause: error });
  }
}
