import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** `./script` is the one beside the file that names it, `~/script` the user's; any other name is looked for in PATH. */
export function programPath(program: string, baseFolder: string): string {
  if (program.startsWith("~/")) return join(homedir(), program.slice(2));
  return /^\.\.?\//.test(program) ? resolve(baseFolder, program) : program;
}
