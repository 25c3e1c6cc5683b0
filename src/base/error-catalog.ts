import { oneLine, show } from "./show.ts";

/**
 * One row per error: what it means, what to do, how it reads, and how it leaves through HTTP and the command
 * line. Exit codes follow sysexits: 64 usage, 65 bad data, 70 our own fault, 75 try again.
 */
export const errorCatalog = {
  SWARM_EVENT_UNKNOWN: row<{ event: unknown; suggestion: string | undefined }>({
    meaning: "The event is neither a canonical name nor an alias of the catalogue.",
    remedy: "Use a name listed in docs/events.md or by `swarm events`.",
    status: 400,
    exitCode: 64,
    message: ({ event, suggestion }) => `unknown event ${show(event)}${didYouMean(suggestion)}`,
  }),
  SWARM_PAYLOAD_INVALID: row<{ event: string; field: string; expected: string; value: unknown }>({
    meaning: "A payload field is missing or has the wrong type.",
    remedy: "Send the field as the event's schema in schema/generated/ describes it.",
    status: 400,
    exitCode: 65,
    message: ({ event, field, expected, value }) =>
      value === undefined
        ? `${event}: ${field} is missing, expected ${expected}`
        : `${event}: ${field} is ${show(value)}, expected ${expected}`,
  }),
  SWARM_PAYLOAD_CIRCULAR: row<{ event: string; path: string; target: string }>({
    meaning: "A payload contains itself, so it cannot be recorded or handed to another process.",
    remedy: "Send plain JSON data; break the reference named in the message.",
    status: 400,
    exitCode: 65,
    message: ({ event, path, target }) =>
      `${event}: ${oneLine(path, 300)} refers back to ${oneLine(target, 300)}, expected data without cycles`,
  }),
  SWARM_PAYLOAD_TOO_LARGE: row<{ event: string; field: string; limitChars: number }>({
    meaning: "A payload is larger than the engine accepts.",
    remedy: "Send a shorter excerpt, or a path to the full text.",
    status: 413,
    exitCode: 65,
    message: ({ event, field, limitChars }) =>
      `${event}: the payload passes ${limitChars} characters at ${oneLine(field, 300)}, expected fewer`,
  }),
  SWARM_PAYLOAD_TOO_DEEP: row<{ event: string; path: string; limitDepth: number }>({
    meaning: "A payload is nested more deeply than the engine accepts.",
    remedy: "Flatten the data, or send the deep part as a string.",
    status: 400,
    exitCode: 65,
    message: ({ event, path, limitDepth }) =>
      `${event}: ${oneLine(path, 60)} is nested more than ${limitDepth} levels deep, expected fewer`,
  }),
  SWARM_PAYLOAD_NOT_JSON: row<{ event: string; path: string; value: unknown }>({
    meaning: "A payload holds a value JSON has no form for.",
    remedy: "Convert it first: a bigint to a string, a function to its name.",
    status: 400,
    exitCode: 65,
    message: ({ event, path, value }) =>
      `${event}: ${oneLine(path, 300)} is ${show(value)}, expected JSON data`,
  }),
  SWARM_OPTION_UNKNOWN: row<{ where: string; option: string; suggestion: string | undefined }>({
    meaning: "An option does not exist. A misspelt guard option must not be ignored.",
    remedy: "Remove or correct the option.",
    status: 400,
    exitCode: 64,
    message: ({ where, option, suggestion }) =>
      `${where}: unknown option ${show(option)}${didYouMean(suggestion)}`,
  }),
  SWARM_OPTION_INVALID: row<{ where: string; option: string; expected: string; value: unknown }>({
    meaning: "An option or argument has a value it cannot have.",
    remedy: "Give it a value the message lists.",
    status: 400,
    exitCode: 64,
    message: ({ where, option, expected, value }) =>
      `${where}: ${option} is ${show(value)}, expected ${expected}`,
  }),
  SWARM_TIMEOUT_INVALID: row<{ where: string; value: unknown; max: number }>({
    meaning: "A timeout is not a positive number of milliseconds a timer can hold.",
    remedy: "Use whole milliseconds; leave the option out for the default of 30 seconds.",
    status: 400,
    exitCode: 64,
    message: ({ where, value, max }) =>
      `${where}: timeoutMs is ${show(value)}, expected a whole number from 1 to ${max}`,
  }),
  SWARM_HOOK_NAME_TAKEN: row<{ name: string; event: string }>({
    meaning: "Two hooks of one engine have the same name, so a decision could not say which one made it.",
    remedy: "Rename one of them, or remove the first before you add the second.",
    status: 409,
    exitCode: 64,
    message: ({ name, event }) =>
      `a hook named ${show(name)} is already registered for ${event}, expected a name used once`,
  }),
  SWARM_MATCHER_INVALID: row<{ where: string; pattern: unknown; problem: string }>({
    meaning: "A matcher cannot be compiled, so the hook would silently never fire.",
    remedy: "Write *, an exact name, A|B, a glob such as write_*, or /a regular expression/.",
    status: 400,
    exitCode: 64,
    message: ({ where, pattern, problem }) => `${where}: matcher ${show(pattern)} is invalid: ${problem}`,
  }),
  SWARM_ANSWER_INVALID: row<{ hook: string; problem: string }>({
    meaning: "A handler returned something that is not an answer.",
    remedy: "Return nothing, a verdict helper, or { carry_on, mutation }.",
    status: 500,
    exitCode: 70,
    message: ({ hook, problem }) => `hook ${hook} answered ${problem}`,
  }),
  SWARM_VERDICT_ILLEGAL: row<{ hook: string; event: string; verdict: unknown; legal: string }>({
    meaning: "A handler gave a verdict its event or mode has no use for.",
    remedy: "Use one of the verdicts the message lists.",
    status: 500,
    exitCode: 70,
    message: ({ hook, event, verdict, legal }) =>
      `hook ${hook} answered verdict ${show(verdict)} to ${event}, expected ${legal}`,
  }),
  SWARM_REWRITE_ILLEGAL: row<{ hook: string; event: string; field: string; legal: string }>({
    meaning: "A handler rewrote a field its event or mode does not let it rewrite.",
    remedy: "Rewrite only the fields the message lists; guards and observers rewrite nothing.",
    status: 500,
    exitCode: 70,
    message: ({ hook, event, field, legal }) =>
      `hook ${hook} rewrote ${show(field)} of ${event}, expected ${legal}`,
  }),
  SWARM_CONTEXT_TOO_LARGE: row<{ hook: string; chars: number; limitChars: number; scope: string }>({
    meaning: "Text added for the model is over the limit for one answer or for one event.",
    remedy: "Add a summary and the path of a file that holds the rest.",
    status: 500,
    exitCode: 70,
    message: ({ hook, chars, limitChars, scope }) =>
      `hook ${hook} added ${chars} characters of context, expected at most ${limitChars} ${scope}`,
  }),
  SWARM_HANDLER_THREW: row<{ hook: string; error: string }>({
    meaning: "A handler threw or its promise was rejected.",
    remedy: "Fix the handler; `onFailure` decides what happens meanwhile.",
    status: 500,
    exitCode: 70,
    message: ({ hook, error }) => `hook ${hook} failed: ${error}`,
  }),
  SWARM_HANDLER_TIMED_OUT: row<{ hook: string; timeoutMs: number }>({
    meaning: "A handler did not answer before its deadline; a later answer is never applied.",
    remedy: "Make the handler faster, watch its AbortSignal, or raise timeoutMs.",
    status: 504,
    exitCode: 75,
    message: ({ hook, timeoutMs }) => `hook ${hook} did not answer within ${timeoutMs} ms`,
  }),
  SWARM_HOOK_OBJECT_INVALID: row<{ key: string; problem: string }>({
    meaning: "A hook object names an event it does not know, or something other than a tool name.",
    remedy:
      "Use on_start, on_end, on_tool_start, on_tool_end, on_subagents_start, on_subagents_end, on_llm_start, on_llm_end.",
    status: 400,
    exitCode: 64,
    message: ({ key, problem }) => `hook object: ${show(key)} ${problem}`,
  }),
  SWARM_OBSERVERS_BEHIND: row<{ hook: string; event: string; limit: number }>({
    meaning: "Observers are slower than events arrive, and their queue is full: an observation was dropped.",
    remedy: "Make the observer faster, narrow its matcher, or hand its work to a queue of your own.",
    status: 503,
    exitCode: 75,
    message: ({ hook, event, limit }) =>
      `observer ${hook} of ${event} was not called: ${limit} observations are waiting, expected fewer`,
  }),
  SWARM_ENGINE_CLOSED: row<{ operation: string }>({
    meaning: "The engine was closed and accepts no more hooks or events.",
    remedy: "Create a new engine, or close this one later.",
    status: 503,
    exitCode: 70,
    message: ({ operation }) => `${operation} was called after close(), expected an open engine`,
  }),
  SWARM_CONFIG_INVALID: row<{ file: string; line: number; column: number; problem: string }>({
    meaning: "A configuration file says something that has no meaning. Nothing of it is used.",
    remedy: "Correct the place the message names; schema/generated/swarm.schema.json helps editors to.",
    status: 400,
    exitCode: 65,
    message: ({ file, line, column, problem }) => `${oneLine(file, 300)}:${line}:${column}: ${problem}`,
  }),
  SWARM_CONFIG_UNREADABLE: row<{ file: string; problem: string }>({
    meaning: "A configuration file is there but cannot be read, so its guards could not be known.",
    remedy: "Make it a readable text file of at most 1 MiB, or remove it.",
    status: 400,
    exitCode: 65,
    message: ({ file, problem }) => `${oneLine(file, 300)}: ${problem}`,
  }),
  SWARM_CONFIG_VARIABLE: row<{
    file: string;
    line: number;
    column: number;
    key: string;
    variable: string;
    problem: string;
  }>({
    meaning: "A configuration file uses an environment variable that is not set or that it may not read.",
    remedy: "Set the variable, and list it under env.allow in the config.yaml of SWARM_HOME.",
    status: 400,
    exitCode: 65,
    message: ({ file, line, column, key, variable, problem }) =>
      `${oneLine(file, 300)}:${line}:${column}: ${key} uses the variable ${show(variable)}, ${problem}`,
  }),
  SWARM_COMMAND_NOT_STARTED: row<{ hook: string; error: string }>({
    meaning: "A hook's program could not be started: it is missing, not executable, or its folder is.",
    remedy:
      "Correct the command, or install what it needs; `swarm hooks test` shows the same without an agent.",
    status: 500,
    exitCode: 70,
    message: ({ hook, error }) => `hook ${hook} could not be started: ${error}`,
  }),
  SWARM_COMMAND_FAILED: row<{ hook: string; exitCode: number; stderr: string }>({
    meaning: "A hook's program ended with an exit code other than 0 (answered) and 2 (denied).",
    remedy: "Fix the program; to deny, end with exit code 2 and the reason on stderr.",
    status: 500,
    exitCode: 70,
    message: ({ hook, exitCode, stderr }) =>
      `hook ${hook} ended with exit code ${exitCode}, expected 0 or 2${stderr === "" ? "" : `: ${stderr}`}`,
  }),
  SWARM_COMMAND_SIGNALLED: row<{ hook: string; signal: string; stderr: string }>({
    meaning: "A hook's program was ended by a signal.",
    remedy: "See what ended it: memory, a limit, or another process.",
    status: 500,
    exitCode: 70,
    message: ({ hook, signal, stderr }) =>
      `hook ${hook} was ended by ${signal}, expected an exit code${stderr === "" ? "" : `: ${stderr}`}`,
  }),
  SWARM_COMMAND_FLOODED: row<{ hook: string; spillPath: string | null }>({
    meaning: "A hook's program wrote more than 1 MiB to stdout.",
    remedy: "Write the answer only; the message names the file that holds what was written, if it was kept.",
    status: 500,
    exitCode: 70,
    message: ({ hook, spillPath }) =>
      `hook ${hook} wrote more than 1 MiB, expected an answer${spillPath === null ? "" : `: see ${spillPath}`}`,
  }),
  SWARM_COMMAND_ANSWER: row<{ hook: string; problem: string }>({
    meaning: "A hook's program began its answer with { but it is not JSON.",
    remedy: "Print one JSON object and nothing else, or plain text.",
    status: 500,
    exitCode: 70,
    message: ({ hook, problem }) => `hook ${hook} answered what is not JSON: ${problem}`,
  }),
  SWARM_KIND_UNAVAILABLE: row<{ hook: string; kind: string }>({
    meaning: "A configured hook is of a kind this version cannot run yet.",
    remedy: "Use type command, script or blocking_script until it can.",
    status: 501,
    exitCode: 70,
    message: ({ hook, kind }) => `hook ${hook} is of type ${kind}, which this version cannot run yet`,
  }),
  SWARM_USAGE: row<{ problem: string; hint: string }>({
    meaning: "The command line could not be understood.",
    remedy: "Run the command with --help.",
    status: 400,
    exitCode: 64,
    message: ({ problem, hint }) => `${problem}; ${hint}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;

export type ErrorCode = keyof typeof errorCatalog;

export type ErrorParams<C extends ErrorCode> = Parameters<(typeof errorCatalog)[C]["message"]>[0];

interface ErrorRow<P> {
  readonly meaning: string;
  readonly remedy: string;
  readonly status: number;
  readonly exitCode: number;
  readonly message: (params: P) => string;
}

function row<P>(definition: ErrorRow<P>): ErrorRow<P> {
  return definition;
}

function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : `, did you mean ${show(suggestion)}?`;
}
