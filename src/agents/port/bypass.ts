import type { HookBypass } from "./adapter.ts";

/** How a process was started. */
export interface StartedWith {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The bypasses a process was started with, as they are written there. */
export function bypassesIn(
  { args, env }: StartedWith,
  bypasses: readonly HookBypass[],
): { readonly bypass: HookBypass; readonly written: string }[] {
  return bypasses.flatMap((bypass) => {
    const written = bypass.kind === "flag" ? flagIn(args, bypass) : variableIn(env, bypass);
    return written === null ? [] : [{ bypass, written }];
  });
}

/** The first variable of an `env` table that makes the agent do without hooks, as `NAME=value`; null: none. */
export function bypassInEnv(env: unknown, bypasses: readonly HookBypass[]): string | null {
  if (typeof env !== "object" || env === null) return null;
  // Settings may have numbers and booleans there, which agents turn into text.
  const texts = Object.entries(env).map(([name, value]) => [name, String(value)]);
  const variables = bypasses.filter(({ kind }) => kind === "variable");
  return bypassesIn({ args: [], env: Object.fromEntries(texts) }, variables)[0]?.written ?? null;
}

function variableIn(env: StartedWith["env"], { names, value }: HookBypass): string | null {
  for (const name of names) {
    const text = env[name];
    if (text !== undefined && (value === null ? meansYes(text) : value.test(text))) return `${name}=${text}`;
  }
  return null;
}

/** `--flag`, `--flag value`, `--flag=value`, `-fvalue`. */
function flagIn(args: readonly string[], { names, value }: HookBypass): string | null {
  for (const [at, arg] of args.entries()) {
    if (arg === "--") return null; // what follows is no flag
    for (const name of names) {
      if (value === null) {
        if (arg === name || (arg.startsWith(`${name}=`) && meansYes(arg.slice(name.length + 1)))) return arg;
        continue;
      }
      const isShort = /^-[^-]$/.test(name);
      const [given, written] =
        arg === name
          ? [args[at + 1], `${arg} ${args[at + 1] ?? ""}`]
          : arg.startsWith(`${name}=`)
            ? [arg.slice(name.length + 1), arg]
            : isShort && arg.startsWith(name)
              ? [arg.slice(name.length), arg]
              : [undefined, arg];
      if (given !== undefined && value.test(given)) return written;
    }
  }
  return null;
}

function meansYes(text: string): boolean {
  return !/^(0|false|no|off|none)?$/i.test(text.trim());
}
