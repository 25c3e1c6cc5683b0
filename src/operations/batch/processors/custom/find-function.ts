import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SwarmError } from "../../../../base/errors.ts";
import { programPath } from "../../../../handlers/process/program-path.ts";

export type Runtime = "node" | "python";

/** What is imported, by whom, and the name of the function in it. */
export interface FoundFunction {
  readonly runtime: Runtime;
  /** The absolute path of a file, the name of a package, or of a Python module. */
  readonly module: string;
  readonly function: string;
}

const nodeFile = /\.[cm]?[jt]s$/;
const pythonFile = /\.py$/;
const pythonName = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

/** The two halves of `module:function`; null if it is not of that form. The module may hold colons, the function not. */
export function splitFunction(text: string): { readonly module: string; readonly name: string } | null {
  const [, module, name] = /^(.+):([\p{ID_Start}_$][\p{ID_Continue}$]*)$/su.exec(text) ?? [];
  return module === undefined || name === undefined || module.includes("\0") ? null : { module, name };
}

/**
 * Whose a function is, by what is there: `./score.ts` and `score.mjs` are files for Node, `score.py` is one for Python, and a bare
 * name is a Python module of the working directory or a package of `node_modules`. `hasPythonModule` is asked last.
 */
export async function findFunction(
  text: string,
  runtime: Runtime | "auto",
  cwd: string,
  hasPythonModule: (topName: string) => Promise<boolean>,
): Promise<FoundFunction> {
  const { module, name } = splitFunction(text) ?? { module: text, name: "" };
  const unknown = (...looked: string[]) => new SwarmError("SWARM_BATCH_FUNCTION_UNKNOWN", { module, looked });
  const found = (by: Runtime, what: string) => ({ runtime: by, module: what, function: name });

  const isFile = nodeFile.test(module) || pythonFile.test(module) || /^(\.\.?|~)?\//.test(module);
  if (isFile) {
    const file = programPath(/^[/~.]/.test(module) ? module : `./${module}`, cwd);
    if (!isPlainFile(file)) throw unknown(`there is no file ${file}`);
    if (runtime !== "auto") return found(runtime, file);
    if (pythonFile.test(file)) return found("python", file);
    if (nodeFile.test(file)) return found("node", file);
    throw unknown(`${file} is neither JavaScript, TypeScript nor Python by its name`);
  }
  if (runtime !== "auto") return found(runtime, module);

  const folder = packageFolder(module, cwd);
  const python = pythonName.test(module) ? pythonFiles(module, cwd) : [];
  const pythonPath = python.find(isPlainFile);
  if (folder !== null && pythonPath !== undefined) {
    throw unknown(`it is both ${pythonPath} and the package ${folder}`, "set runtime to node or python");
  }
  if (folder !== null) return found("node", module);
  if (pythonPath !== undefined) return found("python", module);
  const isPython = pythonName.test(module);
  if (isPython && (await hasPythonModule(module.split(".")[0] ?? ""))) return found("python", module);
  throw unknown(
    ...python.map((file) => `there is no ${file}`),
    `no package of this name in node_modules of ${cwd} or above`,
    ...(isPython ? ["Python knows no module of this name"] : []),
  );
}

function pythonFiles(module: string, cwd: string): string[] {
  const path = join(cwd, ...module.split("."));
  return [`${path}.py`, join(path, "__init__.py")];
}

/** A package is looked for as Node does, in the folder and all above it. */
function packageFolder(module: string, cwd: string): string | null {
  const [, name = ""] = /^((?:@[^/]+\/)?[^/]+)/.exec(module) ?? [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    const tried = join(folder, "node_modules", name);
    if (existsSync(tried)) return tried;
    if (dirname(folder) === folder) return null;
  }
}

function isPlainFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not to be seen
  }
}
