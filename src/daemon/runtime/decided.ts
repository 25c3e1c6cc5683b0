import type { FlagOverride } from "../flags/port/flag-store.ts";
import type { HookSwitch, Store } from "../../store/port/store.ts";
import type { TrustDecisions } from "../../policy/trust/port/trust-store.ts";

/** What people have decided so far. */
export interface Decided {
  readonly switches: readonly HookSwitch[];
  readonly overrides: readonly FlagOverride[];
  readonly decisions: TrustDecisions;
  /** Another one when any of it, or a plugin, has changed; null when the store cannot tell. */
  readonly mark: string | null;
}

export async function readDecided(store: Store): Promise<Decided> {
  // First: what is read after it holds as long as the mark does.
  const mark = await store.decidedMark();
  return {
    mark,
    switches: await store.listHookSwitches(),
    overrides: await store.flags.list(),
    decisions: await store.trust.list(),
  };
}
