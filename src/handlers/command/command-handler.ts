import type { HandlerCall, HandlerFunction } from "../../engine/hooks/handler.ts";
import type { Warn } from "../claude/answer.ts";
import { claudeInput, folderOf } from "../claude/input.ts";
import { hookEnvironment } from "../process/environment.ts";
import type { ProcessLimits } from "../process/process-limits.ts";
import { programPath } from "../process/program-path.ts";
import { type ProcessResult, type ProcessSpec, runProcess } from "../process/run-process.ts";
import { type Sandbox, sandboxLimits } from "../process/sandbox.ts";
import { readEnding } from "./read-ending.ts";

/** A program to run for an event. */
export interface CommandSpec {
  readonly name: string;
  readonly kind: "command" | "script" | "blocking_script";
  /** The file it was declared in speaks Claude Code's language: so do its stdin and its answer. */
  readonly isClaudeShaped: boolean;
  readonly nativeEvent: string;
  /** Exactly one of the two. */
  readonly argv: readonly string[] | null;
  readonly line: string | null;
  readonly pluginRoot: string | null;
  /** The folder of the file it was declared in: `./script` means the one beside it, wherever the agent is just now. */
  readonly baseFolder: string;
  /** The project it belongs to; null for a user's own hook, whose project is wherever the event comes from. */
  readonly projectFolder: string | null;
  readonly timeoutMs: number;
  /** Where output over the limit is kept; null: nowhere. */
  readonly spillFolder: string | null;
  readonly sandbox: Sandbox;
  /** Told of what in an answer has no effect. */
  readonly warn?: Warn;
}

/** Starts the program and waits for its end. */
export type RunProgram = (
  program: ProcessSpec,
  limits: Partial<ProcessLimits>,
  call: HandlerCall,
) => Promise<ProcessResult>;

/** The engine aborts the call at the hook's deadline; this is only for the day it should fail to. */
const backstopMs = 5_000;

/** A handler that runs a program: the event as JSON on its stdin, the answer from its exit code and stdout. */
export function commandHandler(
  spec: CommandSpec,
  env: NodeJS.ProcessEnv,
  run: RunProgram = runProcess,
): HandlerFunction {
  // Once: reading `process.env` asks the system for each of its variables, 50 µs for 35 of them.
  const passed = hookEnvironment(env, {});
  return async (data, call) => {
    const cwd = folderOf(data, call);
    const variables = variablesOf(spec, cwd);
    const program = {
      argv: argvOf(spec, variables),
      cwd,
      env: { ...passed, ...variables },
      stdin: JSON.stringify(
        spec.isClaudeShaped ? claudeInput(spec.nativeEvent, data, call, cwd) : call.envelope(data),
      ),
      timeoutMs: spec.timeoutMs + backstopMs,
      signal: call.signal,
      spillFolder: spec.spillFolder,
    };
    const result = await run(program, sandboxLimits(spec.sandbox), call);
    return readEnding(spec, call.event, result);
  };
}

/** In an argument list only our own variables are filled in, and nothing else has a meaning; a line is the shell's. */
function argvOf(spec: CommandSpec, variables: Record<string, string>): readonly [string, ...string[]] {
  if (spec.argv === null) return ["/bin/sh", "-c", spec.line ?? ""];
  const [program = "", ...rest] = spec.argv.map((argument) =>
    argument.replaceAll(/\$\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? written) : written,
    ),
  );
  return [programPath(program, spec.baseFolder), ...rest];
}

function variablesOf(spec: CommandSpec, cwd: string): Record<string, string> {
  const variables: Record<string, string> = { CLAUDE_PROJECT_DIR: spec.projectFolder ?? cwd };
  if (spec.pluginRoot !== null) variables.CLAUDE_PLUGIN_ROOT = spec.pluginRoot;
  return variables;
}
