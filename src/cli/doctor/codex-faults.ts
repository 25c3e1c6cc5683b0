import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { adapters } from "../../agents/adapters/index.ts";
import type { SettingsReport } from "../../agents/install/inspect.ts";
import type { Folders } from "../../agents/install/install.ts";
import type { Scope } from "../../agents/port/adapter.ts";
import { readCodexState, stateKey } from "../../agents/verify/agents/codex-state.ts";

/** What Codex's own settings say of its trust in our entries; whether it is still good only a run shows. */
export function codexFaults(
  { scope, file, entries }: Pick<SettingsReport, "file" | "entries"> & { readonly scope: Scope },
  folders: Folders,
): string[] {
  const user = join(dirname(adapters.codex.settings.file("user", folders)), "config.toml");
  const stateIn = (config: string) => readCodexState(existsSync(config) ? readFileSync(config, "utf8") : "");
  const { hooks, trustedProjects } = stateIn(user);
  const configs = [user, join(folders.project, ".codex", "config.toml"), "/etc/codex/config.toml"];
  const off = configs.find((config) => stateIn(config).areHooksOff);
  if (off !== undefined) return [`hooks are off in ${off}: remove hooks = false from its features`];
  const isIn = (names: ReadonlySet<string>) =>
    [folders.project, realPath(folders.project)].some((name) => names.has(name));
  if (scope === "project" && !isIn(trustedProjects))
    return ["Codex does not trust this project, and reads none of its hooks: start codex here and trust it"];
  const files = [...new Set([file, realPath(file)])];
  const stateOf = ({ place }: (typeof entries)[number]) =>
    files.map((name) => hooks.get(stateKey(name, place))).find((state) => state !== undefined);
  const untrusted = entries.filter((entry) => stateOf(entry)?.hasHash !== true).map(({ native }) => native);
  const turnedOff = entries.filter((entry) => stateOf(entry)?.isOff === true).map(({ native }) => native);
  const review = "start codex in a terminal, review the hooks it shows (or /hooks)";
  return [
    ...(untrusted.length === 0
      ? []
      : [
          `Codex has not been told to trust our hooks for ${untrusted.join(", ")}, and skips them: ${review} and trust them`,
        ]),
    ...(turnedOff.length === 0
      ? []
      : [`our hooks for ${turnedOff.join(", ")} are off in Codex: ${review} and turn them on`]),
  ];
}

function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}
