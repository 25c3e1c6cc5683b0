import { createHash } from "node:crypto";
import { basename } from "node:path";
import { oneLine } from "../base/show.ts";
import { isLabel } from "../engine/hooks/definition.ts";
import type { HookConfig } from "./hook-config.ts";
import { invalid } from "./node.ts";
import { type Draft, pluginOf, type Reading } from "./reading.ts";

/**
 * Gives every hook its name and id. An unnamed hook is counted among the unnamed hooks of its event, so that a
 * hook added for another event, or a named one, changes no other's.
 */
export function identify(reading: Reading, drafts: readonly Draft[]): HookConfig[] {
  const unnamed = new Map<string, number>();
  return drafts.map(({ at, name: given, ...rest }) => {
    const { event } = rest;
    const ordinal = (unnamed.get(event) ?? 0) + (given === null ? 1 : 0);
    unnamed.set(event, ordinal);
    const name = nameOf(reading, given ?? `${event}#${ordinal}`, given === null);
    if (!isLabel(name)) {
      throw invalid(
        reading.file,
        at,
        `the hook's name with its plugin's is too long, expected at most 128 characters`,
      );
    }
    return {
      id: hookId(placeOf(reading), event, given ?? `#${ordinal}`),
      name,
      source: { file: reading.file, ...at },
      plugin: pluginOf(reading)?.plugin ?? null,
      ...rest,
    };
  });
}

/** A plugin's name goes before its hooks': whoever installs two of them cannot rename either's. */
function nameOf(reading: Reading, own: string, isMadeUp: boolean): string {
  const plugin = pluginOf(reading)?.plugin;
  if (plugin !== undefined) return `${plugin}/${own}`;
  return isMadeUp ? `${oneLine(basename(reading.file), 60)}/${own}` : own;
}

/** A plugin's hooks stay the same from version to version, though each has a folder of its own. */
function placeOf(reading: Reading): string {
  const plugin = pluginOf(reading)?.plugin;
  return plugin === undefined ? reading.file : pluginPlace(plugin);
}

/** Where a plugin's hooks are at home, for their ids. */
export function pluginPlace(plugin: string): string {
  return `plugin:${plugin}`;
}

/** Readable first (at most 19 + 32 characters), then 8 hex digits that tell files and look-alikes apart. */
export function hookId(place: string, event: string, label: string): string {
  const readable = [event, label].map((part) =>
    part
      .replaceAll(/[^A-Za-z0-9]+/g, "_")
      .replaceAll(/^_|_$/g, "")
      .slice(0, 32),
  );
  const digest = createHash("sha256")
    .update(JSON.stringify([place, event, label]))
    .digest("hex");
  return [...readable.filter((part) => part !== ""), digest.slice(0, 8)].join("-");
}
