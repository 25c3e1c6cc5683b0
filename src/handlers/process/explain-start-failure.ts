import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { oneLine } from "../../base/show.ts";
import type { Program } from "./run-process.ts";

/**
 * Why a program could not be started, in a sentence that names what to repair. The kernel says ENOENT for a missing
 * folder, a missing program and a missing interpreter alike. Node's own message is not used: for a bad environment
 * it quotes the value, which may be a secret.
 */
export function explainStartFailure(spec: Program, error: unknown): string {
  return startProblem(spec) ?? `the program ${quoted(spec.argv[0])} could not be started: ${codeOf(error)}`;
}

/** What stands in the way of starting it, or null if nothing can be seen that does. Only looked at after a failure. */
export function startProblem(spec: Program): string | null {
  return argumentProblem(spec) ?? folderProblem(spec.cwd) ?? programProblem(spec);
}

function argumentProblem({ argv, cwd, env }: Program): string | null {
  if (argv[0] === "") return "the program's name is empty";
  if (cwd === "") return `the working directory of ${quoted(argv[0])} is empty`;
  if (cwd.includes("\0")) return `the working directory ${quoted(cwd)} holds a NUL character`;
  const badArgument = argv.findIndex((argument) => argument.includes("\0"));
  if (badArgument === 0) return `the program's name ${quoted(argv[0])} holds a NUL character`;
  if (badArgument > 0) return `argument ${badArgument} of ${quoted(argv[0])} holds a NUL character`;
  const badName = Object.keys(env).find((name) => `${name}${env[name]}`.includes("\0"));
  if (badName === undefined) return null;
  return `the environment variable ${quoted(badName)} of ${quoted(argv[0])} holds a NUL character`;
}

function folderProblem(cwd: string): string | null {
  const code = codeFrom(() => {
    if (!statSync(cwd).isDirectory()) throw Object.assign(new Error(cwd), { code: "ENOTDIR" });
    accessSync(cwd, constants.X_OK);
  });
  if (code === null) return null;
  const problem = { ENOENT: "does not exist", ENOTDIR: "is not a directory", EACCES: "may not be entered" }[
    code
  ];
  return `the working directory ${quoted(cwd)} ${problem ?? `cannot be used: ${code}`}`;
}

function programProblem({ argv: [program], cwd, env }: Program): string | null {
  if (process.platform === "win32") return null; // its search adds endings and folders of its own
  const isPath = program.includes("/");
  const folders = isPath ? [""] : (env.PATH ?? "/bin:/usr/bin").split(delimiter);
  const candidates = folders.map((folder) => resolve(cwd, folder, program));
  const runnable = candidates.find((path) => codeFrom(() => checkRunnable(path)) === null);
  if (runnable !== undefined) return interpreterProblem(program, runnable, cwd);
  const isThere = candidates.some((path) => codeFrom(() => statSync(path)) === null);
  if (isThere) return `the program ${quoted(program)} is not an executable file`;
  return `the program ${quoted(program)} ${isPath ? "does not exist" : "was not found in PATH"}`;
}

function checkRunnable(path: string): void {
  if (!statSync(path).isFile()) throw Object.assign(new Error(path), { code: "EACCES" });
  accessSync(path, constants.X_OK);
}

/** A script whose first line, `#!/path/of/interpreter`, names something that is not there. */
function interpreterProblem(program: string, path: string, cwd: string): string | null {
  const interpreter = /^#![ \t]*([^ \t\n]+)/.exec(firstBytes(path))?.[1];
  if (interpreter === undefined) return null;
  if (codeFrom(() => checkRunnable(resolve(cwd, interpreter))) === null) return null;
  return `the program ${quoted(program)} needs the interpreter ${quoted(interpreter)}, which cannot be run`;
}

/** As many as the kernel looks at. */
function firstBytes(path: string): string {
  const bytes = Buffer.alloc(256);
  const code = codeFrom(() => {
    const file = openSync(path, "r");
    try {
      readSync(file, bytes);
    } finally {
      closeSync(file);
    }
  });
  return code === null ? bytes.toString("latin1") : "";
}

function codeFrom(attempt: () => void): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "for a reason it does not give";
}

function quoted(text: string): string {
  return oneLine(JSON.stringify(text.slice(0, 300)), 300);
}
