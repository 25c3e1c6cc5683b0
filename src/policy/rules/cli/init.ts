import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shippedPolicy } from "../../../config/policy/shipped.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { configFile, planPolicy } from "./plan-policy.ts";

export const policyInitCommand: Command = {
  summary: "turn the starter policy on in config.yaml, or a copy of it to edit",
  positionals: [],
  flags: { copy: { doc: "write policy.yaml beside config.yaml and use that" } },
  examples: ["swarm policy init", "swarm policy init --copy"],
  run({ flags, isJson }) {
    const home = swarmHome();
    const name = flags.has("copy") ? "./policy.yaml" : "starter";
    const edit = planPolicy(home, name);
    if (edit === null) throw usage("policy init", `${configFile(home)} has a policy already`);
    const { file, after } = edit;
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const copy = flags.has("copy") ? writeCopy(home) : null;
    writeFileSync(file, after, { mode: 0o600 });
    const told = { file, policy: name, copy };
    return isJson
      ? json(told)
      : `${file} now says policy: ${name}\n${copy === null ? "" : `edit ${copy}; `}swarm policy check shows its rules\n`;
  },
};

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
