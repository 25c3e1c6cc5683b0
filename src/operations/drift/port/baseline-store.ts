/** Data that others are compared with, under a name. What is known of them is in a file of its own. */
export interface Baseline {
  readonly name: string;
  /** The path or run they came from, as it was given. */
  readonly source: string;
  readonly rows: number;
  readonly features: number;
  /** SHA-256 in hex of the data that were read, and of the summary that is kept: the name of its file. */
  readonly data_digest: string;
  readonly summary_digest: string;
  readonly set_at: string;
  readonly set_by: string;
}

export interface BaselineStore {
  /** By name. */
  list(): Promise<Baseline[]>;
  find(name: string): Promise<Baseline | null>;
}

/** Takes the place of the one of the same name. */
export interface BaselineSet {
  readonly kind: "baseline_set";
  readonly row: Baseline;
}
