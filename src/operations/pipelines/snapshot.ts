import { resolve } from "node:path";
import { newId } from "../../base/ids.ts";
import { redact } from "../../base/redact.ts";
import { oneLine, show } from "../../base/show.ts";
import type { Pipeline, StepCommand } from "./port/pipeline.ts";
import type { DigestedPath } from "./port/pipeline-store.ts";
import { judgeCommand, runCommand, tellHooks } from "./command.ts";
import { originOf, type RunContext, variablesOf } from "./context.ts";
import { digestPath, newestFile, Unreadable } from "./digest-files.ts";

/** A command that looks for the data has this long. */
const timeoutMs = 600_000;
/** What the command that prints the data's path is called where steps are. */
export const dataStep = "data";

/** The data of a run with its digest; null when its pipeline has none. A run that is resumed goes on with what it had. */
export async function takeSnapshot(context: RunContext): Promise<DigestedPath | null> {
  const { pipeline, run, givenData, signal } = context;
  if (run.data !== null) return sameData(run.data, signal);
  const path = givenData === null ? await latestData(context) : resolve(pipeline.folder, givenData);
  return path === null ? null : digested(path, signal);
}

/** As far as it can be told without running anything; null when only a command will tell, or there are none. */
export async function knownSnapshot(
  { folder, data }: Pipeline,
  givenData: string | null,
  signal: AbortSignal,
): Promise<DigestedPath | null> {
  if (givenData !== null) return digested(resolve(folder, givenData), signal);
  return data === null || "command" in data ? null : digested(newestMatch(folder, data.pattern), signal);
}

async function sameData(data: DigestedPath, signal: AbortSignal): Promise<DigestedPath> {
  const { sha256 } = await digested(data.path, signal);
  if (sha256 === data.sha256) return data;
  throw new Unreadable(`the data ${data.path} have changed since the run began: start a new one`);
}

async function digested(path: string, signal: AbortSignal): Promise<DigestedPath> {
  const digest = await digestPath(path, signal);
  if (digest === null) throw new Unreadable(`the data ${path} are missing`);
  return { path, ...digest };
}

async function latestData(context: RunContext): Promise<string | null> {
  const { folder, data } = context.pipeline;
  if (data === null) return null;
  if ("pattern" in data) return newestMatch(folder, data.pattern);
  return resolve(folder, await printedPath(context, data.command));
}

function newestMatch(folder: string, pattern: string): string {
  const found = newestFile(folder, pattern);
  if (found === null) throw new Unreadable(`no data are found: nothing matches ${pattern}`);
  return found;
}

/** The command is judged as steps are: it runs before them, and just as much. */
async function printedPath(
  { options, pipeline, run, signal, tell, folder }: RunContext,
  command: StepCommand,
) {
  const input = { command, environment: {}, step: dataStep, pipeline: pipeline.name };
  const onWait = (reason: string) => tell(`looking for the data waits: ${oneLine(reason, 500)}`);
  const judged = await judgeCommand(options, input, originOf(run), signal, onWait);
  if ("problem" in judged) throw new Unreadable(`looking for the data: ${judged.problem}`);
  const before = JSON.stringify(redact(judged.input));
  const row = { id: newId("evt"), event: "pipeline.data", actor: "swarm", ...originOf(run), before };
  const report = await options.audit.intent(row);
  const variables = variablesOf(run, dataStep, null);
  const running = { folder: pipeline.folder, variables, timeoutMs, signal, print: null };
  const beganMs = options.clock.monotonicMs();
  const { exitCode, problem, stdout, stderr } = await runCommand(options, judged, running);
  const ms = options.clock.monotonicMs() - beganMs;
  await report({ outcome: problem === null ? "completed" : "failed", reason: problem, ms });
  const output = { exit_code: exitCode, step: dataStep };
  await tellHooks(options, originOf(run), judged, { problem, output, ms });
  const { log } = folder.openLog(dataStep);
  log.print(stdout);
  log.print(stderr);
  log.close();
  if (problem !== null) throw new Unreadable(`looking for the data: ${problem}`);
  const path = stdout.trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (path === "" || path.includes("\0"))
    throw new Unreadable(`the command that looks for the data printed ${show(path)}, expected a path`);
  return path;
}
