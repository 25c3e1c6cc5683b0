/** What a program has where it runs in Node, Deno or Bun. The engine asks for it, and does without it elsewhere. */
interface Host {
  readonly platform?: string;
  cwd?(): string;
  emitWarning?(message: string, options: { readonly type: string; readonly detail: string }): void;
  getBuiltinModule?(name: string): unknown;
}

export const host = (globalThis as { readonly process?: Host }).process;
