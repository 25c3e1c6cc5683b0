import type { AgentSettings, Scope, SettingsFolders } from "../../port/adapter.ts";
import { amendHooks } from "./amend-hooks.ts";
import { type HookForm, installedHooks, isPlace, otherHooks } from "./hook-form.ts";
import { installHooks } from "./install-hooks.ts";
import { removeHooks, uninstallHooks } from "./uninstall-hooks.ts";
import { weakEntries } from "./weak-entries.ts";

/** What differs between agents that declare hooks in JSON, besides how a hook is written. */
export interface JsonSettings
  extends Pick<
    AgentSettings,
    | "whyInert"
    | "switchFiles"
    | "hooksOff"
    | "port"
    | "shell"
    | "runsSameOnce"
    | "distrustsChanges"
    | "alwaysGuarded"
    | "decidingFiles"
    | "disablingCommands"
  > {
  home(folders: SettingsFolders): string;
  file(scope: Scope, folders: SettingsFolders): string;
  /** What an error calls a text of no known file. */
  readonly usualFile: string;
}

export function jsonSettings(form: HookForm, { usualFile, ...its }: JsonSettings): AgentSettings {
  return {
    ...its,
    install: (text, wanted, file = usualFile) => installHooks(form, text, wanted, file),
    uninstall: (text, file = usualFile) => uninstallHooks(form, text, file),
    installed: (text, file = usualFile) => installedHooks(form, text, file),
    weakEntries: (text, file = usualFile) => weakEntries(form, text, file),
    amend: (text, change, file = usualFile) => amendHooks(form, text, change, file),
    others: (text, file = usualFile) => otherHooks(form, text, file),
    remove: (text, hooks, file = usualFile) => removeHooks(form, text, file, isPlace(hooks)),
  };
}

/** For agents whose hooks are given another input, and answer in other words, than hooks of our configuration. */
export const otherProtocol = {
  port: () => "its hooks are given another input, and answer in other words, than ours",
  shell: () => ["bash", "-c"],
  distrustsChanges: false,
  alwaysGuarded: [],
} as const satisfies Partial<JsonSettings>;
