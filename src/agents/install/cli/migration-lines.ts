import { basename } from "node:path";
import { oneLine } from "../../../base/show.ts";
import type { InstallPlan } from "../install.ts";
import type { Installations } from "../installations.ts";
import { movedFrom } from "../migrate.ts";
import type { OtherHook } from "../../port/adapter.ts";

/** What a person calls a hook that has no name. */
export function describeHook({ place, group, hook }: OtherHook) {
  const matcher = typeof group.matcher === "string" ? group.matcher : "*";
  const what = hook.command ?? hook.url ?? hook.tool ?? hook.prompt ?? hook.type;
  return { event: place.native, matcher, hook: oneLine(String(what), 120) };
}

/** The hooks that stay with their agent, each by its name, and why. */
export function keptLines({ migration }: InstallPlan): string[] {
  return (migration?.kept ?? []).map(({ agent, hook, reason }) => {
    const { event, matcher, hook: what } = describeHook(hook);
    return `${agent}: stays in its settings: ${event} ${oneLine(matcher, 60)}, ${what}: ${oneLine(reason, 200)}`;
  });
}

/** What has gone where, and where both files are as they were. */
export function movedLines({ changes, migration }: InstallPlan, installations: Installations): string[] {
  if (migration === null) return [];
  const { config } = migration;
  return changes.flatMap(({ agent, file }) => {
    const count = movedFrom(migration, agent).length;
    if (count === 0) return [`${agent}: no hook to move`];
    const { moved } = installations.find(file) ?? {};
    const copies = [moved?.settings_backup, moved?.config_backup].filter((copy) => copy != null);
    const what = count === 1 ? "1 hook" : `${count} hooks`;
    const told = `${agent}: ${what} moved to ${config.file}; as it was before: ${copies.join(", ")}`;
    // A project's hooks wait for approval, like any that came with a repository.
    return basename(config.file) === "swarm.yaml"
      ? [told, `${agent}: look at them and approve them: swarm trust`]
      : [told];
  });
}
