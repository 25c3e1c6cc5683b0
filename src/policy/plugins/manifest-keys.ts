import { idPattern } from "../../base/ids.ts";
import type { ConfigFields } from "../../config/config-field.ts";

const version = {
  type: "string",
  pattern: /^[0-9A-Za-z.+-]{1,64}$/,
  expected: "a version such as 1.0.0",
  doc: "Shown beside the name.",
} as const;

/** Keys of `swarm-plugin.json`. None of them is a setting: those are the user's. */
export const manifestKeys = {
  $schema: { type: "string", doc: "For editors." },
  name: {
    type: "string",
    isRequired: true,
    pattern: idPattern,
    expected: "1 to 64 letters, digits, _ and -",
    doc: "What it is installed as; its hooks are called name/hook.",
  },
  version: { ...version, isRequired: true },
  description: { type: "string", mayBeEmpty: true, doc: "For readers." },
  hooks: {
    type: "any",
    doc: "Hooks as in swarm.yaml, or the path of a file that has them. Default hooks/hooks.json.",
  },
  allowed_shell_commands: {
    type: "strings",
    doc: "Whole command lines its hooks may run, if the user's plugin_shell_allowlist has them too.",
  },
  function_hooks: {
    type: "string",
    pattern: /^(\.\/)?[\w@+-][\w@+./-]*\.m?js$/,
    expected: "the path of a .js or .mjs file in the plugin's folder",
    doc: "A module whose export hooks registers functions. They run in swarm's own process.",
  },
} as const satisfies ConfigFields;

/** Keys of `.claude-plugin/plugin.json`: the same, and whatever else Claude Code reads there is passed over. */
export const claudeManifestKeys = { ...manifestKeys, version } as const satisfies ConfigFields;
