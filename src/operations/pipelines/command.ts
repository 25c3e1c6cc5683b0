import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { oneLine } from "../../base/show.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { describeEnding } from "../../handlers/process/describe-ending.ts";
import { hookEnvironment } from "../../handlers/process/environment.ts";
import { programPath } from "../../handlers/process/program-path.ts";
import { runProcess } from "../../handlers/process/run-process.ts";
import { type Sandbox, sandboxLimits } from "../../handlers/process/sandbox.ts";
import type { MayRun } from "../port/may-run.ts";
import type { StepCommand } from "./port/pipeline.ts";

export interface CommandOptions {
  readonly log: Log;
  readonly emit: Emit;
  readonly mayRun: MayRun;
  readonly env: NodeJS.ProcessEnv;
  readonly sandbox: () => Sandbox;
}

/** A command as hooks and rules have let it pass. */
export interface JudgedCommand {
  readonly command: StepCommand;
  readonly environment: Readonly<Record<string, string>>;
  /** As `tool.before` told of it, after rewrites. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Rules that know shell lines know it by this name. */
const toolName = "shell";

/**
 * Asks hooks, rules and where they say so a person whether a command may run, and takes it as they leave it. A question
 * is kept: whoever asks it again after a restart, for the same step of the same run, finds the same one.
 */
export async function judgeCommand(
  { emit, mayRun }: CommandOptions,
  input: Readonly<Record<string, unknown>>,
  origin: Origin,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<JudgedCommand | { readonly problem: string }> {
  let outcome: Outcome;
  try {
    const data = { tool_name: toolName, tool_input: input };
    outcome = await emit({ event: "tool.before", data, origin, waitsForPerson: true });
    const { verdict, hook, reason } = outcome.decision;
    const words = oneLine(`${hook ?? "a hook"}${reason === null ? "" : `: ${reason}`}`, 1_000);
    if (verdict === "deny") return { problem: `denied by ${words}` };
    if (verdict === "ask" || verdict === "defer") {
      const judged = outcome.data as Readonly<Record<string, unknown>>;
      const asked = { by: hook, reason: `an approval is asked for by ${words}` };
      const problem = await approved(
        await mayRun({ event: "tool.before", data: judged, origin, asked, isJudged: true }),
        signal,
        onWait,
      );
      if (problem !== null) return { problem };
    }
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    // A configuration that cannot be loaded may hold the guard that would have refused it.
    return { problem: `it could not be judged: ${error.message}` };
  }
  return readInput((outcome.data as { tool_input: Readonly<Record<string, unknown>> }).tool_input);
}

/** Null when a person has said yes. */
async function approved(
  permission: Awaited<ReturnType<MayRun>>,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<string | null> {
  if (permission.verdict === "allow") return null;
  if (permission.verdict === "deny") return permission.reason;
  onWait(permission.reason);
  const decision = await permission.decided(signal);
  if (decision === null) return "it waits for an approval, and nobody is here to wait";
  return decision.isApproved ? null : decision.reason;
}

/** A hook may rewrite what runs; what it leaves must still be something to run. */
function readInput(input: Readonly<Record<string, unknown>>): JudgedCommand | { readonly problem: string } {
  const { command, environment } = input;
  const isTexts = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((word) => typeof word === "string" && !word.includes("\0"));
  const isLine = typeof command === "string" && command.trim() !== "" && !command.includes("\0");
  const isWords = isTexts(command) && (command[0] ?? "") !== "";
  const isMap =
    typeof environment === "object" && environment !== null && isTexts(Object.values(environment));
  if (!(isLine || isWords) || !isMap)
    return { problem: "a hook has rewritten it to something that cannot run" };
  return { command, environment: environment as Record<string, string>, input };
}

/** It is over: that hooks cannot be told changes nothing, and is in the log. */
export async function tellHooks(
  { emit, log }: CommandOptions,
  origin: Origin,
  { input }: JudgedCommand,
  { problem, output, ms }: { readonly problem: string | null; readonly output: object; readonly ms: number },
): Promise<void> {
  const call = { tool_name: toolName, tool_input: input, duration_ms: Math.round(ms) };
  await tellOrLog(log, () =>
    problem === null
      ? emit({ event: "tool.after", data: { ...call, tool_output: output }, origin })
      : emit({ event: "tool.failed", data: { ...call, error: problem }, origin }),
  );
}

export interface CommandRun {
  readonly folder: string;
  /** Ours, which a step cannot set itself. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Null: what it prints is returned, up to a mebibyte. */
  readonly print: ((output: string | Buffer) => void) | null;
}

export interface CommandEnd {
  readonly exitCode: number | null;
  /** Why it failed; null: it did not. */
  readonly problem: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as command hooks are: its own process group, a clean environment, ended as a whole. */
export async function runCommand(
  { env, sandbox }: CommandOptions,
  { command, environment }: JudgedCommand,
  { folder, variables, timeoutMs, signal, print }: CommandRun,
): Promise<CommandEnd> {
  const [program = "", ...rest] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const spec = {
    argv: [programPath(program, folder), ...rest] as const,
    cwd: folder,
    env: hookEnvironment(env, { ...environment, ...variables }),
    stdin: "",
    timeoutMs,
    signal,
    spillFolder: null,
    ...(print !== null && { print }),
  };
  const { ending, stdout, stderr } = await runProcess(spec, sandboxLimits(sandbox()));
  return { ...describeEnding(ending, timeoutMs), stdout, stderr };
}
