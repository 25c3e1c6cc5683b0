import { type JsonObject, oneOf, required, text } from "../../../../engine/events/schema.ts";
import { hookEnvironment } from "../../../../handlers/process/environment.ts";
import { programPath } from "../../../../handlers/process/program-path.ts";
import { runProcess } from "../../../../handlers/process/run-process.ts";
import { sandboxLimits } from "../../../../handlers/process/sandbox.ts";
import type { ProcessorCall, ProcessorKind } from "../../port/processor.ts";
import { openPool } from "../pool.ts";
import { nodeArgv, pythonArgv } from "../programs.ts";
import { type FoundFunction, findFunction, type Runtime, splitFunction } from "./find-function.ts";

/** Importing a module may mean loading a model. */
const startTimeoutMs = 120_000;
const lookTimeoutMs = 30_000;

/** A function of the operator's, in processes of its own. */
export const custom: ProcessorKind = {
  doc: "Calls a function for each record, in worker processes: TypeScript, JavaScript or Python.",
  fields: {
    function: required(
      text('The function, as "module:function": ./score.ts:score, a package, or pkg.mod:func.'),
    ),
    mode: oneOf(["record", "chunk"], "Whether it gets one record or a list of them; default record."),
    runtime: oneOf(["auto", "node", "python"], "Who runs it; default auto: by what the module is."),
    python: text("The Python to run it with; default python3."),
  },
  check(config) {
    if (splitFunction(String(config.function)) === null)
      return {
        option: "function",
        expected: '"module:function", such as ./score.ts:score or pkg.mod:func',
      };
    const python = String(config.python ?? "python3");
    const isProgram = python.trim() !== "" && !python.includes("\0");
    return isProgram ? null : { option: "python", expected: "the name or path of a program" };
  },
  async open(config, call) {
    const python = programPath(String(config.python ?? "python3"), call.cwd);
    const env = hookEnvironment(call.env, { SWARM_BATCH_RUN_ID: call.run_id });
    const hasModule = (name: string) => hasPythonModule(python, name, env, call);
    const runtime = (config.runtime ?? "auto") as Runtime | "auto";
    const found = await findFunction(String(config.function), runtime, call.cwd, hasModule);
    const argv = found.runtime === "node" ? nodeArgv(found.module) : pythonArgv(python, "custom_worker.py");
    const program = { argv, cwd: call.cwd, env };
    const isOneCall = config.mode === "chunk";
    const options = { name: "custom", program, sandbox: call.sandbox, startTimeoutMs, isOneCall };
    return openPool({ ...options, open: openingOf(found, config, call) }, call);
  },
};

function openingOf(
  found: FoundFunction,
  { mode = "record" }: JsonObject,
  { idField }: ProcessorCall,
): JsonObject {
  return { kind: "custom", id_field: idField, module: found.module, function: found.function, mode };
}

/** Looks without importing: what a module does when it is imported is for a worker to suffer. */
async function hasPythonModule(
  python: string,
  name: string,
  env: Record<string, string>,
  { cwd, signal, sandbox }: ProcessorCall,
): Promise<boolean> {
  const line = `import sys,importlib.util as u; sys.exit(u.find_spec(${JSON.stringify(name)}) is None)`;
  const program = { argv: [python, "-c", line] as const, cwd, env };
  const spec = { ...program, stdin: "", timeoutMs: lookTimeoutMs, signal, spillFolder: null };
  const { ending } = await runProcess(spec, sandboxLimits(sandbox));
  return ending.how === "exited" && ending.exitCode === 0;
}
