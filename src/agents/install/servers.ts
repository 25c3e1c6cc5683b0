import { textDiff } from "../../base/text-diff.ts";
import { serverSettings } from "../adapters/mcp-servers/index.ts";
import type { ToolServer } from "../adapters/mcp-servers/tool-server.ts";
import type { Adapter } from "../port/adapter.ts";
import { applyEdits, readText } from "./edit-files.ts";
import { changingSettings } from "./installations.ts";
import type { Change, Folders } from "./install.ts";

const lockWaitMs = 2_000;

/** What giving these agents the swarm's tools would change; always in their user's own settings. */
export function planServers(adapters: readonly Adapter[], server: ToolServer, folders: Folders): Change[] {
  return adapters.flatMap(({ agent }) => {
    const settings = serverSettings[agent];
    if (settings === undefined) return [];
    const file = settings.file(folders);
    const before = readText(file);
    const after = settings.add(before, server, file);
    return [{ agent, scope: "user" as const, file, before, after, diff: textDiff(before ?? "", after) }];
  });
}

/** What taking them away again would change; nothing where they are not. */
export function planServerRemoval(agents: readonly Adapter["agent"][], folders: Folders): Change[] {
  return agents.flatMap((agent) => {
    const settings = serverSettings[agent];
    const file = settings?.file(folders) ?? "";
    const before = settings === undefined ? null : readText(file);
    if (settings === undefined || before === null) return [];
    const without = settings.remove(before, file);
    if (without === before) return [];
    // Nothing is left of a file that held our entry alone.
    const after = without === "" ? null : without;
    return [{ agent, scope: "user" as const, file, before, after, diff: textDiff(before, without) }];
  });
}

export function applyServers(changes: readonly Change[], home: string): void {
  changingSettings(home, lockWaitMs, () => applyEdits(changes));
}
