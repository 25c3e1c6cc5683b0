import type { PolicyConfig } from "../../config/policy/policy-config.ts";
import { behaviours, ruleModes } from "./rule.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { string, stringOrNull } from "../../daemon/rest/shapes.ts";

const place = closed({ file: string, line: { type: "integer" }, column: { type: "integer" } });

export const policyDescriptionSchema = closed({
  rules: {
    type: "array",
    items: closed({
      id: string,
      behaviour: { enum: behaviours },
      reason: stringOrNull,
      priority: { type: "number" },
      when: { type: "object" },
      mode: { enum: ruleModes, description: "warn and shadow: it says what it would have said." },
      except: { type: "array", items: { type: "object" }, description: "Where it does not count." },
      is_enabled: { type: "boolean", description: "False: disabled in the user's file." },
      source: place,
    }),
  },
  digest: {
    ...stringOrNull,
    description: "Tells one version of the rules from another; in the record of what they judged.",
  },
  files: { type: "array", items: string, description: "Policy files the rules were read from." },
  problem: { ...stringOrNull, description: "Why the files as they are now are not in force." },
});

export type PolicyDescription = ReturnType<typeof describePolicy>;

export function describePolicy(
  { rules, policy, disabled, files }: PolicyConfig,
  problem: string | null = null,
) {
  return {
    rules: rules.map(({ rule: { id, behaviour, reason, priority, when, mode, except }, source }) => ({
      id,
      behaviour,
      reason,
      priority,
      when,
      mode: mode ?? "enforce",
      except: [...(except ?? [])],
      is_enabled: !disabled.includes(id),
      source,
    })),
    digest: policy?.digest ?? null,
    files,
    problem,
  };
}
