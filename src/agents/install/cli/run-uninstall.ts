import { userInfo } from "node:os";
import { applyServers, planServerRemoval } from "../servers.ts";
import { applyUninstall, type Change, planUninstall } from "../install.ts";
import { Installations } from "../installations.ts";
import type { RecordedChange } from "../../../record/port/run-event.ts";
import type { CommandInput } from "../../../cli/command.ts";
import { openLocalRuntime } from "../../../cli/home.ts";
import { json } from "../../../cli/json.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { isChange, isWanted } from "./ask.ts";
import { readInput } from "./read-input.ts";

export async function runUninstall(input: CommandInput): Promise<string> {
  const { scope, folders, chosen } = readInput("uninstall", input);
  const home = swarmHome();
  const installations = new Installations(home);
  const changes = chosen.map((adapter) => {
    const change = planUninstall(adapter, scope, folders, home);
    return { ...change, moved: installations.find(change.file)?.moved ?? null };
  });
  const servers =
    scope === "user"
      ? planServerRemoval(
          chosen.map(({ agent }) => agent),
          folders,
        )
      : [];
  if (!(await isWanted([...changes, ...servers], input, []))) return "nothing was changed\n";
  await restoreAll(changes, home);
  await removeServers(servers, home);
  if (input.isJson) {
    const files = changes.map(({ agent, file, before, after, moved }) => {
      return { agent, scope, file, is_changed: before !== after, moved_hooks: moved };
    });
    const without = servers.map(({ agent, file }) => {
      return { agent, scope, file, is_changed: true, moved_hooks: null };
    });
    return json({ files: [...files, ...without], client: null });
  }
  const lines = changes.flatMap(({ agent, file, before, after, moved }) => [
    before === after ? `${agent}: ${file} is as it should be` : `${agent}: uninstalled, ${file}`,
    ...(moved === null
      ? []
      : [
          `${agent}: its own hooks are still in ${moved.config}, and it does not call them any more; its settings as they were before: ${moved.settings_backup}`,
        ]),
  ]);
  const gone = servers.map(({ agent, file }) => `${agent}: has the swarm's tools no more, ${file}`);
  return `${[...lines, ...gone].join("\n")}\n`;
}

/** Takes our MCP server out of the files and records it, one by one. */
export function removeServers(changes: readonly Change[], home: string): Promise<void> {
  return recordEach(changes, (change) => applyServers([change], home));
}

/** Puts the files back and records it, one by one. */
export function restoreAll(changes: readonly Change[], home: string): Promise<void> {
  return recordEach(changes, (change) => void applyUninstall(change, home));
}

async function recordEach(changes: readonly Change[], apply: (change: Change) => void): Promise<void> {
  const runtime = await openLocalRuntime();
  try {
    for (const change of changes.filter(isChange)) {
      apply(change);
      const event: RecordedChange = "agent.uninstalled";
      const { agent, file, scope } = change;
      const reason = `${agent}, ${scope}: ${file}`;
      const actor = `human:${userInfo().username}`;
      await runtime.audit.record({ kind: "change", event, actor, agent, reason });
    }
  } finally {
    await runtime.close();
  }
}
