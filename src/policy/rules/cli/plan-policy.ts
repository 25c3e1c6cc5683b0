import { join } from "node:path";
import { SwarmError } from "../../../base/errors.ts";
import { loadUserConfig } from "../../../config/load.ts";
import { parseConfigText } from "../../../config/parse.ts";
import { usage } from "../../../cli/command.ts";

export interface ConfigEdit {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}

export function configFile(home: string): string {
  return join(home, "config.yaml");
}

/** The user's file with one more line, which turns a policy on; null where it has one already. */
export function planPolicy(home: string, name: string): ConfigEdit | null {
  const { file, text, policy } = loadUserConfig({ home, env: process.env });
  if (policy !== null) return null;
  const before = text ?? "";
  const after = `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}policy: ${name}\n`;
  checkAppended(file, after, name);
  return { file, before: text, after };
}

/** A file in another form than lines of `key: value` would not mean the same with one more. */
function checkAppended(file: string, text: string, name: string): void {
  try {
    const { policy } = parseConfigText(file, text, { owner: "user", env: process.env });
    if (policy?.kind === "scalar" && policy.value === name) return;
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
  }
  throw usage("policy init", `${file} cannot be added to, write policy: ${name} into it yourself`);
}
