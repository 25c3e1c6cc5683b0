/** What is assumed when a line is followed once, where it may go several ways. */
export interface Exploration {
  /** Whether what a branch changes holds after it: it may not have been taken. */
  readonly assumeBranch: "taken" | "skipped";
  readonly variables: VariableMode;
}

/**
 * What a variable that is given several values has where it is used: the last, as in a line without branches; something
 * unknown; or, for one of them, always the same.
 */
export type VariableMode = "last" | "unknown" | { readonly name: string; readonly value: string };
