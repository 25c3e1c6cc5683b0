// Inference with the real libraries: `npm run test:inference`. Installs what is missing where it may: onnxruntime-node (291 MB)
// into a cache below node_modules, scikit-learn from Debian. `npm test` runs the same tests with whatever is there.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { python, withoutSklearn } from "../src/operations/batch/processors/inference/joblib/models.cases.ts";
import { withoutRuntime } from "../src/operations/batch/processors/inference/onnx/runtime.cases.ts";

const root = join(import.meta.dirname, "..");
if (withoutRuntime !== false) installRuntime();
if (withoutSklearn !== false) installSklearn();
const files = [
  "src/operations/batch/processors/inference/metrics/metrics.test.ts",
  "src/operations/batch/processors/inference/flat-lines.test.ts",
  "src/operations/batch/processors/inference/onnx/answer-chunk.test.ts",
  "src/operations/batch/processors/inference/onnx/model.test.ts",
];
const whole = ["src/operations/batch/processors/inference/inference.test.ts", "test/e2e/inference.test.ts"];
const { status } = run(process.execPath, ["scripts/test.ts", ...files, ...whole]);
process.exitCode = status ?? 1;

function installRuntime(): void {
  const folder = join(root, "node_modules/.cache/swarm-inference");
  mkdirSync(folder, { recursive: true });
  // Without the variable its install step downloads a GPU build, which not every machine can reach.
  const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" };
  run(
    "npm",
    ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "onnxruntime-node"],
    env,
  );
}

function installSklearn(): void {
  if (python !== null || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "python3-sklearn"]);
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", env });
}
