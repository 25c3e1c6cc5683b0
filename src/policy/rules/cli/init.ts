import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SwarmError } from "../../../base/errors.ts";
import { loadUserConfig } from "../../../config/load.ts";
import { parseConfigText } from "../../../config/parse.ts";
import { shippedPolicy } from "../../../config/policy/shipped.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";

export const policyInitCommand: Command = {
  summary: "turn the starter policy on in config.yaml, or a copy of it to edit",
  positionals: [],
  flags: { copy: { doc: "write policy.yaml beside config.yaml and use that" } },
  examples: ["swarm policy init", "swarm policy init --copy"],
  run({ flags, isJson }) {
    const home = swarmHome();
    const { file, text, policy } = loadUserConfig({ home, env: process.env });
    if (policy !== null) throw usage("policy init", `${file} has a policy already`);
    const name = flags.has("copy") ? "./policy.yaml" : "starter";
    const before = text ?? "";
    const after = `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}policy: ${name}\n`;
    checkAppended(file, after, name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const copy = flags.has("copy") ? writeCopy(home) : null;
    writeFileSync(file, after, { mode: 0o600 });
    const told = { file, policy: name, copy };
    return isJson
      ? json(told)
      : `${file} now says policy: ${name}\n${copy === null ? "" : `edit ${copy}; `}swarm policy check shows its rules\n`;
  },
};

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

function writeCopy(home: string): string {
  const copy = join(home, "policy.yaml");
  if (existsSync(copy)) throw usage("policy init", `${copy} is there already`);
  // Of the copy they are the user's own.
  writeFileSync(copy, shippedPolicy("starter").text.replaceAll("starter/", "my/"), {
    mode: 0o600,
    flag: "wx",
  });
  return copy;
}
