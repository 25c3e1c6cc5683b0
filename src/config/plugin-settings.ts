import { idPattern } from "../base/ids.ts";
import { show } from "../base/show.ts";
import { readCommandLine } from "./command-line.ts";
import type { PlacedFields } from "./fields.ts";
import type { PluginSettings } from "./hook-config.ts";
import type { fileKeys } from "./keys.ts";
import { invalid, plainOf } from "./node.ts";

/** What the user's file says about plugins; nobody else's may. */
export function readPluginSettings(
  file: string,
  fields: Partial<PlacedFields<typeof fileKeys>>,
): PluginSettings {
  return {
    shellAllowlist: readAllowlist(file, fields.plugin_shell_allowlist),
    options: readOptions(file, fields.plugin_options),
  };
}

function readAllowlist(file: string, field: PlacedFields<typeof fileKeys>["plugin_shell_allowlist"]) {
  return (field?.value ?? []).map((text) => {
    const line = readCommandLine(text, (plugin) => (idPattern.test(plugin) ? plugin : null));
    if (typeof line !== "string") return line;
    const problem = `plugin_shell_allowlist has ${show(text)}, expected a program with its arguments: ${line}`;
    throw invalid(file, field?.at ?? { line: 1, column: 1 }, problem);
  });
}

function readOptions(file: string, field: PlacedFields<typeof fileKeys>["plugin_options"]) {
  if (field === undefined) return {};
  const { value: node } = field;
  if (node.kind !== "map")
    throw invalid(file, node.at, "plugin_options is not a map, expected one by plugin");
  const read = node.entries.map(({ key, at, value }) => {
    if (!idPattern.test(key)) throw invalid(file, at, `${show(key)} is not the name of a plugin`);
    if (value.kind !== "map") throw invalid(file, value.at, `options of ${key} are not a map, expected one`);
    return [key, plainOf(value)] as const;
  });
  return Object.fromEntries(read) as PluginSettings["options"];
}
