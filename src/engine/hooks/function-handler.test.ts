import { handlerCases } from "./handler.cases.ts";

handlerCases("function", () => ({
  silent: () => undefined,
  allow: () => ({ verdict: "allow" }),
  deny: async () => ({ verdict: "deny", reason: "no" }),
  rewrite: () => ({ rewrite: { tool_input: { command: "true" } } }),
  context: async () => ({ context: "mind the gap" }),
  fail: () => {
    throw new Error("boom");
  },
  garbage: () => ({ verdict: "block" }),
  hang: () => new Promise(() => undefined),
}));
