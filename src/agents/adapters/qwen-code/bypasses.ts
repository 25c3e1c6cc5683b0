import type { HookBypass } from "../../port/adapter.ts";

/** Seen with Qwen Code 0.24.4. */
export const qwenBypasses: readonly HookBypass[] = [
  {
    kind: "flag",
    names: ["--bare"],
    value: null,
    example: "--bare",
    effect: "no hook of any settings file runs",
    evidence: "run",
  },
  {
    kind: "flag",
    names: ["--safe-mode"],
    value: null,
    example: "--safe-mode",
    effect: "no hook of any settings file runs",
    evidence: "run",
  },
  {
    kind: "variable",
    names: ["QWEN_CODE_SIMPLE"],
    value: null,
    example: "QWEN_CODE_SIMPLE=1",
    effect: "no hook of any settings file runs",
    evidence: "run",
  },
  {
    kind: "variable",
    names: ["QWEN_CODE_SAFE_MODE"],
    value: null,
    example: "QWEN_CODE_SAFE_MODE=1",
    effect: "no hook of any settings file runs",
    evidence: "run",
  },
];
