import { join } from "node:path";
import { parse } from "jsonc-parser";
import type { SettingsFolders } from "../../port/adapter.ts";
import { type HookForm, secondsIn } from "../settings/hook-form.ts";
import { jsonSettings, otherProtocol } from "../settings/json-settings.ts";
import { shellLine, shellWords } from "../settings/shell-line.ts";
import { cursorEvents } from "./events.ts";

const form: HookForm = {
  lists: "hooks",
  root: { version: 1 },
  matcher: () => null,
  print: ({ argv, timeoutS }) => ({
    type: "command",
    command: shellLine(argv),
    timeout: timeoutS,
    ...(argv.includes("--guard") ? { failClosed: true } : {}),
  }),
  argv: ({ command }) => (typeof command === "string" ? shellWords(command) : null),
  timeoutS: ({ timeout }) => secondsIn(timeout),
};

const home = ({ home: user }: SettingsFolders) => join(user, ".cursor");

export const cursorSettings = jsonSettings(form, {
  home,
  file: (scope, folders) =>
    join(scope === "project" ? join(folders.project, ".cursor") : home(folders), "hooks.json"),
  usualFile: ".cursor/hooks.json",
  decidingFiles: [
    "/**/.cursor/hooks.json",
    "/etc/cursor/**",
    "/Library/Application Support/Cursor/hooks.json",
  ],
  disablingCommands: [],
  ...otherProtocol,
  whyInert,
  switchFiles: () => [],
  hooksOff: () => null,
  runsSameOnce: false,
});

/** One thing it does not know, and it reads nothing of the file. */
function whyInert(text: string): string | null {
  const { version, hooks } = parse(text) ?? {};
  if (hooks === undefined) return null;
  if (!Number.isInteger(version)) return 'it reads no file without "version": 1: add that';
  const known = new Set(cursorEvents.map(({ native }) => native));
  const unknown = Object.keys(hooks).find((native) => !known.has(native));
  return unknown === undefined ? null : `it reads no file with the event ${unknown}: remove that`;
}
