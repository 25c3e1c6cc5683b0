import { adapters } from "../../agents/adapters/index.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import { loadShippedRules } from "../../config/policy/load-policy.ts";
import { compileMatcher } from "../../engine/hooks/matcher.ts";
import type { PathNames } from "./files/path-globs.ts";
import { type Judge, makeJudge } from "./judge.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";

/** Agents whose model types into running commands past their hooks. */
export const unhookedTypists: readonly string[] = Object.values(adapters).flatMap(({ agent, typing }) =>
  typing === "unhooked" ? agent : [],
);

export interface TypedInputOptions {
  readonly names: PathNames;
  readonly cwd: string;
  readonly now: () => number;
}

/**
 * A hook that guards shells sees one being opened, and not what is typed into it. Where there are rules, one of those that
 * come with them is against that. Without rules the same rule is asked before the hook: it is no hook of its own, which
 * every call of any agent would have to be asked for.
 */
export class TypedInputGuard {
  readonly #options: TypedInputOptions;
  #judge: Judge | null | undefined;

  constructor(options: TypedInputOptions) {
    this.#options = options;
  }

  /** The hook's handler, with the rule before it where it guards shells. */
  around(hook: HookConfig, handler: HandlerFunction): HandlerFunction {
    const judge = isShellGuard(hook) ? this.#rule() : null;
    if (judge === null) return handler;
    return (data, call) => {
      const { source } = call.origin;
      const denied =
        source !== undefined && unhookedTypists.includes(source)
          ? judge.answer("tool.before", data, call.origin)
          : undefined;
      return denied ?? handler(data, call);
    };
  }

  #rule(): Judge | null {
    if (this.#judge === undefined) {
      const { names, cwd, now } = this.#options;
      const policy = loadShippedRules("self", ["self/typed-input"], names);
      this.#judge = policy === null ? null : makeJudge({ policy, home: names.home, cwd, now });
    }
    return this.#judge;
  }
}

function isShellGuard({ event, mode, onFailure, match }: HookConfig): boolean {
  if (event !== "tool.before" || (mode !== "guard" && onFailure !== "deny")) return false;
  const { test } = compileMatcher("match", match);
  return test("shell") || test("Bash");
}
