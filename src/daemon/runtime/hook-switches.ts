import type { Clock } from "../../base/clock.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { HookSwitch } from "../../store/port/store.ts";

export interface HookSwitchesOptions {
  readonly switches: readonly HookSwitch[];
  readonly audit: Audit;
  readonly clock: Clock;
  /** Called when one was turned: what is in force is no longer what should be. */
  readonly onTurned: () => void;
}

/** Which hooks somebody has disabled. */
export class HookSwitches {
  readonly #options: HookSwitchesOptions;
  readonly #disabled: Set<string>;

  constructor(options: HookSwitchesOptions) {
    this.#options = options;
    const disabled = options.switches.filter(({ is_enabled }) => !is_enabled);
    this.#disabled = new Set(disabled.map(({ hook_id }) => hook_id));
  }

  isEnabled(hookId: string): boolean {
    return !this.#disabled.has(hookId);
  }

  /** Recorded in the same transaction as it takes effect in. */
  async set(hookId: string, isEnabled: boolean, name: string, actor: string): Promise<void> {
    const { audit, clock, onTurned } = this.#options;
    const time = new Date(clock.now()).toISOString();
    const row = { hook_id: hookId, is_enabled: isEnabled, time, actor };
    const event: RecordedChange = isEnabled ? "hook.enabled" : "hook.disabled";
    await audit.record({ kind: "change", event, actor, hook: name, time }, { kind: "hook_switch", row });
    if (isEnabled) this.#disabled.delete(hookId);
    else this.#disabled.add(hookId);
    onTurned();
  }
}
