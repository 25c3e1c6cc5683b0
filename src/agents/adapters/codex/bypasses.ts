import type { HookBypass } from "../../port/adapter.ts";

/** Seen with Codex 0.169.0. */
export const codexBypasses: readonly HookBypass[] = [
  {
    kind: "flag",
    names: ["-c", "--config"],
    value: /^\s*(features\s*\.\s*"?(codex_)?hooks"?\s*=\s*false|features\s*=.*\bhooks"?\s*=\s*false|hooks\b)/,
    example: "-c features.hooks=false",
    effect: "no hook runs, or others than the settings have",
    evidence: "run",
  },
  {
    kind: "flag",
    names: ["--disable"],
    value: /^(codex_)?hooks$/,
    example: "--disable hooks",
    effect: "no hook runs",
    evidence: "run",
  },
  {
    kind: "flag",
    names: ["--ignore-user-config"],
    value: null,
    example: "--ignore-user-config",
    effect: "the trust in hooks is not read, and hooks without it are skipped",
    evidence: "run",
  },
];
