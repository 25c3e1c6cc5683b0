import type { FlagOverride } from "../ports/flag-store.ts";
import type { HookSwitch, Store } from "../ports/store.ts";
import type { TrustDecisions } from "../ports/trust-store.ts";

/** What people have decided so far. */
export interface Decided {
  readonly switches: readonly HookSwitch[];
  readonly overrides: readonly FlagOverride[];
  readonly decisions: TrustDecisions;
}

export async function readDecided(store: Store): Promise<Decided> {
  return {
    switches: await store.listHookSwitches(),
    overrides: await store.flags.list(),
    decisions: await store.trust.list(),
  };
}
