import { mkdirSync } from "node:fs";
import { replaceFile } from "../../base/replace-file.ts";
import { shippedPolicy } from "../../config/policy/shipped.ts";
import { loadPolicyFile } from "../../config/policy/load-policy.ts";
import { configFile, planPolicy } from "../../policy/rules/cli/plan-policy.ts";
import { namesOf } from "../../policy/rules/files/path-names.ts";
import { noteConfigEdit } from "./init-note.ts";
import { type Step, tilde } from "./step.ts";

export function policyStep(home: string): Step {
  const file = tilde(configFile(home));
  return {
    name: "policy",
    plan: `adds \`policy: starter\` to ${file}`,
    async run() {
      const edit = planPolicy(home, "starter");
      if (edit === null) return `${file} has a policy already`;
      mkdirSync(home, { recursive: true, mode: 0o700 });
      noteConfigEdit(home, edit);
      replaceFile(edit.file, edit.after);
      const { rules } = loadPolicyFile(shippedPolicy("starter").file, namesOf(home, process.env));
      return `${file} now says policy: starter, ${rules.length} rules`;
    },
  };
}
