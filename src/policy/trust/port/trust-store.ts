/** A hook of a project that somebody approved, as it was then. */
export interface TrustedHook {
  /** The project's file. */
  readonly file: string;
  readonly hook_id: string;
  readonly name: string;
  /** Whether it denied when it failed. Such a hook is missed when it is gone: then every tool is denied. */
  readonly is_guard: boolean;
  /** Of the definition and every file. */
  readonly digest: string;
  /** What was shown: one line each. */
  readonly definition: string;
  readonly files: readonly TrustedFile[];
  readonly time: string;
  readonly actor: string;
}

export interface TrustedFile {
  readonly place: string;
  readonly sha256: string | null;
}

/** A project whose hooks are left out, and not asked about again. */
export interface IgnoredProject {
  readonly file: string;
  readonly time: string;
  readonly actor: string;
}

/** All that was decided; each row is one of the last decisions, earlier ones are in the record. */
export interface TrustDecisions {
  readonly trusted: readonly TrustedHook[];
  readonly ignored: readonly IgnoredProject[];
  /** Files of projects the record says something was decided about that is not here. */
  readonly doubted?: readonly string[];
}

/** What a row of the record tells of: the decision about one project takes the place of the one before. */
export type TrustChange =
  | { readonly kind: "trust_approved"; readonly file: string; readonly hooks: readonly TrustedHook[] }
  | { readonly kind: "trust_ignored"; readonly row: IgnoredProject }
  | { readonly kind: "trust_revoked"; readonly file: string };

export interface TrustStore {
  list(): Promise<TrustDecisions>;
}
