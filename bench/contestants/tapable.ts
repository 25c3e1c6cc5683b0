import { AsyncSeriesWaterfallHook } from "tapable";
import {
  cleanInput,
  Denied,
  isDenied,
  readDescription,
  readSession,
  readToolName,
  type ToolCall,
} from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

const name = "tapable AsyncSeriesWaterfallHook";
type Tap = (call: ToolCall) => ToolCall | undefined;

/**
 * With plain taps. `callAsync` because it is tapable's fastest: it calls back at once, and one callback serves all
 * calls. It unrolls its taps into generated code, which V8 inlines: faster than any loop over the same handlers.
 */
export function tapableSync(): Contestant {
  const hook = new AsyncSeriesWaterfallHook<[ToolCall]>(["call"]);
  for (const tap of taps) hook.tap("bench", tap as (call: ToolCall) => ToolCall);
  let outcome: ToolCall | Error | null | undefined;
  const done = (error: Error | null, result?: ToolCall) => {
    outcome = error ?? result;
  };
  return {
    name,
    isSync: true,
    run(call) {
      hook.callAsync(call, done);
      return outcome;
    },
    read,
  };
}

/** The same taps, called the way that also fits handlers that wait: with `await`. */
export function tapableAwaited(): Contestant {
  const hook = new AsyncSeriesWaterfallHook<[ToolCall]>(["call"]);
  for (const tap of taps) hook.tap("bench", tap as (call: ToolCall) => ToolCall);
  return { name: `${name}, awaited`, isSync: false, run: (call) => hook.promise(call), read };
}

/** With taps that return promises. */
export function tapableAsync(): Contestant {
  const hook = new AsyncSeriesWaterfallHook<[ToolCall]>(["call"]);
  for (const tap of asyncTaps) hook.tapPromise("bench", tap as (call: ToolCall) => Promise<ToolCall>);
  return { name, isSync: false, run: (call) => hook.promise(call), read };
}

/** A tap hands its return value on unless it is undefined; the only way to stop the chain is an error. */
const taps: Tap[] = [
  (call) => void readSession(call),
  (call) => Object.assign({}, call, { tool_input: cleanInput(call) }),
  (call) => {
    if (isDenied(call)) throw new Denied("it would erase the disk");
    return undefined;
  },
  (call) => void readDescription(call),
  (call) => void readToolName(call),
];

const asyncTaps: ((call: ToolCall) => Promise<ToolCall | undefined>)[] = [
  async (call) => void readSession(call),
  async (call) => Object.assign({}, call, { tool_input: cleanInput(call) }),
  async (call) => {
    if (isDenied(call)) throw new Denied("it would erase the disk");
    return undefined;
  },
  async (call) => void readDescription(call),
  async (call) => void readToolName(call),
];

function read(result: unknown): ToolCall | null {
  return result instanceof Error ? null : (result as ToolCall);
}
