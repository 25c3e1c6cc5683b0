import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseJson } from "../base/parse-json.ts";
import type { JsonObject } from "../engine/events/schema.ts";
import { defaultWords, isInSeconds, type Setting, type Settings } from "../operations/port/setting.ts";
import { type CommandInput, usage } from "./command.ts";

/** The options for a table of settings. `defaults` are those of the command line, in words. */
export function settingOptions(
  table: Settings,
  defaults: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const rows = Object.entries(table).filter(([, { placeholder }]) => placeholder !== null);
  return Object.fromEntries(
    rows.map(([name, row]) => {
      const about = row.about.charAt(0).toLowerCase() + row.about.slice(1).replace(/\.$/, "");
      const words = defaults[name] ?? defaultWords(row);
      const more = row.type === "object" ? "; @FILE reads it from a file" : "";
      const byDefault = words === null ? "" : `; default ${words}`;
      return [optionFor(name), `${placeholderOf(name, row)}  ${about}${more}${byDefault}`];
    }),
  );
}

/** The settings that were given as options; what each may be is checked where they are used. */
export function readSettingOptions(
  command: string,
  table: Settings,
  options: CommandInput["options"],
): JsonObject {
  const given = Object.entries(table).flatMap(([name, row]) => {
    const written = options[optionFor(name)];
    return written === undefined ? [] : [[name, readOption(command, optionFor(name), row, written)]];
  });
  return Object.fromEntries(given) as JsonObject;
}

function optionFor(name: string): string {
  return (isInSeconds(name) ? name.slice(0, -2) : name).replaceAll("_", "-");
}

function placeholderOf(name: string, { placeholder, type, values }: Setting): string {
  if (typeof placeholder === "string") return placeholder;
  if (values !== undefined) return values.join("|");
  if (type === "boolean") return "true|false";
  if (type === "object") return "JSON";
  return isInSeconds(name) ? "SECONDS" : type === "integer" ? "N" : "TEXT";
}

function readOption(command: string, option: string, { type, isPath }: Setting, written: string): unknown {
  const refused = (expected: string) =>
    usage(command, `--${option} is ${JSON.stringify(written)}, expected ${expected}`);
  switch (type) {
    case "integer":
      if (!/^\d{1,10}$/.test(written)) throw refused("a whole number");
      return Number(written);
    case "boolean":
      if (written !== "true" && written !== "false") throw refused("true or false");
      return written === "true";
    case "object":
      try {
        return parseJson(written.startsWith("@") ? readFileSync(written.slice(1), "utf8") : written);
      } catch (error) {
        throw usage(command, `--${option} is not JSON: ${(error as Error).message}`);
      }
    default:
      return isPath === true ? resolve(written) : written;
  }
}
