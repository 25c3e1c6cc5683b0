import { createRequire } from "node:module";
import { join } from "node:path";
import { findOnnxRuntime, runtimeVariable } from "./find-runtime.ts";
import type { OnnxRuntime } from "./runtime.ts";

/** Where `npm run test:inference` puts it: 291 MB are too much for everybody's `npm ci`. */
const cached = join(
  import.meta.dirname,
  "../../../../node_modules/.cache/swarm-inference/node_modules/onnxruntime-node",
);

/** The environment in which it is found; null where there is none. */
export const runtimeEnv: Readonly<Record<string, string>> | null = findEnv();

function findEnv(): Record<string, string> | null {
  const given = process.env[runtimeVariable];
  for (const env of [
    given === undefined ? {} : { [runtimeVariable]: given },
    { [runtimeVariable]: cached },
  ]) {
    try {
      findOnnxRuntime(env);
      return env;
    } catch {
      // not there
    }
  }
  return null;
}

export const withoutRuntime: string | false =
  runtimeEnv === null ? "needs onnxruntime-node: npm run test:inference installs it" : false;

export function loadRuntime(): OnnxRuntime {
  return createRequire(import.meta.url)(findOnnxRuntime(runtimeEnv ?? {})) as OnnxRuntime;
}
