import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { readContainedFile } from "../../base/bounded-file.ts";
import { parseJson } from "../../base/parse-json.ts";
import { show } from "../../base/show.ts";
import type { Metrics } from "./port/pipeline-store.ts";
import { Unreadable } from "./digest-files.ts";

const maxBytes = 1024 * 1024;
const maxMetrics = 1_000;
const maxNameChars = 128;

/** A JSON object of numbers, or of such objects: `{"test": {"auc": 0.9}}` is `test.auc`. Anything else is a mistake. */
export function readMetrics(folder: string, path: string): Metrics {
  const found: [string, number][] = [];
  const collect = (value: unknown, name: string): void => {
    if (typeof value === "number" && Number.isFinite(value) && name !== "") {
      found.push([name, value]);
      if (found.length > maxMetrics) throw new Unreadable(`${path} has more than ${maxMetrics} numbers`);
      return;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new Unreadable(
        `${path}: ${name === "" ? "it" : show(name)} is ${kindOf(value)}, expected a number`,
      );
    for (const [key, part] of Object.entries(value)) {
      if (!/^[^\p{Cc}\p{Bidi_Control}]+$/u.test(key) || name.length + key.length > maxNameChars)
        throw new Unreadable(`${path}: ${show(key)} is no name for a number`);
      collect(part, name === "" ? key : `${name}.${key}`);
    }
  };
  collect(parsed(folder, path), "");
  return Object.fromEntries(found);
}

/** What a step writes may be a link by then, to any file: nothing of its values is quoted, and it has to lie in the folder. */
function parsed(folder: string, path: string): unknown {
  try {
    const root = realpathSync.native(folder);
    const isInside = (real: string) => real.startsWith(`${root}${sep}`);
    return parseJson(readContainedFile(join(folder, path), maxBytes, isInside).bytes.toString("utf8"));
  } catch (error) {
    throw new Unreadable(`${path} could not be read as JSON: ${(error as Error).message}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value === "string" ? "a text" : `a ${typeof value}`;
}
