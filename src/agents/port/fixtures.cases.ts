import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NativeCall } from "./adapter.ts";

export interface Fixture {
  readonly name: string;
  readonly payload: NativeCall["payload"];
}

export function readFixtures(folder: string): Fixture[] {
  return globSync("**/*.json", { cwd: folder })
    .toSorted()
    .map((name) => ({ name, payload: JSON.parse(readFileSync(join(folder, name), "utf8")) }));
}
