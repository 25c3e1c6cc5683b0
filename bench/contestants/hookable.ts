import { createHooks } from "hookable";
import {
  cleanInput,
  Denied,
  isDenied,
  type MutableToolCall,
  readDescription,
  readSession,
  readToolName,
} from "../handlers.ts";
import type { Contestant } from "./contestant.ts";

type Listener = (call: MutableToolCall) => void | Promise<void>;

/** `callHook` returns a promise only when a handler did: plain handlers need no `await`. */
export function hookable(kind: "sync" | "async"): Contestant {
  const hooks = createHooks<{ tool: Listener }>();
  for (const listener of kind === "sync" ? listeners : asyncListeners) hooks.hook("tool", listener);
  return {
    name: "hookable callHook",
    isSync: kind === "sync",
    run: (call) => hooks.callHook("tool", call),
    read: (_result, call) => call,
  };
}

/*
 * What a handler returns is ignored. Rewriting means changing the caller's own object, which is cheaper than the
 * copy that the others make; denying means throwing.
 */
const listeners: Listener[] = [
  (call) => readSession(call),
  (call) => {
    call.tool_input = cleanInput(call);
  },
  (call) => {
    if (isDenied(call)) throw new Denied("it would erase the disk");
  },
  (call) => readDescription(call),
  (call) => readToolName(call),
];

const asyncListeners: Listener[] = [
  async (call) => readSession(call),
  async (call) => {
    call.tool_input = cleanInput(call);
  },
  async (call) => {
    if (isDenied(call)) throw new Denied("it would erase the disk");
  },
  async (call) => readDescription(call),
  async (call) => readToolName(call),
];
