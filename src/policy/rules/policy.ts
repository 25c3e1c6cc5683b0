import { sha256 } from "../../base/sha256.ts";
import { oneLine } from "../../base/show.ts";
import { keyOfNames } from "../../engine/events/tool-names.ts";
import type { Action } from "./action.ts";
import type { Excepts } from "./exception.ts";
import { type Condition, type ConditionKey, conditionOrder } from "./conditions/compile-when.ts";
import type { Place } from "./detect/place.ts";
import { Facts } from "./facts.ts";
import type { Behaviour, Rule } from "./rule.ts";

/** What a policy says of an action. */
export interface Judgement {
  readonly behaviour: Behaviour;
  readonly rule: Rule;
  /** What was found, in words: a command, a path; empty where there is nothing to add to the rule. */
  readonly finding: string;
  /** Why, for whoever is refused; names what was found. */
  readonly reason: string;
}

/** Rules, compiled. Judging reads no clock and keeps nothing; the disk is looked at through `place` alone. */
export interface Policy {
  readonly rules: readonly Rule[];
  /** Tells one version of it from another. */
  readonly digest: string;
  judge(action: Action, place: Place): Judgement | null;
  /** The same, with what rules would have said that only warn or are in shadow mode. */
  review(action: Action, place: Place): Review;
}

export interface Review {
  readonly judgement: Judgement | null;
  readonly unenforced: readonly Judgement[];
}

export interface CompiledRule {
  readonly rule: Rule;
  /** All must hold. */
  readonly conditions: Readonly<Partial<Record<ConditionKey, Condition>>>;
  /** Absent: none. */
  readonly excepts?: readonly Excepts[];
}

interface OrderedRule {
  readonly rule: Rule;
  /** Hold or not by what an action is called, whatever else it is. */
  readonly byName: readonly Condition[];
  readonly conditions: readonly Condition[];
  readonly excepts: readonly Excepts[];
}

const nameConditions = ["event", "tool", "kind", "name"] as const satisfies ConditionKey[];
const otherConditions = conditionOrder.filter(
  (key) => !(nameConditions as readonly ConditionKey[]).includes(key),
);

/** Names come from outside: without a bound they would be a leak. */
const maxNames = 1_000;

/** The rules that concern an action by its name: of a hundred, most are for other tools. */
class ConcernedRules {
  readonly #rules: readonly OrderedRule[];
  readonly #byName = new Map<string, readonly OrderedRule[]>();

  constructor(rules: readonly OrderedRule[]) {
    this.#rules = rules;
  }

  by(facts: Facts): readonly OrderedRule[] {
    const { event, kind, name, readings = [], isLikeShell = false } = facts.action;
    const key = `${event} ${kind} ${isLikeShell} ${keyOfNames(name, readings)}`;
    let found = this.#byName.get(key);
    if (found === undefined) {
      found = this.#rules.filter(({ byName }) => byName.every((condition) => condition(facts) !== false));
      if (this.#byName.size >= maxNames) this.#byName.clear();
      this.#byName.set(key, found);
    }
    return found;
  }
}

/** deny before ask before allow; within one of them the highest priority, then the first. */
const strictness: Readonly<Record<Behaviour, number>> = { deny: 2, ask: 1, allow: 0 };
const maxFindingChars = 200;

/** `digest`: where it is known already. */
export function makePolicy(compiled: readonly CompiledRule[], digest?: string): Policy {
  const rules = compiled.map(({ rule }) => rule);
  const inOrder = compiled
    .map(({ rule, conditions, excepts = [] }) => ({
      rule,
      byName: nameConditions.flatMap((key) => conditions[key] ?? []),
      conditions: otherConditions.flatMap((key) => conditions[key] ?? []),
      excepts,
    }))
    .toSorted((a, b) => order(b.rule) - order(a.rule) || b.rule.priority - a.rule.priority);
  const concerned = new ConcernedRules(inOrder);
  const review = (action: Action, place: Place): Review => {
    const facts = new Facts(action, place);
    const unenforced: Judgement[] = [];
    for (const { rule, conditions, excepts } of concerned.by(facts)) {
      const found = holds(conditions, facts);
      if (found === null || excepts.some((isExcepted) => isExcepted(facts))) continue;
      const judgement = { behaviour: rule.behaviour, rule, finding: found, reason: reasonOf(rule, found) };
      // In order of strictness: the first that holds decides.
      if (!isUnenforced(rule)) return { judgement, unenforced };
      unenforced.push(judgement);
    }
    return { judgement: null, unenforced };
  };
  return {
    rules,
    digest: digest ?? sha256(JSON.stringify(rules)).toString("hex"),
    judge: (action, place) => review(action, place).judgement,
    review,
  };
}

function isUnenforced({ mode }: Rule): boolean {
  return mode === "warn" || mode === "shadow";
}

function order({ behaviour }: Rule): number {
  return strictness[behaviour];
}

/** Null when one of them does not hold, else what the last one found. */
function holds(conditions: readonly Condition[], facts: Facts): string | null {
  let finding = "";
  for (const condition of conditions) {
    const found = condition(facts);
    if (found === false) return null;
    if (typeof found === "string") finding = found;
  }
  return finding;
}

/** With the rule's id: whoever is refused can look it up, and have it changed. */
function reasonOf({ id, behaviour, reason }: Rule, finding: string): string {
  const said = reason ?? `the policy says ${behaviour}`;
  const found = finding === "" ? "" : ` (${oneLine(finding, maxFindingChars)})`;
  return `${said}${found} [${id}]`;
}
