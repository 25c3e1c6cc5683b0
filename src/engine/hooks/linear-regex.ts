import { host } from "../../base/host.ts";

/** What of the package re2js is used: its `RE2JS`. */
export interface RegexEngine {
  compile(source: string, flags?: number): { matcher(text: string): { find(): boolean } };
  readonly CASE_INSENSITIVE: number;
}

let engine: RegexEngine | null = null;

/** Hands over re2js's `RE2JS` where a program cannot load it by itself: in a browser, at an edge, in a bundle. */
export function useRegexEngine(given: RegexEngine): void {
  engine = given;
}

/**
 * Node's own engine backtracks: `(a+)+$` took 17 s on 30 characters. RE2's does not. It is loaded only when a
 * regular expression is used: it is 260 kB, and the rest of the engine needs no dependency at all. Throws where it is not there.
 */
export function regexEngine(): RegexEngine {
  engine ??= loadRegexEngine();
  return engine;
}

/** At once, because a hook is registered at once; `import` would take a turn. */
function loadRegexEngine(): RegexEngine {
  const module = host?.getBuiltinModule?.("node:module") as NodeModule | undefined;
  if (module === undefined) throw new Error("packages cannot be loaded here");
  return (module.createRequire(import.meta.url)("re2js") as { readonly RE2JS: RegexEngine }).RE2JS;
}

interface NodeModule {
  createRequire(url: string): (name: string) => unknown;
}
