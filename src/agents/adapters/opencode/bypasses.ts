import type { HookBypass } from "../../port/adapter.ts";

/** Seen with OpenCode 1.18.33. */
export const opencodeBypasses: readonly HookBypass[] = [
  {
    kind: "flag",
    names: ["--pure"],
    value: null,
    example: "--pure",
    effect: "no plugin is loaded, ours neither",
    evidence: "run",
  },
  {
    kind: "variable",
    names: ["OPENCODE_PURE"],
    value: null,
    example: "OPENCODE_PURE=1",
    effect: "no plugin is loaded, ours neither",
    evidence: "run",
  },
  {
    kind: "variable",
    names: ["OPENCODE_DISABLE_PROJECT_CONFIG"],
    value: null,
    example: "OPENCODE_DISABLE_PROJECT_CONFIG=1",
    effect: "a project's own plugins are not loaded",
    evidence: "source",
  },
];
