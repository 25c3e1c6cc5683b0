/** A flag somebody has set, over whatever files and the environment say. */
export interface FlagOverride {
  readonly name: string;
  readonly is_on: boolean;
  readonly time: string;
  readonly actor: string;
}

export interface FlagStore {
  /** By name. */
  list(): Promise<FlagOverride[]>;
}

export interface FlagSet {
  readonly kind: "flag_set";
  readonly row: FlagOverride;
}

/** Throws SWARM_FLAG_NOT_SET when there is none of this name. */
export interface FlagUnset {
  readonly kind: "flag_unset";
  readonly name: string;
}

export type FlagChange = FlagSet | FlagUnset;
