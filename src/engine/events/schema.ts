/**
 * The one vocabulary for what may be given: payloads, configuration files, REST, settings of jobs and runs. One
 * declaration gives the TypeScript type, the run-time check and the JSON Schema (docs/adr/0002-payload-schemas-by-hand.md
 * says why no library does it here).
 */
export interface ValueTypes {
  readonly string: string;
  readonly strings: readonly string[];
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly object: JsonObject;
  readonly array: readonly unknown[];
  readonly any: unknown;
}

export type FieldType = keyof ValueTypes;

export interface Field {
  readonly type: FieldType;
  readonly doc: string;
  readonly isRequired?: true;
  readonly isNullable?: true;
  /** The only texts it may be. */
  readonly values?: readonly string[];
  /** What its text, or each of its texts, looks like, and how that is said in words. */
  readonly pattern?: RegExp;
  readonly expected?: string;
  /** Of the number, or of how many texts there are. */
  readonly min?: number;
  readonly max?: number;
}

export type Fields = Readonly<Record<string, Field>>;
export type JsonObject = Readonly<Record<string, unknown>>;

/** A type with a name: declarations say that instead of both members for every field again. */
export interface Plain<T> {
  readonly type: T;
  readonly doc: string;
}

export const text = (doc: string): Plain<"string"> => ({ type: "string", doc });
export const number = (doc: string): Plain<"number"> => ({ type: "number", doc });
export const integer = (doc: string): Plain<"integer"> => ({ type: "integer", doc });
export const flag = (doc: string): Plain<"boolean"> => ({ type: "boolean", doc });
export const object = (doc: string): Plain<"object"> => ({ type: "object", doc });
export const list = (doc: string): Plain<"array"> => ({ type: "array", doc });
export const texts = (doc: string): Plain<"strings"> => ({ type: "strings", doc });
export const anything = (doc: string): Plain<"any"> => ({ type: "any", doc });

export function oneOf<const V extends readonly string[]>(values: V, doc: string) {
  return { ...text(doc), values };
}

export function required<F extends Field>(optional: F): F & { readonly isRequired: true } {
  return { ...optional, isRequired: true };
}

export function nullable<F extends Field>(plain: F): F & { readonly isNullable: true } {
  return { ...plain, isNullable: true };
}

/** Fields of its own before those it shares. As an intersection: spread out, each type would list what is shared once more. */
export function joined<F extends Fields, S extends Fields>(own: F, shared: S): F & S {
  return { ...own, ...shared };
}

type RequiredNames<F extends Fields> = {
  [N in keyof F]: F[N] extends { readonly isRequired: true } ? N : never;
}[keyof F];

/** The TypeScript type of a field's value. */
export type ValueOf<F extends Field> =
  | (F extends { readonly values: readonly (infer V)[] }
      ? F["type"] extends "string"
        ? V
        : readonly V[]
      : ValueTypes[F["type"]])
  | (F extends { readonly isNullable: true } ? null : never);

/** The TypeScript type of a payload with these fields. */
export type PayloadOf<F extends Fields> = { readonly [N in RequiredNames<F>]: ValueOf<F[N]> } & {
  readonly [N in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[N]> | undefined;
};

/** What may be given for a payload: any object where a JSON object is meant, since interfaces have no index signature. */
export type Given<P> = {
  readonly [N in keyof P]: P[N] extends infer T ? (T extends JsonObject ? object : T) : never;
};

/** Why a value does not fit a field, in words that complete "expected …"; null when it fits. */
export function misfit(spec: Field, value: unknown): string | null {
  return fits(spec, value) ? null : expectation(spec);
}

export function fits(spec: Field, value: unknown): boolean {
  if (value === null && spec.isNullable) return true;
  switch (spec.type) {
    case "string":
      return isText(spec, value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "number":
      return Number.isFinite(value) && isWithin(spec, value as number);
    case "integer":
      return Number.isSafeInteger(value) && isWithin(spec, value as number);
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "strings":
      return (
        Array.isArray(value) && value.length >= (spec.min ?? 0) && value.every((item) => isText(spec, item))
      );
    case "any":
      return value !== undefined;
  }
}

function isText({ values, pattern }: Field, value: unknown): boolean {
  return typeof value === "string" && values?.includes(value) !== false && pattern?.test(value) !== false;
}

function isWithin({ min = -Infinity, max = Infinity }: Field, value: number): boolean {
  return value >= min && value <= max;
}

const described: Readonly<Record<FieldType, string>> = {
  string: "a string",
  strings: "an array of strings",
  number: "a finite number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  any: "a value",
};

/** What a field takes, in words that complete "expected …"; `words` are those for the types where JSON's are not used. */
export function expectation(
  { type, isNullable, values, expected, min, max }: Field,
  words = described,
): string {
  const range = min === undefined ? "" : ` from ${min} to ${max ?? "any"}`;
  const own = values?.join(" or ") ?? expected ?? words[type] + range;
  return isNullable ? `${own} or null` : own;
}
