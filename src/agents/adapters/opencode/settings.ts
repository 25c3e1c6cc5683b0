import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SwarmError } from "../../../base/errors.ts";
import type { AgentSettings, InstalledHook, SettingsFolders, WantedHook } from "../../port/adapter.ts";
import { isObject } from "../paths.ts";
import { otherProtocol } from "../settings/json-settings.ts";

// The same path from src/agents/adapters/opencode and from dist/adapters/opencode.
const source = join(import.meta.dirname, "..", "..", "..", "..", "native", "opencode-plugin.js");

/** Begins every plugin file of ours. */
const mark = "// swarm-hooks for OpenCode:";
const list = /^const entries = (\{.*?\});$/ms;

const home = ({ home: user, env }: SettingsFolders) =>
  env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(user, ".config"), "opencode");

/** A plugin in a file that is all ours: OpenCode has no hooks in its settings. */
export const opencodeSettings: AgentSettings = {
  ...otherProtocol,
  home,
  file: (scope, folders) =>
    join(
      scope === "project" ? join(folders.project, ".opencode") : home(folders),
      "plugin",
      "swarm-hooks.js",
    ),
  install(text, wanted, file = "plugin/swarm-hooks.js") {
    if (text !== null && text.trim() !== "" && !isOurs(text)) {
      const problem = "the file is not ours, and ours has to have this name";
      throw new SwarmError("SWARM_SETTINGS_INVALID", { file, line: 1, column: 1, problem });
    }
    return wanted.length === 0 ? "" : withEntries(readFileSync(source, "utf8"), wanted);
  },
  uninstall: (text) => (isOurs(text) ? "" : text),
  installed: entriesIn,
  decidingFiles: [
    "/**/.opencode/plugin/**",
    "/**/.opencode/plugins/**",
    "/**/.opencode/opencode.json*",
    "/**/.config/opencode/plugin/**",
    "/**/.config/opencode/plugins/**",
    "/**/.config/opencode/*.json*",
    "/**/opencode.json*",
    "/etc/opencode/**",
    "/**/swarm-hooks.js",
  ],
  disablingCommands: [
    "opencode --pure",
    "opencode uninstall",
    ...["XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR"].flatMap((name) => [
      `${name}=* opencode`,
      `env ${name}=* opencode`,
    ]),
  ],
  whyInert: () => null,
  // A plugin in a file is loaded whatever its settings say.
  switchFiles: () => [],
  hooksOff: () => null,
  weakEntries: (text) => {
    const entries = entriesIn(text);
    if (entries.length === 0 || withEntries(readFileSync(source, "utf8"), entries) === text) return [];
    const why = "the code of its plugin is not what swarm install writes";
    return entries.map(({ native }) => ({ native, why, letsCallsPass: true }));
  },
  amend: (text, change) => {
    const before = entriesIn(text);
    const after = before.map((entry) => change(entry));
    return before.every((entry, at) => entry === after[at]) ? text : withEntries(text, after);
  },
  others: () => [],
  remove: (text) => text,
  runsSameOnce: true,
};

function isOurs(text: string): boolean {
  return text.startsWith(mark);
}

function withEntries(text: string, wanted: readonly WantedHook[]): string {
  const entries = Object.fromEntries(
    wanted.map(({ native, argv, timeoutS }) => [native, { argv, timeoutS }]),
  );
  // By a function: a replacement text would give `$` a meaning.
  return text.replace(list, () => `const entries = ${JSON.stringify(entries, null, 2)};`);
}

function entriesIn(text: string): InstalledHook[] {
  const found = isOurs(text) ? list.exec(text)?.[1] : undefined;
  const entries: unknown = found === undefined ? {} : parsed(found);
  return Object.entries(isObject(entries) ? entries : {}).flatMap(([native, entry]) => {
    const { argv, timeoutS } = isObject(entry) ? entry : {};
    if (!Array.isArray(argv) || argv.length === 0 || typeof timeoutS !== "number") return [];
    const place = { native, groupIndex: 0, hookIndex: 0 };
    return [{ native, argv: argv as unknown as WantedHook["argv"], timeoutS, place }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // somebody has written in it: we are not there any more, and a second install puts it right
  }
}
