import { oneLine, show } from "../show.ts";
import { didYouMean, type ErrorRow, row } from "./row.ts";

/** What the engine refuses and what handlers do wrong. */
export const engineErrors = {
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
  SWARM_REGEX_UNAVAILABLE: row<{ where: string; pattern: unknown }>({
    meaning:
      "A matcher is a regular expression, and the package that runs those in linear time cannot be loaded.",
    remedy:
      "Run `npm install re2js`. Where a program loads no packages (a browser, a bundle), call `useRegexEngine(RE2JS)` first, or write a glob.",
    status: 400,
    exitCode: 64,
    message: ({ where, pattern }) =>
      `${where}: matcher ${show(pattern)} is a regular expression, which needs the package re2js: npm install re2js`,
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
} as const satisfies Record<string, ErrorRow<never>>;
