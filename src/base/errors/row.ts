import { show } from "../show.ts";

/** What an error means, what to do, how it reads, and how it leaves through HTTP and the command line. */
export interface ErrorRow<P> {
  readonly meaning: string;
  readonly remedy: string;
  readonly status: number;
  /** As sysexits has them: 64 usage, 65 bad data, 70 our own fault, 75 try again. */
  readonly exitCode: number;
  readonly message: (params: P) => string;
}

export function row<P>(definition: ErrorRow<P>): ErrorRow<P> {
  return definition;
}

export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : `, did you mean ${show(suggestion)}?`;
}
