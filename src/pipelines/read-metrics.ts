import { readBoundedFile } from "../base/bounded-file.ts";
import { show } from "../base/show.ts";
import type { Metrics } from "../ports/pipeline-store.ts";
import { Unreadable } from "./digest-files.ts";

const maxBytes = 1024 * 1024;
const maxMetrics = 1_000;
const maxNameChars = 128;

/** A JSON object of numbers, or of such objects: `{"test": {"auc": 0.9}}` is `test.auc`. Anything else is a mistake. */
export function readMetrics(file: string, path: string): Metrics {
  const found: [string, number][] = [];
  const collect = (value: unknown, name: string): void => {
    if (typeof value === "number" && Number.isFinite(value) && name !== "") {
      found.push([name, value]);
      if (found.length > maxMetrics) throw new Unreadable(`${path} has more than ${maxMetrics} numbers`);
      return;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new Unreadable(`${path}: ${name === "" ? "it" : name} is ${show(value)}, expected a number`);
    for (const [key, part] of Object.entries(value)) {
      if (!/^[^\p{Cc}\p{Bidi_Control}]+$/u.test(key) || name.length + key.length > maxNameChars)
        throw new Unreadable(`${path}: ${show(key)} is no name for a number`);
      collect(part, name === "" ? key : `${name}.${key}`);
    }
  };
  collect(parsed(file, path), "");
  return Object.fromEntries(found);
}

function parsed(file: string, path: string): unknown {
  try {
    return JSON.parse(readBoundedFile(file, maxBytes).bytes.toString("utf8"));
  } catch (error) {
    throw new Unreadable(`${path} could not be read as JSON: ${(error as Error).message}`);
  }
}
