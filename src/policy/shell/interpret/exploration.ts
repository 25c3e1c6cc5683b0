/** How a line is followed where it may go several ways. */
export interface Way {
  /** What a branch changes holds after it, or does not: it may not have been taken. */
  readonly branchEnds: "kept" | "undone";
  readonly reading: Reading;
}

/**
 * What a variable that is given several values has where it is used: the last, as in a line without branches; something
 * unknown; or, for one of them, always the same.
 */
export type Reading = "last" | "unknown" | { readonly name: string; readonly value: string };
