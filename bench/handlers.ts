import type { Answer } from "../src/engine/events/answer.ts";
import { deny, rewrite } from "../src/index.ts";

/** What an agent sends before it runs a tool. */
export interface ToolCall {
  readonly tool_name: string;
  readonly tool_input: { readonly command: string; readonly description: string };
  readonly session_id: string;
}

/** For libraries where rewriting means changing the caller's object. */
export type MutableToolCall = { -readonly [K in keyof ToolCall]: ToolCall[K] };

/** A fresh call, as every event brings one; a payload that is used again would let caches look too good. */
export function toolCall(index: number, toolName = "Bash", command = commands[index & 3] ?? ""): ToolCall {
  return {
    tool_name: toolName,
    tool_input: { command, description: "lists what is there" },
    session_id: "ses_01j9k2m4",
  };
}

const commands = ["ls -la src", "git status --short", "npm test", "cat README.md"];
export const deniedCommand = "rm -rf /";
export const cleanDescription = "cleaned";

/** What the handlers have read: looked at, so that V8 cannot drop the reading; 32 bits, as more would be boxed. */
export const seen = { characters: 0 };

/*
 * The work of the five handlers. It is next to nothing on purpose: what is compared is the cost of calling them.
 * Each library has its own way to say "rewritten" and "denied", so each writes its handlers around these in the
 * cheapest form it allows; wrapping one library's handlers for another would charge it for the wrapper.
 */
export function readSession(call: ToolCall): void {
  seen.characters = (seen.characters + call.session_id.length) | 0;
}

export function cleanInput(call: ToolCall): ToolCall["tool_input"] {
  return { command: call.tool_input.command, description: cleanDescription };
}

export function isDenied(call: ToolCall): boolean {
  return call.tool_input.command === deniedCommand;
}

export function readDescription(call: ToolCall): void {
  seen.characters = (seen.characters + call.tool_input.description.length) | 0;
}

export function readToolName(call: ToolCall): void {
  seen.characters = (seen.characters + call.tool_name.length) | 0;
}

/** The way to deny in libraries whose handlers have no answer for it. */
export class Denied extends Error {}

type AnyAnswer = Pick<Answer, "verdict" | "rewrite"> | undefined;
export type SyncHandler = (call: ToolCall) => AnyAnswer;
export type AsyncHandler = (call: ToolCall) => Promise<AnyAnswer>;

export interface FiveHook {
  readonly match: string;
  readonly priority: number;
  readonly sync: SyncHandler;
  readonly async: AsyncHandler;
}

/**
 * The handlers as our engine takes them; the bare loop and the naive version run these very functions. In running
 * order; `scrambled` is the order to register them in, so that sorting is part of the job.
 */
export const fiveHooks: readonly FiveHook[] = [
  {
    match: "*",
    priority: 100,
    sync: (call) => void readSession(call),
    async: async (call) => void readSession(call),
  },
  {
    match: "Bash*",
    priority: 50,
    sync: (call) => rewrite({ tool_input: cleanInput(call) }),
    async: async (call) => rewrite({ tool_input: cleanInput(call) }),
  },
  {
    match: "Bash",
    priority: 10,
    sync: (call) => (isDenied(call) ? deny("it would erase the disk") : undefined),
    async: async (call) => (isDenied(call) ? deny("it would erase the disk") : undefined),
  },
  {
    match: "Bash|Edit",
    priority: 0,
    sync: (call) => void readDescription(call),
    async: async (call) => void readDescription(call),
  },
  {
    match: "B*h",
    priority: -10,
    sync: (call) => void readToolName(call),
    async: async (call) => void readToolName(call),
  },
];

export function scrambled(): readonly FiveHook[] {
  return [3, 0, 4, 2, 1].flatMap((index) => fiveHooks[index] ?? []);
}
