import { SwarmError } from "../../base/swarm-error.ts";
import { show } from "../../base/show.ts";
import { explainUnfitData, isWithinLimits } from "../events/data-limits.ts";
import { type EventName, rewritableFields, rowOf } from "../events/names.ts";
import { type Field, fits, misfit } from "../events/schema.ts";
import type { Hook } from "./definition.ts";

/** A payload as the engine handles it, whatever its event. */
export type Data = Readonly<Record<string, unknown>>;

interface FieldRule {
  readonly spec: Field;
  /** Objects are merged one level deep instead of replaced. */
  readonly isMerged: boolean;
}

/** The fields of an event that hooks may rewrite. Without a prototype: `constructor` must find nothing here. */
export type RewriteRules = Readonly<Record<string, FieldRule>>;

export function rewriteRulesOf(event: EventName): RewriteRules {
  const row = rowOf(event);
  const rules: Record<string, FieldRule> = Object.create(null);
  for (const field of rewritableFields(row)) {
    const spec = row.payload[field];
    if (spec !== undefined) rules[field] = { spec, isMerged: row.merges.includes(field) };
  }
  return rules;
}

/**
 * The payload with a rewrite applied, in a new object: earlier handlers and the caller may still hold the old one.
 * Named fields are replaced; objects in a merged field keep the keys the rewrite does not name.
 */
export function applyRewrite(
  rules: RewriteRules,
  hook: Hook,
  data: Data,
  rewrite: object,
  isValidating: boolean,
): Data {
  if (hook.mode !== "transform" || typeof rewrite !== "object" || rewrite === null)
    throw notAllowed(hook, rewrite);
  const next: Record<string, unknown> = { ...data };
  for (const field of Object.keys(rewrite)) {
    const value = (rewrite as Record<string, unknown>)[field];
    const rule = rules[field];
    if (rule === undefined) throw illegal(hook, field, Object.keys(rules).join(", "));
    // Left in by code that fills optional fields: it names nothing, so it replaces nothing.
    if (value === undefined) continue;
    if (!fits(rule.spec, value)) throw misfitting(hook, field, rule.spec, value);
    if ((rule.isMerged || isValidating) && isObject(value)) refuseForbiddenKeys(hook, field, value);
    const before = data[field];
    const after = rule.isMerged && isObject(before) && isObject(value) ? { ...before, ...value } : value;
    // The merged value, because two halves within the limit can be over it together.
    if (isValidating && !isWithinLimits(after)) throw explainUnfitData(hook.event, field, after);
    next[field] = after;
  }
  return next;
}

/** Also where nothing is merged now: a later hook's rewrite, or the host, may merge it. */
function refuseForbiddenKeys(hook: Hook, field: string, value: object): void {
  // Those a copy would take along: others cannot get into a payload by being merged.
  for (const key in value) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") {
      throw illegal(hook, `${field}.${key}`, "a key that cannot reach a prototype");
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notAllowed(hook: Hook, rewrite: unknown): SwarmError {
  if (isObject(rewrite))
    return illegal(hook, Object.keys(rewrite).join(", "), `nothing, it is a ${hook.mode}`);
  const problem = `rewrite ${show(rewrite)}, expected an object of fields`;
  return new SwarmError("SWARM_ANSWER_INVALID", { hook: hook.name, problem });
}

function illegal(hook: Hook, field: string, legal: string): SwarmError {
  return new SwarmError("SWARM_REWRITE_ILLEGAL", { hook: hook.name, event: hook.event, field, legal });
}

function misfitting(hook: Hook, field: string, spec: Field, value: unknown): SwarmError {
  const expected = misfit(spec, value) ?? "";
  return new SwarmError("SWARM_PAYLOAD_INVALID", { event: hook.event, field, expected, value });
}
