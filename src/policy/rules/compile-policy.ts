import { type Condition, type ConditionKey, compileCondition } from "./conditions/compile-when.ts";
import { compileException } from "./exception.ts";
import type { PathNames } from "./files/path-globs.ts";
import { makePolicy, type Policy } from "./policy.ts";
import type { ConditionValues, Rule } from "./rule.ts";

/** The policy that these rules made when they were read from their files: the same judgements, the same digest. */
export function compilePolicy(rules: readonly Rule[], names: PathNames, digest?: string): Policy {
  return makePolicy(
    rules.map((rule) => ({
      rule,
      conditions: conditionsOf(rule, names),
      excepts: (rule.except ?? []).map((exception) => compileException(exception, names)),
    })),
    digest,
  );
}

function conditionsOf({ when, behaviour }: Rule, names: PathNames): Partial<Record<ConditionKey, Condition>> {
  const conditions: Partial<Record<ConditionKey, Condition>> = {};
  for (const [key, value] of Object.entries(when) as [ConditionKey, ConditionValues[ConditionKey]][]) {
    conditions[key] = compileCondition(key, value as never, behaviour, names);
  }
  return conditions;
}
