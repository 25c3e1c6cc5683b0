import type { Store } from "../../../store/port/store.ts";
import type { Work } from "./messages.ts";

/** By part, with null for the store itself: the methods there are. */
export type StoreMethods = ReadonlyMap<string | null, readonly string[]>;

type Ask = (work: Extract<Work, { readonly kind: "store" }>) => Promise<unknown>;

type Methods = Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

/** The methods of a store and of its parts, found where the store is. */
export function methodsOf(store: Store): StoreMethods {
  const found = new Map<string | null, readonly string[]>([[null, functionsOf(store)]]);
  for (const [name, part] of Object.entries(store))
    if (typeof part === "object" && part !== null) found.set(name, functionsOf(part));
  return found;
}

/** The store of another thread: every method of the port is asynchronous, so each becomes a message and its answer. */
export function remoteStore(url: string, methods: StoreMethods, ask: Ask): Store {
  const made: Record<string, unknown> = { url };
  for (const [part, names] of methods) {
    const asked: Methods = {};
    for (const method of names) asked[method] = (...args) => ask({ kind: "store", part, method, args });
    if (part === null) Object.assign(made, asked);
    else made[part] = asked;
  }
  // The thread has named the methods of a store, and nothing here knows more of them than the port says.
  return made as unknown as Store;
}

/** Calls the method that was asked for; only those that were named are called. */
export function callStore(
  store: Store,
  methods: StoreMethods,
  { part, method, args }: Extract<Work, { readonly kind: "store" }>,
): Promise<unknown> {
  if (!methods.get(part)?.includes(method)) throw new Error(`the store has no method ${part}.${method}`);
  const target = (part === null ? store : store[part as keyof Store]) as unknown as Methods;
  return (target[method] as Methods[string]).apply(target, [...args]);
}

function functionsOf(value: object): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(value));
  return names.filter(
    (name) => name !== "constructor" && typeof Reflect.get(value, name, value) === "function",
  );
}
