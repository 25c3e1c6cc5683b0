import type { Store } from "../../store/port/store.ts";

/** What has acknowledged more than the store has. */
interface Ahead {
  /** Null when the store has it all. */
  catchUp(): Promise<void> | null;
  /** Keeps nothing that the store has. */
  trim(): Promise<void>;
}

/** What nothing that is on its way could change. Everything else waits for it, what the port will have one day as well. */
const waitsForNothing: ReadonlySet<string | symbol> = new Set<keyof Store>([
  "saveSignedHead",
  "replaceSignedHead",
  "listHookSwitches",
  "close",
]);

/** The store as all but the recorder see it: what was acknowledged is there, whenever it is asked for. `parts` take the place of its own. */
export function caughtUpStore(store: Store, ahead: Ahead, parts: Partial<Store> = {}): Store {
  const own: Partial<Store> = {
    expirePayloads: async (olderThan) => {
      await ahead.trim();
      return store.expirePayloads(olderThan);
    },
    ...parts,
  };
  return new Proxy(store, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof Store];
      const found: unknown = Reflect.get(store, name, store);
      if (typeof found !== "function") return found;
      if (waitsForNothing.has(name)) return found.bind(store);
      return async (...given: unknown[]): Promise<unknown> => {
        const under = ahead.catchUp();
        if (under !== null) await under;
        return found.apply(store, given);
      };
    },
  });
}
