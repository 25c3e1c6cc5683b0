import Emittery from "emittery";
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

type Listener = (event: { data: MutableToolCall }) => void | Promise<void>;

/** `emitSerial` waits for each listener in turn, whatever it returned: a promise even for plain handlers. */
export function emittery(kind: "sync" | "async"): Contestant {
  const emitter = new Emittery<{ tool: MutableToolCall }>();
  for (const listener of kind === "sync" ? listeners : asyncListeners) emitter.on("tool", listener);
  return {
    name: "emittery emitSerial",
    isSync: false,
    run: (call) => emitter.emitSerial("tool", call),
    read: (_result, call) => call,
  };
}

/*
 * What a handler returns is ignored. Rewriting means changing the caller's own object, which is cheaper than the
 * copy that the others make; denying means throwing.
 */
const listeners: Listener[] = [
  ({ data }) => readSession(data),
  ({ data }) => {
    data.tool_input = cleanInput(data);
  },
  ({ data }) => {
    if (isDenied(data)) throw new Denied("it would erase the disk");
  },
  ({ data }) => readDescription(data),
  ({ data }) => readToolName(data),
];

const asyncListeners: Listener[] = [
  async ({ data }) => readSession(data),
  async ({ data }) => {
    data.tool_input = cleanInput(data);
  },
  async ({ data }) => {
    if (isDenied(data)) throw new Denied("it would erase the disk");
  },
  async ({ data }) => readDescription(data),
  async ({ data }) => readToolName(data),
];
