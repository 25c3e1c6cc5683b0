export type Json = Readonly<Record<string, unknown>>;
/** Where a value stands: in which field of which field. */
export type Path = readonly [string, ...string[]];

/** A value taken out of an object, and what is left of it; null when there is none at this path. */
export function take(object: Json, [name, ...inner]: Path): { value: unknown; rest: Json } | null {
  if (!Object.hasOwn(object, name)) return null;
  const { [name]: value, ...rest } = object;
  const [next, ...further] = inner;
  if (next === undefined) return { value, rest };
  const found = isObject(value) ? take(value, [next, ...further]) : null;
  return found === null ? null : { value: found.value, rest: { ...rest, [name]: found.rest } };
}

/** Puts a value at a path of an object of ours; objects on the way that are not ours are copied. */
export function put(object: Record<string, unknown>, [name, ...inner]: Path, value: unknown): void {
  const [next, ...further] = inner;
  if (next === undefined) {
    define(object, name, value);
    return;
  }
  const now = Object.hasOwn(object, name) ? object[name] : undefined;
  const copy: Record<string, unknown> = isObject(now) ? { ...now } : {};
  put(copy, [next, ...further], value);
  define(object, name, copy);
}

/** `__proto__` is a name like any other here; the check of payloads refuses it later. */
export function define(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
