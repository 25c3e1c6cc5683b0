import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import {
  type FlagName,
  type FlagValues,
  flagNames,
  flags,
  flagsFromEnvironment,
  resolveFlag,
  type SetFlags,
} from "../../config/flags.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { FlagOverride } from "./port/flag-store.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { StoreChange } from "../../store/port/store.ts";

export interface FlagsOptions {
  readonly overrides: readonly FlagOverride[];
  readonly env: NodeJS.ProcessEnv;
  readonly audit: Audit;
  readonly clock: Clock;
  /** What the user's file said of them when it was good. */
  readonly lastGood: SetFlags;
  /** What it says now. */
  readonly declared: () => SetFlags;
}

/** Which switches are on, by whose word, and where they are turned. Nothing here is asked whether to record. */
export class Flags {
  readonly #options: FlagsOptions;
  readonly #overrides = new Map<string, FlagOverride>();
  readonly #environment: SetFlags;
  readonly #listeners = new Set<() => void>();
  /** The user's file may be broken meanwhile. */
  #lastGood: SetFlags;

  constructor(options: FlagsOptions) {
    this.#options = options;
    this.#lastGood = options.lastGood;
    this.#environment = flagsFromEnvironment(options.env);
    for (const row of options.overrides) this.#overrides.set(row.name, row);
  }

  /** Calls the listener whenever one was set or unset: what is in force is no longer what should be. */
  onChanged(listener: () => void): void {
    this.#listeners.add(listener);
  }

  isOn(name: FlagName): boolean {
    return this.#resolve(name, this.#declared()).value;
  }

  /** All of them for whoever has read the user's file already. */
  values(declared: SetFlags): FlagValues {
    const entries = flagNames.map((name) => [name, this.#resolve(name, declared).value]);
    return Object.fromEntries(entries) as FlagValues;
  }

  list() {
    const declared = this.#declared();
    return flagNames.map((name) => this.#describe(name, declared));
  }

  /** Recorded in the same transaction as it takes effect in, and in force on the next event. */
  async set(name: FlagName, isOn: boolean, actor: string) {
    const row = { name, is_on: isOn, time: this.#time(), actor };
    await this.#record("flag.set", `${name}: ${isOn}`, row, { kind: "flag_set", row });
    this.#overrides.set(name, row);
    return this.#changed(name);
  }

  async unset(name: FlagName, actor: string) {
    const row = { time: this.#time(), actor };
    await this.#record("flag.unset", name, row, { kind: "flag_unset", name });
    this.#overrides.delete(name);
    return this.#changed(name);
  }

  #changed(name: FlagName) {
    for (const listener of this.#listeners) listener();
    return this.#describe(name, this.#declared());
  }

  #describe(name: FlagName, declared: SetFlags) {
    const { byDefault, doc } = flags[name];
    const { time = null, actor = null } = this.#overrides.get(name) ?? {};
    return { name, ...this.#resolve(name, declared), default: byDefault, set_at: time, set_by: actor, doc };
  }

  #resolve(name: FlagName, declared: SetFlags) {
    const override = this.#overrides.get(name);
    return resolveFlag(name, override ? { [name]: override.is_on } : {}, this.#environment, declared);
  }

  #declared(): SetFlags {
    try {
      this.#lastGood = this.#options.declared();
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
    }
    return this.#lastGood;
  }

  #record(
    event: RecordedChange,
    reason: string,
    { time, actor }: Pick<FlagOverride, "time" | "actor">,
    change: StoreChange,
  ) {
    return this.#options.audit.record({ kind: "change", event, actor, time, reason }, change);
  }

  #time(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}
