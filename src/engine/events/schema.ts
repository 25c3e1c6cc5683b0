/**
 * The small vocabulary payloads are written in. One declaration gives the TypeScript type, the run-time check and
 * the JSON Schema (docs/adr/0002-payload-schemas-by-hand.md says why no library does it here).
 */
export type FieldType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "strings" | "any";

export interface Field<T = unknown, R extends boolean = boolean> {
  readonly type: FieldType;
  readonly doc: string;
  readonly isRequired: R;
  readonly isNullable: boolean;
  readonly values: readonly string[] | null;
  /** Only for the compiler: the TypeScript type of the value. Never set. */
  readonly as?: T;
}

export type Fields = Readonly<Record<string, Field>>;
export type JsonObject = Readonly<Record<string, unknown>>;

export const text = (doc: string) => field<string>("string", doc);
export const number = (doc: string) => field<number>("number", doc);
export const integer = (doc: string) => field<number>("integer", doc);
export const flag = (doc: string) => field<boolean>("boolean", doc);
export const object = (doc: string) => field<JsonObject>("object", doc);
export const list = (doc: string) => field<readonly unknown[]>("array", doc);
export const texts = (doc: string) => field<readonly string[]>("strings", doc);
export const anything = (doc: string) => field<unknown>("any", doc);

export function oneOf<const V extends readonly string[]>(values: V, doc: string): Field<V[number], false> {
  return { ...field<V[number]>("string", doc), values };
}

export function required<T>(optional: Field<T, false>): Field<T, true> {
  return { ...optional, isRequired: true };
}

export function nullable<T>(plain: Field<T, false>): Field<T | null, false> {
  return { ...plain, isNullable: true };
}

type RequiredNames<F extends Fields> = {
  [N in keyof F]: F[N] extends Field<unknown, true> ? N : never;
}[keyof F];

type ValueOf<F> = F extends Field<infer T> ? T : never;

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
  if (fits(spec, value)) return null;
  return `${describe(spec)}${spec.isNullable ? " or null" : ""}`;
}

export function fits(spec: Field, value: unknown): boolean {
  switch (spec.type) {
    case "string":
      if (typeof value === "string") return spec.values === null || spec.values.includes(value);
      break;
    case "object":
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return true;
      break;
    case "number":
      if (typeof value === "number" && Number.isFinite(value)) return true;
      break;
    case "integer":
      if (Number.isSafeInteger(value)) return true;
      break;
    case "boolean":
      if (typeof value === "boolean") return true;
      break;
    case "array":
      if (Array.isArray(value)) return true;
      break;
    case "strings":
      if (Array.isArray(value) && value.every((item) => typeof item === "string")) return true;
      break;
    case "any":
      return value !== undefined;
  }
  return value === null && spec.isNullable;
}

const described: Record<FieldType, string> = {
  string: "a string",
  number: "a finite number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  strings: "an array of strings",
  any: "a value",
};

function describe(spec: Field): string {
  return spec.values === null ? described[spec.type] : spec.values.map((value) => `"${value}"`).join(" or ");
}

function field<T>(type: FieldType, doc: string): Field<T, false> {
  return { type, doc, isRequired: false, isNullable: false, values: null };
}
