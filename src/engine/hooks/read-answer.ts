import { SwarmError } from "../../base/swarm-error.ts";
import { show } from "../../base/show.ts";
import { Answer, type FieldDialect } from "../events/answer.ts";
import { isVerdict } from "../events/decision.ts";
import type { Hook } from "./definition.ts";

/**
 * Reads what a handler returned when it is not one of our own `Answer`s: a plain object of the same fields, or the
 * other dialect's `{ carry_on, mutation }`. Only own keys count: an inherited verdict is nobody's answer.
 *
 * A denial is never lost: an object that denies does so even when something else about it is wrong, because the
 * alternative is to fail open on a typo in the reason.
 */
export function readAnswer(hook: Hook, returned: unknown): Answer {
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) {
    throw invalid(hook, `${show(returned)}, expected an answer or nothing`);
  }
  const own = new Map(Object.entries(returned));
  if (own.get("verdict") === "deny" || own.get("carry_on") === false) return denial(own);
  // An error that was returned, a map, a class whose verdict is a getter: somebody meant something by it.
  if (!isPlain(returned) && !answerKeys.some((key) => own.has(key))) {
    throw invalid(hook, `${show(returned)} of its own, expected a plain object or nothing`);
  }
  const dialect = own.has("carry_on") || own.has("mutation") ? carryOnDialect : plainDialect;
  for (const [key, value] of own) {
    // A copy of an answer of our own has every key of it; which rule it was of, only the engine may say.
    if (!dialect.keys.has(key) && !(key === "by" && value === undefined)) {
      throw invalid(hook, `an object with key ${show(key)}, expected only ${[...dialect.keys].join(", ")}`);
    }
  }
  return dialect.read(hook, own);
}

/** The keys that say something; a reason alone does not. */
export const answerKeys = ["verdict", "rewrite", "context", "stop", "carry_on", "mutation"];

/** Its prototype is `Object.prototype`, of this or another realm, or null: no map, date or error. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether an answer denies, before anything else about it is looked at. */
export function isDenial(returned: unknown): boolean {
  if (typeof returned !== "object" || returned === null) return false;
  const own = (key: string) => Object.getOwnPropertyDescriptor(returned, key)?.value;
  try {
    return own("verdict") === "deny" || own("carry_on") === false;
  } catch {
    return false; // an object that throws when it is looked at: whoever reads it next finds that out
  }
}

function denial(own: ReadonlyMap<string, unknown>): Answer {
  const text = (key: string) => textOrUndefined(own.get(key));
  return new Answer("deny", text("reason"), undefined, text("context"), text("stop"));
}

interface Dialect {
  readonly keys: ReadonlySet<string>;
  read(hook: Hook, own: ReadonlyMap<string, unknown>): Answer;
}

const plainDialect: Dialect = {
  keys: new Set(["verdict", "reason", "rewrite", "context", "stop"]),
  read(hook, own) {
    const verdict = own.get("verdict") ?? undefined;
    if (verdict !== undefined && !isVerdict(verdict)) {
      throw invalid(hook, `verdict ${show(verdict)}, expected none, allow, ask, defer or deny`);
    }
    return new Answer(
      verdict,
      text(hook, own, "reason"),
      fields(hook, own, "rewrite"),
      text(hook, own, "context"),
      text(hook, own, "stop"),
    );
  },
};

/** `carry_on: true` lets pass, without the weight of an `allow`. */
const carryOnDialect: Dialect = {
  keys: new Set(["carry_on", "mutation", "reason"]),
  read(hook, own) {
    const carryOn = own.get("carry_on") ?? true;
    if (carryOn !== true) throw invalid(hook, `carry_on ${show(carryOn)}, expected true or false`);
    const mutation = fields(hook, own, "mutation");
    const rewrite = mutation && renameFields(hook, mutation);
    return new Answer(undefined, text(hook, own, "reason"), rewrite, undefined, undefined);
  },
};

/** One field per concept: the other dialect's names are mapped here, so that masking one cannot leak another. */
const fieldNames: Readonly<Record<FieldDialect[keyof FieldDialect], keyof FieldDialect>> = {
  arguments: "tool_input",
  result: "tool_output",
  output: "tool_output",
};

function renameFields(hook: Hook, mutation: object): object {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(mutation)) {
    const field = Object.hasOwn(fieldNames, name) ? fieldNames[name as keyof typeof fieldNames] : name;
    if (fields.has(field))
      throw invalid(hook, `a mutation that names ${field} twice, expected one name for it`);
    fields.set(field, value);
  }
  return Object.fromEntries(fields);
}

function text(hook: Hook, own: ReadonlyMap<string, unknown>, key: string): string | undefined {
  const value = own.get(key) ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw invalid(hook, `${key} ${show(value)}, expected a string`);
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function fields(hook: Hook, own: ReadonlyMap<string, unknown>, key: string): object | undefined {
  const value = own.get(key) ?? undefined;
  if (value === undefined || (typeof value === "object" && !Array.isArray(value))) return value;
  throw invalid(hook, `${key} ${show(value)}, expected an object of fields`);
}

function invalid(hook: Hook, problem: string): SwarmError {
  return new SwarmError("SWARM_ANSWER_INVALID", { hook: hook.name, problem });
}
