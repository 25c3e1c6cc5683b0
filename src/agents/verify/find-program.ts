import { delimiter, join } from "node:path";
import { isExecutable } from "../../base/is-executable.ts";
import { runProcess } from "../../handlers/process/run-process.ts";
import type { AgentProgram } from "./agents/agent-program.ts";

/** Where the agent's program is: where its variable says, else on PATH; null when it is not there. */
export function findProgram(
  { program, programVariable }: AgentProgram,
  env: NodeJS.ProcessEnv,
): string | null {
  const told = env[programVariable];
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = told === undefined ? folders.map((folder) => join(folder, program)) : [told];
  return candidates.find(isExecutable) ?? null;
}

/** What it says of itself; null when it does not say. */
export async function versionOf(
  program: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<string | null> {
  const argv = [program, "--version"] as const;
  const { stdout } = await runProcess({ argv, cwd, env, stdin: "", timeoutMs: 20_000, spillFolder: null });
  return /\d+\.\d+\.\d+(?:[\w.+-]*\w)?/.exec(stdout)?.[0] ?? null;
}
