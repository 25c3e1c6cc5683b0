import type { CompiledRule, Policy } from "../../policy/rules/policy.ts";
import type { PolicyCase } from "../../policy/rules/policy-tests.ts";
import type { Position } from "../node.ts";

export interface RuleSource extends Position {
  readonly file: string;
}

/** A rule with the place it was declared at. */
export interface SourcedRule extends CompiledRule {
  readonly source: RuleSource;
}

/** One case of `swarm policy test`. */
export interface PolicyTest extends PolicyCase {
  readonly source: RuleSource;
}

/** The policy of one working directory. */
export interface PolicyConfig {
  /** Null when there is no rule: nothing is judged then. */
  readonly policy: Policy | null;
  readonly rules: readonly SourcedRule[];
  readonly tests: readonly PolicyTest[];
  /** Ids of rules the user has turned off. */
  readonly disabled: readonly string[];
  /** Configuration files that have some of it under `policy:`. */
  readonly declaredIn: readonly string[];
  /** Files it was read from, besides config.yaml, swarm.yaml and those that come with the package. */
  readonly files: readonly string[];
  /** The same of those that come with the package: as they are written, and as the build has parsed them. */
  readonly shippedFiles: readonly string[];
}

export const noPolicy: PolicyConfig = {
  policy: null,
  rules: [],
  tests: [],
  disabled: [],
  declaredIn: [],
  files: [],
  shippedFiles: [],
};
