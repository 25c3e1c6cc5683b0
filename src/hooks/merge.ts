import { SwarmError } from "../base/errors.ts";
import { checkField, type PayloadCheck } from "../events/validate.ts";
import type { Hook } from "./definition.ts";

/** What a hook may do to the payload of its event, looked up once per event. */
export interface RewriteRules {
  readonly check: PayloadCheck;
  readonly rewritable: ReadonlySet<string>;
  readonly merged: ReadonlySet<string>;
}

type Data = Readonly<Record<string, unknown>>;

/**
 * The payload with a rewrite applied, in a new object: earlier handlers and the caller may still hold the old one.
 * Named fields are replaced; objects in a merged field keep the keys the rewrite does not name.
 */
export function applyRewrite(rules: RewriteRules, hook: Hook, data: Data, rewrite: object): Data {
  if (hook.mode !== "transform")
    throw illegal(hook, Object.keys(rewrite).join(", "), `nothing, it is a ${hook.mode}`);
  const next: Record<string, unknown> = { ...data };
  for (const field of Object.keys(rewrite)) {
    if (!rules.rewritable.has(field)) throw illegal(hook, field, [...rules.rewritable].join(", "));
    const value = (rewrite as Record<string, unknown>)[field];
    // Left in by code that fills optional fields: it names nothing, so it replaces nothing.
    if (value === undefined) continue;
    checkField(rules.check, field, value);
    next[field] = rules.merged.has(field) ? mergeOneLevel(hook, field, data[field], value) : value;
  }
  return next;
}

function mergeOneLevel(hook: Hook, field: string, before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  for (const key of forbiddenKeys) {
    if (Object.hasOwn(after, key))
      throw illegal(hook, `${field}.${key}`, "a key that cannot reach a prototype");
  }
  return { ...before, ...after };
}

const forbiddenKeys = ["__proto__", "constructor", "prototype"];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function illegal(hook: Hook, field: string, legal: string): SwarmError {
  return new SwarmError("SWARM_REWRITE_ILLEGAL", { hook: hook.name, event: hook.event, field, legal });
}
