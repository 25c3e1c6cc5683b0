import type { FlagOverride } from "../flags/port/flag-store.ts";
import type { HookSwitch, Store } from "../../store/port/store.ts";
import type { TrustDecisions } from "../../policy/trust/port/trust-store.ts";

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
