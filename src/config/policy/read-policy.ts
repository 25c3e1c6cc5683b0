import { show } from "../../base/show.ts";
import {
  type Condition,
  type ConditionKey,
  compileCondition,
} from "../../policy/rules/conditions/compile-when.ts";
import { compileException } from "../../policy/rules/exception.ts";
import type { PathNames } from "../../policy/rules/files/path-globs.ts";
import type { Behaviour, RuleWhen } from "../../policy/rules/rule.ts";
import { type Placed, readFields } from "../fields.ts";
import { configLimits } from "../limits.ts";
import { type ConfigNode, checkAt, invalid, type Position } from "../node.ts";
import type { ProjectFiles } from "../project-files.ts";
import { policyKeys, ruleKeys, ruleWhenKeys } from "./keys.ts";
import { readExceptions } from "./read-exceptions.ts";
import type { PolicyTest, SourcedRule } from "./policy-config.ts";
import { readTests } from "./read-tests.ts";

/** What one policy says by itself; the policies it uses are still names. */
export interface PolicySection {
  readonly uses: readonly { readonly name: string; readonly at: Position }[];
  readonly rules: readonly SourcedRule[];
  readonly tests: readonly PolicyTest[];
  readonly disabled: readonly { readonly id: string; readonly at: Position }[];
}

export interface PolicyReading {
  readonly file: string;
  /** Null: what it uses may lie anywhere. */
  readonly project: ProjectFiles | null;
  /** Whether `allow` may be said, which is the user's alone. */
  readonly mayAllow: boolean;
  readonly names: PathNames;
}

/** `policy: starter`, a list of such names, or a map with rules. */
export function readPolicy(reading: PolicyReading, node: ConfigNode): PolicySection {
  if (node.kind === "scalar" && node.value === null) return { uses: [], rules: [], tests: [], disabled: [] };
  if (node.kind !== "map") return { ...readPolicy(reading, emptyMap(node)), uses: readNames(reading, node) };
  const { use, rules, disable, tests } = readFields(reading.file, node, "the policy", policyKeys);
  return {
    uses: use === undefined ? [] : use.value.map((name) => ({ name, at: use.at })),
    rules: listOf(reading, rules).map((rule) => readRule(reading, rule)),
    tests: readTests(reading.file, listOf(reading, tests)),
    disabled: disable === undefined ? [] : disable.value.map((id) => ({ id, at: disable.at })),
  };
}

function emptyMap({ at }: ConfigNode): ConfigNode {
  return { kind: "map", at, entries: [] };
}

function readNames({ file }: PolicyReading, node: ConfigNode): PolicySection["uses"] {
  const items = node.kind === "list" ? node.items : [node];
  return items.map((item) => {
    if (item.kind === "scalar" && typeof item.value === "string" && item.value !== "") {
      return { name: item.value, at: item.at };
    }
    throw invalid(
      file,
      item.at,
      "the policy is no name, expected starter, a file, a list of them, or a map with rules",
    );
  });
}

function listOf({ file }: PolicyReading, field: Placed<ConfigNode> | undefined): readonly ConfigNode[] {
  if (field === undefined || (field.value.kind === "scalar" && field.value.value === null)) return [];
  if (field.value.kind !== "list") throw invalid(file, field.at, "expected a list");
  if (field.value.items.length > configLimits.rules) {
    throw invalid(file, field.at, `more than ${configLimits.rules} of them, expected fewer`);
  }
  return field.value.items;
}

function readRule(reading: PolicyReading, node: ConfigNode): SourcedRule {
  const { file, mayAllow } = reading;
  const fields = readFields(file, node, "the rule", ruleKeys);
  const behaviour = fields.behaviour.value;
  if (behaviour === "allow" && !mayAllow) {
    const problem = "behaviour is allow, expected deny or ask: a project's file may only add stricter rules";
    throw invalid(file, fields.behaviour.at, problem);
  }
  const { when, conditions } =
    fields.when === undefined ? { when: {}, conditions: {} } : readWhen(reading, fields.when, behaviour);
  if (behaviour === "allow" && Object.keys(when).length === 0) {
    throw invalid(file, node.at, "the rule allows everything, expected a when that narrows it");
  }
  const except = fields.except === undefined ? [] : readExceptions(file, fields.except.value, reading.names);
  const mode = fields.mode?.value ?? "enforce";
  return {
    source: { file, ...node.at },
    conditions,
    excepts: except.map((exception) => compileException(exception, reading.names)),
    rule: {
      id: fields.id.value,
      when,
      behaviour,
      reason: fields.reason?.value ?? null,
      priority: fields.priority?.value ?? 0,
      // Left out where it says nothing: what a rule is made of is in the digest of the policy.
      ...(mode !== "enforce" && { mode }),
      ...(except.length > 0 && { except }),
    },
  };
}

function readWhen({ file, names }: PolicyReading, { value: node }: Placed<ConfigNode>, behaviour: Behaviour) {
  const when: Record<string, unknown> = {};
  const conditions: Partial<Record<ConditionKey, Condition>> = {};
  for (const [key, field] of Object.entries(readFields(file, node, "when", ruleWhenKeys))) {
    if (field === undefined) continue;
    const condition = key as ConditionKey;
    const value = readConditionValue(file, condition, field);
    when[condition] = value;
    conditions[condition] = checkAt(file, field.at, () =>
      compileCondition(condition, value as never, behaviour, names),
    );
  }
  return { when: when as RuleWhen, conditions };
}

/** What a condition is written with, as rules keep it. */
export function readConditionValue(file: string, key: ConditionKey, { value }: Placed<unknown>): unknown {
  if (key === "args_pattern") return readArgsPattern(file, value as ConfigNode);
  return matched.has(key) ? oneOrMore(value as readonly string[]) : value;
}

/** Conditions that are matchers: kept as they are mostly written. */
const matched: ReadonlySet<ConditionKey> = new Set(["event", "tool", "kind", "name", "agent", "role"]);

function oneOrMore(values: readonly string[]): string | readonly string[] {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : values;
}

/** A text for all arguments, or argument → text. */
function readArgsPattern(file: string, node: ConfigNode): string | Record<string, string> {
  const text = (part: ConfigNode): string => {
    if (part.kind === "scalar" && typeof part.value === "string" && part.value !== "") return part.value;
    const shown = part.kind === "scalar" ? show(part.value) : `a ${part.kind}`;
    throw invalid(file, part.at, `args_pattern has ${shown}, expected text; a number needs quotes`);
  };
  if (node.kind !== "map") return text(node);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, text(value)]));
}
