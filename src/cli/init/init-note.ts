import { rmSync } from "node:fs";
import { join } from "node:path";
import { readIfThere } from "../../base/private-file.ts";
import { replaceFile } from "../../base/replace-file.ts";
import type { ConfigEdit } from "../../policy/rules/cli/plan-policy.ts";

/** What `swarm init` has written into config.yaml, so that it can be taken out again. */
export function noteConfigEdit(home: string, edit: ConfigEdit): void {
  const before = readConfigEdit(home);
  // Of two edits in a row the first has the file as it was.
  const first = before !== null && before.after === edit.before ? { ...edit, before: before.before } : edit;
  replaceFile(noteFile(home), `${JSON.stringify(first)}\n`);
}

export function readConfigEdit(home: string): ConfigEdit | null {
  const text = readIfThere(noteFile(home));
  return text === null ? null : (JSON.parse(text) as ConfigEdit);
}

export function forgetConfigEdit(home: string): void {
  rmSync(noteFile(home), { force: true });
}

function noteFile(home: string): string {
  return join(home, "init.json");
}
