import { SwarmError } from "../base/errors.ts";
import type { HookConfig } from "./hook-config.ts";
import { type ParsedFile, type ParseOptions, parseConfigText } from "./parse.ts";

/** A file of the user, unless said otherwise. */
export function parse(text: string, options: Partial<ParseOptions> = {}): ParsedFile {
  return parseConfigText("swarm.yaml", text, { owner: "user", env: {}, ...options });
}

/** The only hook of a file. */
export function parseOne(text: string, options: Partial<ParseOptions> = {}): HookConfig {
  const [hook, second] = parse(text, options).hooks;
  if (hook === undefined || second !== undefined) throw new Error("expected one hook");
  return hook;
}

/** `CODE message` of the error a call raises; other errors pass through. */
export function problemOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof SwarmError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "no error";
}

/** What is wrong with a file; `SWARM_CONFIG_INVALID swarm.yaml:` is left out. */
export function refusal(text: string, options: Partial<ParseOptions> = {}): string {
  return problemOf(() => parse(text, options)).replace(/^SWARM_CONFIG_INVALID swarm\.yaml:/, "");
}

/** What a hook in our own list is when it says no more than it must. */
export const plainHook = {
  dialect: "swarm",
  match: "*",
  when: null,
  priority: 0,
  mode: "transform",
  onFailure: "allow",
  onDenied: false,
  timeoutMs: 30_000,
  plugin: null,
} as const;
