import { SwarmError } from "../../../../base/errors.ts";
import { programPath } from "../../../../handlers/process/program-path.ts";
import { runProcess } from "../../../../handlers/process/run-process.ts";
import { sandboxLimits } from "../../../../handlers/process/sandbox.ts";
import type { ProcessorCall } from "../../port/processor.ts";

/** Names the Python of joblib models where the configuration does not. */
export const pythonVariable = "SWARM_PYTHON";

const lookTimeoutMs = 30_000;

/** Looks for what a model needs without importing it: that takes a second, and workers do it anyway. */
const look = `import sys, importlib.util as u
missing = [name for name in ("joblib", "sklearn", "numpy") if u.find_spec(name) is None]
if missing: sys.exit("Python %s has no module %s" % (sys.version.split()[0], ", ".join(missing)))`;

/** The Python to use; it throws SWARM_SKLEARN_MISSING when it has no scikit-learn. */
export async function findPython(
  given: string | undefined,
  { env, cwd, signal, sandbox }: ProcessorCall,
  programEnv: Readonly<Record<string, string>>,
): Promise<string> {
  const python = programPath(given ?? (env[pythonVariable] || "python3"), cwd);
  // Isolated: a project's own sklearn.py is none.
  const program = { argv: [python, "-I", "-c", look] as const, cwd, env: programEnv };
  const spec = { ...program, stdin: "", timeoutMs: lookTimeoutMs, signal, spillFolder: null };
  const { ending, stderr } = await runProcess(spec, sandboxLimits(sandbox));
  if (ending.how === "exited" && ending.exitCode === 0) return python;
  const problem = ending.how === "not_started" ? ending.error : stderr.trim() || "it does not answer";
  throw new SwarmError("SWARM_SKLEARN_MISSING", { python, problem });
}
